"""`lab`: the bundled data with its planted truth, and a contract's rule before any result."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.showing.examples import NAME, example
from eval_pipeline.cli.showing.printing import counted, note, print_fields, print_json, print_table
from eval_pipeline.cli.showing.renamed import renamed
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    from eval_pipeline.contracts.model import Contract
    from eval_pipeline.decision.operating_curve import Experiment, OperatingCurve, Point

LEFT_OUT = "licences and audits are left out, and hold a checkpoint back further"


SEED = click.option(
    "--seed", type=click.IntRange(0), help="Seed of all that is drawn; the bundled one else."
)
JSON = click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(invoke_without_command=True, epilog=example("lab write --out mine --seed 1"))
@renamed("lab", "--contract", "lab curve --contract")
@renamed("lab", "--simulations", "lab curve --simulations")
@renamed("lab", "--acts", "lab acts", is_flag=True)
@renamed("lab", "--figure", "lab curve --figure, or lab acts --figure,")
@renamed("lab", "--out", "lab write --out")
@renamed("lab", "--seed", "lab write --seed")
@renamed("lab", "--force", "lab write --force", is_flag=True)
@renamed("lab", "--json", "lab write --json", is_flag=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Data with known truth: write them, or ask what a rule and a way of judging are worth.

    No language model takes part: one seed gives the same files and numbers.
    """
    if context.invoked_subcommand is None:
        raise click.UsageError(f"`lab` is `{NAME} lab write` now; beside it: lab curve, lab acts")


@command.command(epilog=example("lab write --out mine --seed 1"))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder to write into; EVAL_PIPELINE_DATA, else ./data.",
)
@SEED
@click.option("--force", is_flag=True, help="Write over the lab's own contracts and files.")
@JSON
def write(out: Path | None, seed: int | None, force: bool, as_json: bool) -> None:
    """Write synthetic benchmarks, checkpoints and judges whose true values are known.

    The planted values are printed and kept in truth.yaml; the report shows what was recovered of
    them.
    """
    from eval_pipeline.lab.contracts import CONTRACTS
    from eval_pipeline.lab.planted import JUDGES
    from eval_pipeline.lab.planted import SEED as BUNDLED
    from eval_pipeline.lab.write import write_lab

    root = DataRoot.from_environment() if out is None else DataRoot(out.resolve())
    there = [name for name in sorted(CONTRACTS) if (root.contracts / name).exists()]
    if there and not force:
        raise ValueError(
            f"{root.path} has the contracts {', '.join(there)} already: choose another folder "
            "with --out, or write over the lab's files with --force"
        )
    truth = write_lab(root, BUNDLED if seed is None else seed)
    planted = [{"what": one.name, "value": one.value, "table": one.table} for one in truth.values]
    licences = dict(sorted(truth.licences.items()))
    changes = {judge.name: judge.change.night for judge in JUDGES if judge.change is not None}
    if as_json:
        print_json(
            {
                "folder": str(root.path),
                "seed": truth.seed,
                "planted": planted,
                "leaks": dict(truth.leaks),
                "licences": licences,
                "changes": changes,
            }
        )
        return
    headings = {"what": "Planted", "value": "True value", "table": "Looked for in"}
    print_table(planted, headings, title=f"The lab of seed {truth.seed}")
    for judge, deserved in licences.items():
        click.echo(f"judge {judge} {'deserves' if deserved else 'deserves no'} licence")
    for judge, night in changes.items():
        click.echo(f"judge {judge} is another one from the night of {night} on")
    click.echo(f"{counted(len(truth.leaks), 'item')} of {truth.leaks_of} leaked into the corpus")
    click.echo(f"written below {root.path}; `eval-pipeline run` looks for all of it")


@command.command(epilog=example("lab curve --contract arithmetic_words --simulations 100"))
@click.option("--contract", required=True, help="Whose rule is asked: its name, or name@1.")
@click.option(
    "--simulations",
    type=click.IntRange(100, 100_000),
    default=1000,
    show_default=True,
    help="Experiments at each true difference.",
)
@click.option("--figure", type=FILE, help="Draw the curve into this PNG file.")
@JSON
def curve(contract: str, simulations: int, figure: Path | None, as_json: bool) -> None:
    """Show how often a contract's rule ships, by simulation.

    Whole experiments are drawn with the contract's items, clusters, draws and seed, and its rule
    is asked about each. The table says how often it ships identical checkpoints, and worse and
    better ones. Nothing is written.
    """
    show_curve(contract, simulations, figure, as_json)


@command.command(epilog=example("lab acts --figure acts.svg"))
@SEED
@click.option("--figure", type=FILE, help="Draw the acts into this SVG file.")
@JSON
def acts(seed: int | None, figure: Path | None, as_json: bool) -> None:
    """Run six acts of judging and say what each is worth.

    A contest with a known winner is judged in six ways, through the pipeline's own tables, and
    each answer is held against the truth. Nothing is written.
    """
    from eval_pipeline.cli.forecast.acts import show_acts

    show_acts(seed, figure, as_json)


