"""`compare`: two checkpoints item by item, under one contract."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation, unknown
from eval_pipeline.cli.reading.standing import not_current, note_gone
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    interval_text,
    note,
    p_text,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from eval_pipeline.cli.comparing.comparison import ItemComparison
    from eval_pipeline.orchestration.evaluation import Evaluation

SHOWN_ITEMS = 10


@click.command(
    epilog=example("compare heron@step2000 heron@step1000 \\\n--contract arithmetic_words --show 3")
)
@click.argument("a")
@click.argument("b")
@click.option("--contract", required=True, help="The contract that both are held under.")
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option(
    "--against", metavar="CONTRACT", help="Take B's results from this contract, as name@1."
)
@click.option(
    "--show",
    type=click.IntRange(0),
    help="Items with the replies of both side by side, flips first, 0 for all. "
    "Of one checkpoint with --against: samples listed; 20 else.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs, with every item.")
def command(
    a: str,
    b: str,
    contract: str,
    version: int | None,
    against: str | None,
    show: int | None,
    as_json: bool,
) -> None:
    """Compare checkpoints A and B on the items that both answered: A minus B.

    The two need not be each other's reference. With --against, B is taken from another contract
    version, where its scores stay comparable. With the same checkpoint twice and --against, the
    samples are listed whose score flipped from that version to --contract, and why; first come
    the counts by how they ended then and now, such as wrong -> undecided.

    Judged contracts with length control also say how often A beats B at equal length, even where
    the two were never judged together.
    """
    from eval_pipeline.cli.comparing.comparison import compared

    if a == b and against is None:
        raise click.UsageError(
            "A and B are the same checkpoint: with --against, another contract version is compared"
        )
    found = evaluation("compare")
    note_gone(found.world, (a, b))
    one = chosen(found.world, contract, version)
    other = one if against is None else chosen(found.world, against)
    if a == b:
        if other == one:
            raise ValueError(f"{one.title} cannot be held against itself: name another version")
        from eval_pipeline.cli.comparing.flips import SHOWN, show_flips

        show_flips(found, one, other, a, as_json, SHOWN if show is None else show)
        return
    bent = None if other == one else _bent(found, one, other, (a, b))
    comparison = compared(found, one, a, b, other.home)
    plan = found.plan()
    stale = not_current(plan, one, "paired_comparisons", [a, b])
    items = None
    if show is not None:
        from eval_pipeline.cli.comparing.replies import shown_items

        items = shown_items(found, comparison, ((a, one.home), (b, other.home)), show)
    if as_json:
        print_json(
            {
                "contract": one.title,
                "against": other.title,
                "a": a,
                "b": b,
                "metric": comparison.metric,
                "rows": comparison.rows,
                "equal_length": None
                if comparison.equal_length is None
                else asdict(comparison.equal_length),
                "items_tied": comparison.tied,
                "statuses": comparison.statuses,
                "quarantined": comparison.quarantined,
                "draft": one.contract.status == "draft",
                "stale": stale,
                "partly": bent,
                **({} if items is None else {"shown": items}),
            }
        )
        return
    if comparison.rows:
        _print(comparison, one, other, a, b)
    if comparison.equal_length is not None:
        _print_equal_length(comparison, one, a, b)
    if items is not None:
        from eval_pipeline.cli.comparing.replies import print_items

        print_items(items, a, b)
    for remark in (bent, stale and f"not up to date ({stale}): `eval-pipeline run` renews it"):
        if remark:
            note(remark)


def _bent(
    found: "Evaluation", one: Chosen, other: Chosen, checkpoints: tuple[str, str]
) -> str | None:
    """In what the scores of two contracts are comparable only in part.

    Raises ValueError where they are not comparable, rest on judges, or a checkpoint is unknown.
    """
    from eval_pipeline.contracts.comparability import COMPARABLE, comparable
    from eval_pipeline.contracts.pinned import pinned

    if one.contract.verification is None or other.contract.verification is None:
        raise ValueError("--against compares verified scores: judged pairs belong to one contract")
    files = [pinned(found.root, side.contract) for side in (one, other)]
    standing = comparable(one.contract, other.contract, *files)["verifier_scores"]
    if standing.startswith("not"):
        for name in checkpoints:
            if name not in found.world.facts:
                raise ValueError(unknown("checkpoint", name, sorted(found.world.facts)))
        raise ValueError(
            f"verifier_scores of {one.title} and {other.title} are {standing}; "
            "to see what flipped, name the same checkpoint twice"
        )
    return None if standing == COMPARABLE else standing


def _print(comparison: "ItemComparison", one: Chosen, other: Chosen, a: str, b: str) -> None:
    from eval_pipeline.cli.comparing.comparison import side_by_side

    whole = comparison.rows[0]
    under = one.title if other == one else f"{one.title} and {other.title}"
    marks = [
        mark
        for mark, holds in (
            ("DRAFT", one.contract.status == "draft"),
            ("QUARANTINED: the judges hold no licence", comparison.quarantined),
        )
        if holds
    ]
    rows = [
        {
            "slice": row["slice"],
            "difference": interval_text(row["difference"], row["ci_low"], row["ci_high"]),
            "p": p_text(row["p_adjusted"]),
            "shared": row["n_shared"],
            "unshared": row["n_unshared"],
            "won": len(row["items_won"]),
            "lost": len(row["items_lost"]),
            "how": row["ci_method"] or row["reason"],
        }
        for row in comparison.rows
    ]
    headings = {
        "slice": "Slice",
        "difference": f"Difference [{whole['confidence']:.0%}]",
        "p": "p, adj.",
        "shared": "Shared",
        "unshared": "Left out",
        "won": "Won",
        "lost": "Lost",
        "how": "Interval",
    }
    unit = one.contract.unit.clustered_by
    title = f"{a} minus {b}: {comparison.metric} under {under}, clustered by {unit}"
    print_table(rows, headings, " - ".join([title, *marks]), wide="how")
    print_table(
        [
            _items(f"won by {a}", whole["items_won"]),
            _items(f"won by {b}", whole["items_lost"]),
            _items("tied", comparison.tied),
        ],
        {"what": "Items", "n": "n", "which": "Which"},
        wide="which",
    )
    statuses = side_by_side(comparison.statuses)
    if statuses:
        print_table(statuses, {"status": "Samples", **{who: who for who in comparison.statuses}})


def _print_equal_length(comparison: "ItemComparison", one: Chosen, a: str, b: str) -> None:
    """The panel's rate at equal length, from the pairs of both with the baseline."""
    found, control = comparison.equal_length, one.contract.length_control
    if found is None or control is None:
        return
    together = "" if comparison.rows else "; the two were never judged together"
    held = ["length", *control.style]
    title = f"{a} against {b} under {one.title}, equal in {', '.join(held)}"
    if comparison.quarantined and not comparison.rows:
        title += " - QUARANTINED: the judges hold no licence"
    print_table(
        [
            {
                "rate": interval_text(found.rate, found.low, found.high),
                "clusters": found.n_clusters,
                "how": found.reason
                or f"{found.method}, through the baseline {control.baseline}{together}",
            }
        ],
        {
            "rate": f"Win rate [{one.contract.confidence:.0%}]",
            "clusters": "Clusters",
            "how": "Interval",
        },
        title,
        wide="how",
    )


def _items(what: str, items: list[str]) -> dict[str, object]:
    shown = ", ".join(items[:SHOWN_ITEMS])
    beyond = len(items) - SHOWN_ITEMS
    more = f" and {counted(beyond, 'item')} more (--json lists them)" if beyond > 0 else ""
    return {"what": what, "n": len(items), "which": shown + more or "-"}
