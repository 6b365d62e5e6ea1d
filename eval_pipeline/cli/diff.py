"""`diff`: what differs between two contracts, and which results stay comparable."""

from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, print_json, print_table

if TYPE_CHECKING:
    from eval_pipeline.contracts.digest import Pinned
    from eval_pipeline.layout import DataRoot


@click.command(epilog=example("diff arithmetic_words@1 helpful_replies@1"))
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(a: str, b: str, as_json: bool) -> None:
    """Say what differs between contracts A and B, and which tables stay comparable.

    Write a contract as name@1 or name/v1; without a version, the highest is taken.
    """
    from eval_pipeline.contracts.comparability import comparable, diff, said

    found = evaluation("diff")
    left, right = chosen(found.world, a), chosen(found.world, b)
    files = _pinned(found.root, left), _pinned(found.root, right)
    differences = diff(left.contract, right.contract, *files)
    standing = comparable(left.contract, right.contract, *files)
    if as_json:
        fields = [vars(difference) for difference in differences]
        print_json({"a": left.title, "b": right.title, "fields": fields, "tables": standing})
        return
    if not differences:
        click.echo(f"{left.title} and {right.title} say the same: all results are comparable")
        return
    rows = [
        {"field": one.field, "a": said(one.left), "b": said(one.right), "effect": one.effect}
        for one in differences
    ]
    print_table(
        rows,
        {"field": "Field", "a": left.title, "b": right.title, "effect": "What it does"},
        title=f"{counted(len(rows), 'field')} differ between {left.title} and {right.title}",
    )
    print_table(
        [{"table": table, "standing": how} for table, how in sorted(standing.items())],
        {"table": "Table", "standing": "Held against each other"},
        wide="standing",
    )


def _pinned(root: "DataRoot", one: Chosen) -> "Pinned":
    from eval_pipeline.contracts.pinned import pinned

    return pinned(root, one.contract)
