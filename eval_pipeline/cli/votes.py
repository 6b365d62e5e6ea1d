"""`votes`: judgments that were published elsewhere, as votes of a judge."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.judged import VERSION, judged
from eval_pipeline.cli.reading.project import evaluation
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, note, print_json
from eval_pipeline.layout import DataRoot, checked_name

if TYPE_CHECKING:
    from eval_pipeline.cli.drafting.vote_files import Bench, Given, Imported, Refused
    from eval_pipeline.cli.reading.project import Chosen
    from eval_pipeline.orchestration.evaluation import Evaluation

FORM_NAMES = ("llmbar", "judge_bench", "alpaca_eval", "mt_bench", "arena", "columns")


def options(function: Callable[..., None]) -> Callable[..., None]:
    """What is said of a file of votes, the same for both verbs."""
    of_file = (
        click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        click.option(
            "--form",
            required=True,
            type=click.Choice(FORM_NAMES),
            help="How the file is written; `columns` reads the keys named with --key.",
        ),
        click.option("--judge", required=True, help="Whose votes they are: the judge's name."),
        click.option(
            "--only",
            multiple=True,
            metavar="KEY=VALUE",
            help="Take only rows that have this value, such as strategy=CoT; may be repeated.",
        ),
        click.option(
            "--rename", multiple=True, metavar="MODEL=NAME", help="Name of a model's checkpoint."
        ),
        click.option(
            "--key",
            multiple=True,
            metavar="PART=KEY",
            help="With --form columns: key of a part, such as shown_first=left.",
        ),
        click.option("--json", "as_json", is_flag=True, help="JSON for programs."),
    )
    for one in reversed(of_file):
        function = one(function)
    return function


@click.group(epilog=example("votes import helpful_replies v.jsonl --form arena --judge owl"))
def command() -> None:
    """Read judgments of pairs in the forms in which they are published.

    llmbar: results of its evaluators, or a table of winner_ab and winner_ba. judge_bench: label,
    response_A and response_B, and judgments of one game or two. alpaca_eval:
    annotations, the order told by the log-probabilities of m and M. mt_bench: g1_winner and
    g2_winner. arena: winner, model_a on the left. columns: item_id, question, model_a, model_b,
    shown_first, game, verdict, prob_first, reply_a, reply_b, label, under the keys that --key
    names; game 1 shows model_a first, 2 the other. Where nothing tells the order, a draft says
    `orders: unrecorded`.

    Files: .json, .jsonl, .jsonl.gz, .csv, .tsv or .parquet.
    """


@command.command(
    name="import",
    epilog=example("votes import helpful_replies v.jsonl --form arena --judge owl"),
)
@click.argument("contract")
@VERSION
@options
def import_(
    contract: str,
    version: int | None,
    file: Path,
    form: str,
    judge: str,
    only: tuple[str, ...],
    rename: tuple[str, ...],
    key: tuple[str, ...],
    as_json: bool,
) -> None:
    """Add the votes of FILE to those of a judge, for the items and checkpoints of CONTRACT.

    Items are found by name, else by their question. A vote that is there already stays, so that
    importing twice changes nothing. Exits 1 where rows are refused; the others are kept.
    """
    from eval_pipeline.cli.drafting.vote_files import Refused, given_rows, import_votes
    from eval_pipeline.ingest.excerpts import shown_name
    from eval_pipeline.ingest.published_rows import published_rows

    found = evaluation("votes")
    one = judged(found, contract, version)
    checked_name(judge, "judge")
    refused = Refused()
    rows = given_rows(
        published_rows(file), _given(form, only, rename, key), refused, shown_name(file)
    )
    imported = import_votes(found.root, _bench(found, one), judge, rows, refused)
    _tell(imported, one.title, judge, as_json, [])
    judging = one.contract.judging
    if judging is not None and judge not in [each.name for each in judging.pairwise]:
        note(f"{one.title} does not ask {judge}: name it in judging.judges of a new version")
    sys.exit(1 if refused.counts else 0)


@command.command(epilog=example("votes draft pairs.jsonl --form arena --judge owl"))
@options
@click.option("--contract", help="Name of the contract and of its benchmark; the file's name else.")
def draft(
    contract: str | None,
    file: Path,
    form: str,
    judge: str,
    only: tuple[str, ...],
    rename: tuple[str, ...],
    key: tuple[str, ...],
    as_json: bool,
) -> None:
    """Make items, checkpoints, labels and a draft contract from FILE, and import its votes.

    The rows must hold the questions and both replies. Whatever is guessed is marked in the
    contract. Nothing is overwritten. Exits 1 where rows are refused; the others are taken.
    """
    from eval_pipeline.cli.drafting.judged_draft import write_judged_draft
    from eval_pipeline.cli.drafting.judged_rows import gathered
    from eval_pipeline.cli.drafting.vote_files import Refused, given_rows, import_votes
    from eval_pipeline.ingest.excerpts import shown_name
    from eval_pipeline.ingest.published_rows import published_rows

    name = checked_name(contract or file.name.partition(".")[0], "contract")
    checked_name(judge, "judge")
    refused = Refused()
    rows = given_rows(
        published_rows(file), _given(form, only, rename, key), refused, shown_name(file)
    )
    made, taken = gathered(name, rows, refused, "sum" if form == "judge_bench" else "both")
    if not taken:
        raise ValueError(_nothing(file, refused))
    root = DataRoot.from_environment()
    written = write_judged_draft(root, made, judge, shown_name(file))
    found = evaluation("votes", root)
    one = judged(found, name, None)
    imported = import_votes(root, _bench(found, one), judge, taken, refused)
    _tell(imported, one.title, judge, as_json, written)
    if not as_json:
        click.echo(
            f"{counted(len(made.questions), 'item')}, {counted(len(made.models), 'checkpoint')}, "
            f"{counted(len(made.labels), 'label')} of people"
        )
        click.echo(f"next: eval-pipeline run --contract {name}; eval-pipeline plan licence")
    sys.exit(1 if refused.counts else 0)


def _given(
    form: str, only: tuple[str, ...], rename: tuple[str, ...], key: tuple[str, ...]
) -> "Given":
    from eval_pipeline.cli.drafting.vote_files import Given
    from eval_pipeline.cli.showing.pairs import named_pairs
    from eval_pipeline.ingest.published_votes import PARTS

    keys = named_pairs("--key", key)
    if keys and form != "columns":
        raise click.UsageError("--key is for --form columns: the other forms know their keys")
    if strange := sorted(keys.keys() - set(PARTS)):
        raise click.UsageError(f"--key {strange[0]}=...: the parts are {', '.join(PARTS)}")
    return Given(form, keys, named_pairs("--only", only), named_pairs("--rename", rename))


def _bench(found: "Evaluation", one: "Chosen") -> "Bench":
    from eval_pipeline.cli.drafting.vote_files import Bench
    from eval_pipeline.contracts.items import read_items
    from eval_pipeline.contracts.targets import targets
    from eval_pipeline.orchestration.stages.pair_plan import planned_rows

    contract = one.contract
    items = read_items(found.root, contract).table

    def planned(checkpoint: str) -> set[tuple[str, str, str]]:
        rows = planned_rows(found.root, contract, checkpoint, items)
        return {(row["item_id"], row["model_a"], row["model_b"]) for row in rows}

    questions = zip(items["item_id"].to_pylist(), items["question"].to_pylist(), strict=True)
    return Bench(
        contract.benchmark,
        {item: text or "" for item, text in questions},
        targets(contract, found.world.facts),
        None if contract.pairing is None or contract.pairing.recorded else planned,
        contract.judging is not None and contract.judging.orders == "unrecorded",
    )


def _nothing(file: Path, refused: "Refused") -> str:
    first = next(iter(refused.first.values()), "it holds none, or none that --only asks for")
    return f"{file}: no row can be taken: {first}"


def _tell(imported: "Imported", title: str, judge: str, as_json: bool, written: list[str]) -> None:
    """What was kept and refused, for programs or for people."""
    refused = imported.refused
    if as_json:
        print_json(
            {
                "contract": title,
                "judge": judge,
                "written": written,
                "kept": imported.kept,
                "known": imported.known,
                "refused": refused.counts,
                "first_refused": refused.first,
                "not_planned": {f"{a} v {b}": n for (a, b), n in imported.unplanned.items()},
            }
        )
        return
    for path in written:
        click.echo(f"  {path}")
    for path, votes in imported.kept.items():
        click.echo(f"  {path}: {counted(votes, 'vote')}")
    click.echo(
        f"{counted(sum(imported.kept.values()), 'vote')} of {judge} kept, {imported.known} known "
        f"before, {counted(sum(refused.counts.values()), 'row')} refused"
    )
    if imported.unplanned:
        (a, b), most = max(imported.unplanned.items(), key=lambda one: (one[1], one[0]))
        many = counted(sum(imported.unplanned.values()), "vote")
        note(
            f"{many} are on pairs that {title} does not have judged, most on {a} and {b} ({most}): "
            "they are set aside; pairing: {recorded: true} has them judged"
        )
    for reason, number in refused.counts.items():
        note(f"{reason} {number}, first {refused.first[reason]}")
