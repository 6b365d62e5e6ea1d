"""`lab`: the bundled data with its planted truth."""

from pathlib import Path

import click

from eval_pipeline.cli.printing import counted, print_json, print_table
from eval_pipeline.layout import DataRoot


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder to write into; EVAL_PIPELINE_DATA, else ./data.",
)
@click.option(
    "--seed", type=click.IntRange(0), help="Seed of all that is drawn; the bundled one else."
)
@click.option("--force", is_flag=True, help="Write over the lab's own contracts and files.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(out: Path | None, seed: int | None, force: bool, as_json: bool) -> None:
    """Write synthetic benchmarks, checkpoints and judges whose true values are known.

    No language model takes part: one seed gives the same files. The planted values are printed
    and kept in truth.yaml; the report shows what was recovered of them.
    """
    from eval_pipeline.lab.contracts import CONTRACTS
    from eval_pipeline.lab.planted import SEED
    from eval_pipeline.lab.write import write_lab

    root = DataRoot.from_environment() if out is None else DataRoot(out.resolve())
    there = [name for name in sorted(CONTRACTS) if (root.contracts / name).exists()]
    if there and not force:
        raise ValueError(
            f"{root.path} has the contracts {', '.join(there)} already: choose another folder "
            "with --out, or write over the lab's files with --force"
        )
    truth = write_lab(root, SEED if seed is None else seed)
    planted = [{"what": one.name, "value": one.value, "table": one.table} for one in truth.values]
    licences = dict(sorted(truth.licences.items()))
    if as_json:
        print_json(
            {
                "folder": str(root.path),
                "seed": truth.seed,
                "planted": planted,
                "leaks": dict(truth.leaks),
                "licences": licences,
            }
        )
        return
    headings = {"what": "Planted", "value": "True value", "table": "Looked for in"}
    print_table(planted, headings, title=f"The lab of seed {truth.seed}")
    for judge, deserved in licences.items():
        click.echo(f"judge {judge} {'deserves' if deserved else 'deserves no'} licence")
    click.echo(f"{counted(len(truth.leaks), 'item')} of {truth.leaks_of} leaked into the corpus")
    click.echo(f"written below {root.path}; `eval-pipeline run` looks for all of it")
