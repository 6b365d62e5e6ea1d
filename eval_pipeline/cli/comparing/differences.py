"""The samples on which our verdict and a recorded one stand so or so, with their raw places."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eval_pipeline.reporting.escaping import shortened

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.place import Place

Row = Mapping[str, Any]


def placed(
    found: "Evaluation", place: "Place", samples: Sequence[Row], characters: int
) -> list[dict[str, Any]]:
    """Of each sample its question, reference and reply, and the line of the file that holds it.

    Texts are cut at so many characters.
    """
    home = (place.contract, place.version)
    asked = found.warehouse.read("items", *home).table(["item_id", "question", "answer"])
    given = found.warehouse.read("generations", *home, checkpoint=place.checkpoint)
    replies = given.table(["item_id", "draw", "text", "file", "line"])
    names = sorted({row["item_id"] for row in samples})
    items = {row["item_id"]: row for row in _of(asked, names)}
    lines = {(row["item_id"], row["draw"]): row for row in _of(replies, names)}

    def cut(text: str | None) -> str | None:
        return None if text is None else shortened(text, characters)

    made = []
    for row in samples:
        item, line = items[row["item_id"]], lines[row["item_id"], row["draw"]]
        made.append(
            {
                "question": cut(item["question"]),
                "reference": cut(item["answer"]),
                "excerpt": cut(line["text"]),
                "file": f"checkpoints/{place.checkpoint}/{line['file']}",
                "line": line["line"],
            }
        )
    return made


def _of(table: "pa.Table", items: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of these items."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(items, pa.string())
    rows: list[dict[str, Any]] = table.filter(pc.is_in(table["item_id"], wanted)).to_pylist()
    return rows