def show_curve(named: str, simulations: int, figure: Path | None, as_json: bool) -> None:
    """Prints the contract's rule and its operating curve; draws it where a file is named."""
    from eval_pipeline.cli.forecast.rule_curve import curve_of
    from eval_pipeline.cli.reading.project import chosen, evaluation

    found = evaluation("lab")
    one = chosen(found.world, named)
    curve, experiment, _, origin = curve_of(found, one, simulations)
    metric = one.contract.question.primary_endpoint.label
    rule = {
        "rule": f"{experiment.rule}, margin {experiment.margin:g}",
        "metric": f"{metric}, {experiment.confidence:.0%} intervals"
        + (" that hold at any look" if experiment.sequential else ""),
        "items": f"{experiment.clusters.size} in {len(set(experiment.clusters.tolist()))} clusters",
        "draws an item": experiment.draws,
        "population": origin,
        "missing": f"{experiment.missing:.2%} of {_drawn(experiment)}, as in the pilot, by chance",
        "guardrails": _guarded(one.contract, experiment),
        "standard error": f"{curve.standard_error:.4f} between identical checkpoints",
        "identical checkpoints": _shown(curve.identical),
        f"true difference {curve.at_bar.difference:+g}": f"{_shown(curve.at_bar)}: at the bar",
    }
    if figure is not None:
        beneath = (
            f"{experiment.missing:.2%} of {_drawn(experiment)} missing; guardrails: "
            f"{_guarded(one.contract, experiment)}; {LEFT_OUT}"
        )
        _draw(figure, curve, experiment.rule, metric, one.title, beneath)
    if as_json:
        print_json(
            {
                "contract": one.title,
                "rule": experiment.rule,
                "margin": experiment.margin,
                "confidence": experiment.confidence,
                "metric": metric,
                "items": experiment.clusters.size,
                "draws": experiment.draws,
                "population": origin,
                "missing": experiment.missing,
                "guardrails": [guard.bar.words for guard in experiment.guardrails],
                "simulations": curve.simulations,
                "standard_error": curve.standard_error,
                "identical": _row(curve.identical),
                "at_bar": _row(curve.at_bar),
                "points": [_row(point) for point in curve.points],
            }
        )
        return
    print_fields(rule, f"{one.title}: what its rule does, in {simulations} experiments each")
    headings = {
        "difference": "True difference",
        "ship": "Ships",
        "sure": "[95%]",
        "reject": "Rejected",
        "not_enough_data": "Not enough data",
    }
    rows = [
        {
            "difference": f"{point.difference:+.4f}",
            "ship": f"{point.ship:.1%}",
            "sure": f"{point.interval.low:.1%} to {point.interval.high:.1%}",
            "reject": f"{point.reject:.1%}",
            "not_enough_data": f"{point.not_enough_data:.1%}",
        }
        for point in curve.points
    ]
    print_table(rows, headings)
    note(f"every draw of the candidate moves by the same logits; {LEFT_OUT}")
    if figure is not None:
        click.echo(f"drawn into {figure}")


def _row(point: "Point") -> dict[str, object]:
    return {
        "difference": point.difference,
        "ship": point.ship,
        "ship_low": point.interval.low,
        "ship_high": point.interval.high,
        "reject": point.reject,
        "not_enough_data": point.not_enough_data,
    }


def _shown(point: "Point") -> str:
    return f"ship in {point.ship:.1%} [{point.interval.low:.1%}, {point.interval.high:.1%}]"


def _drawn(experiment: "Experiment") -> str:
    return "judged items" if experiment.kind == "win rate" else "draws"


def _guarded(contract: "Contract", experiment: "Experiment") -> str:
    """The guardrails that the experiments go through, and those that they do not."""
    from eval_pipeline.contracts.model import Decision

    stated = contract.decision.guardrails if isinstance(contract.decision, Decision) else []
    if not stated:
        return "none"
    kept = ", ".join(guard.bar.words for guard in experiment.guardrails)
    told = f"{kept} (as true of the candidate as of the reference)" if kept else ""
    out = len(stated) - len(experiment.guardrails)
    more = f"{counted(out, 'guardrail')} left out: no estimate of the reference yet" if out else ""
    return "; ".join(filter(None, (told, more)))


def _draw(
    path: Path, curve: "OperatingCurve", rule: str, metric: str, title: str, beneath: str
) -> None:
    from eval_pipeline.reporting.figures.drawing import png
    from eval_pipeline.reporting.figures.rules import CurvePoint, operating_figure

    points = [
        CurvePoint(p.difference, p.ship, p.interval.low, p.interval.high, p.reject)
        for p in curve.points
    ]
    bar = curve.at_bar.difference
    bars = sorted({bar, -bar}) if rule == "equivalent" else [bar]
    label = f"true difference in {metric}, candidate minus reference"
    path.write_bytes(png(operating_figure(points, bars, label, f"{title}: {rule}", beneath)))
