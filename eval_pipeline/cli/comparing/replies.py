"""The replies of two checkpoints to the same items, side by side: flips first, then ties."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from eval_pipeline.cli.reading.project import Home
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.showing.printing import cell_text, terminal_width
from eval_pipeline.reporting.escaping import for_terminal, shortened
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow, VerifierScoresRow

if TYPE_CHECKING:
    from eval_pipeline.cli.comparing.comparison import ItemComparison
    from eval_pipeline.orchestration.evaluation import Evaluation

REPLY_CHARACTERS = 1500  # of a reply that are shown; --json gives it whole
BETWEEN = " | "
OfItem = TypeVar("OfItem", ItemsRow, GenerationsRow)
Sides = tuple[tuple[str, Home], tuple[str, Home]]  # A and B, each with the contract it is read from


class Draw(TypedDict):
    """One reply; the score is None where no verifier gave one."""

    draw: int
    status: str
    score: float | None
    text: str | None


class ShownItem(TypedDict):
    """An item with the draws of both; moved: won, lost or tied, None where nobody compared."""

    item_id: str
    moved: str | None
    question: str
    answer: str | None
    a: list[Draw]
    b: list[Draw]


def shown_items(
    found: "Evaluation", comparison: "ItemComparison", sides: Sides, number: int
) -> list[ShownItem]:
    """The first items, won and lost in turn, then the tied ones; number: how many, 0 for all."""
    home = sides[0][1]
    moved_items = flips_first(comparison) if comparison.rows else _all_items(found, home)
    order = moved_items[: number or None]
    names = [item for item, _ in order]
    columns = ["item_id", "question", "answer"]
    texts = _by_item(rows_read(found, home, ItemsRow, None, columns, names))
    left, right = (_draws(found, home, checkpoint, names) for checkpoint, home in sides)
    return [
        {
            "item_id": item,
            "moved": moved,
            "question": texts[item][0]["question"],
            "answer": texts[item][0]["answer"],
            "a": left.get(item, []),
            "b": right.get(item, []),
        }
        for item, moved in order
    ]


def print_items(items: Sequence[ShownItem], a: str, b: str) -> None:
    """Each item with one draw of both in two columns: the first draw that scores otherwise."""
    width = (terminal_width() - len(BETWEEN)) // 2
    for item in items:
        click.echo(for_terminal(_heading(item["item_id"], item["moved"], a)))
        click.echo(_filled(f"question: {_cut(item['question'])}", terminal_width()))
        if item["answer"] is not None:
            click.echo(_filled(f"reference: {_cut(item['answer'])}", terminal_width()))
        left, right = _telling(item["a"], item["b"], item["moved"])
        columns = (_column(a, left, width), _column(b, right, width))
        for one, other in zip_longest(*columns, fillvalue=""):
            click.echo(f"{one:<{width}}{BETWEEN}{other}".rstrip())
        click.echo()


def _heading(item: str, moved: str | None, a: str) -> str:
    if moved is None:
        return item
    return f"{item}: tied" if moved == "tied" else f"{item}: {moved} by {a}"


def flips_first(comparison: "ItemComparison") -> list[tuple[str, str]]:
    """Items with how they moved: won and lost in turn, then tied."""
    whole = comparison.rows[0]
    won = [(item, "won") for item in whole["items_won"]]
    lost = [(item, "lost") for item in whole["items_lost"]]
    flips = [one for one in chain.from_iterable(zip_longest(won, lost)) if one is not None]
    return [*flips, *((item, "tied") for item in comparison.tied)]


def _all_items(found: "Evaluation", home: Home) -> list[tuple[str, None]]:
    items = found.warehouse.read("items", *home).table(["item_id"])["item_id"]
    return [(item, None) for item in items.to_pylist()]


def _draws(
    found: "Evaluation", home: Home, checkpoint: str, items: Sequence[str]
) -> dict[str, list[Draw]]:
    """The draws of a checkpoint by item; scores where a verifier gave them."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    columns = ["item_id", "draw", "status", "text"]
    replies = _by_item(rows_read(found, home, GenerationsRow, checkpoint, columns, items))
    try:
        columns = ["item_id", "draw", "status", "score"]
        scored = rows_read(found, home, VerifierScoresRow, checkpoint, columns, items)
    except NotMaterialised:
        scored = []
    judged = {(row["item_id"], row["draw"]): row for row in scored}
    return {
        item: [
            {
                "draw": row["draw"],
                "status": _status(judged.get((item, row["draw"])), row),
                "score": _score(judged.get((item, row["draw"]))),
                "text": row["text"],
            }
            for row in rows
        ]
        for item, rows in replies.items()
    }


def _status(judged: VerifierScoresRow | None, given: GenerationsRow) -> str:
    return given["status"] if judged is None else judged["status"]


def _score(judged: VerifierScoresRow | None) -> float | None:
    return None if judged is None else judged["score"]


def _by_item(rows: Iterable[OfItem]) -> dict[str, list[OfItem]]:
    found: dict[str, list[OfItem]] = {}
    for row in rows:
        found.setdefault(row["item_id"], []).append(row)
    return found


def _telling(
    left: Sequence[Draw], right: Sequence[Draw], moved: str | None
) -> tuple[Draw | None, Draw | None]:
    """The first draw that moved as its item did, else one that moved, else the first of each."""
    others = {row["draw"]: row for row in right}
    pairs = [(row, others[row["draw"]]) for row in left if row["draw"] in others]
    apart = [pair for pair in pairs if pair[0]["score"] != pair[1]["score"]]
    along = [
        pair
        for pair in apart
        if moved == ("won" if (pair[0]["score"] or 0) > (pair[1]["score"] or 0) else "lost")
    ]
    if pairs:
        return (along or apart or pairs)[0]
    return next(iter(left), None), next(iter(right), None)


def _column(name: str, draw: Draw | None, width: int) -> list[str]:
    if draw is None:
        return [shortened(for_terminal(name), width), "no reply"]
    score = "" if draw["score"] is None else f", scored {draw['score']:g}"
    head = f"draw {draw['draw']}: {draw['status']}{score}"
    reply = for_terminal(_cut(draw["text"]), keep="\n")
    lines = [
        wrapped for line in reply.split("\n") for wrapped in textwrap.wrap(line, width) or [""]
    ]
    return [shortened(for_terminal(name), width), head, *lines]


def _filled(text: str, width: int) -> str:
    return textwrap.fill(for_terminal(text), width, subsequent_indent="  ")


def _cut(text: str | None) -> str:
    return cell_text(None) if text is None else shortened(text, REPLY_CHARACTERS)
