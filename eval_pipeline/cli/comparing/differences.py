"""The samples on which our verdict and a recorded one stand so or so, with their raw places."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.reporting.escaping import shortened
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.place import Place


def placed(
    found: "Evaluation", place: "Place", samples: Sequence[tuple[str, int]], characters: int
) -> list[dict[str, object]]:
    """Of each sample its question, reference and reply, and the line of the file that holds it.

    samples: item and draw. Texts are cut at so many characters.
    """
    home = (place.contract, place.version)
    names = {name for name, _ in samples}
    asked = rows_read(found, home, ItemsRow, None, ["item_id", "question", "answer"], names)
    columns = ["item_id", "draw", "text", "file", "line"]
    given = rows_read(found, home, GenerationsRow, place.checkpoint, columns, names)
    items = {row["item_id"]: row for row in asked}
    lines = {(row["item_id"], row["draw"]): row for row in given}

    def cut(text: str | None) -> str | None:
        return None if text is None else shortened(text, characters)

    made: list[dict[str, object]] = []
    for name, draw in samples:
        item, line = items[name], lines[name, draw]
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
