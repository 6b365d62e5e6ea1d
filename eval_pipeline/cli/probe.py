"""`probe`: what a judge is tried on, and watched by."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.judged import VERSION, judged
from eval_pipeline.cli.reading.project import evaluation
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, note
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Chosen
    from eval_pipeline.contracts.judging import Judge
    from eval_pipeline.contracts.model import Contract
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.live_judges.judge_trials import JudgeTrial

LIVE = click.option("--live", is_flag=True, help="Ask the contract's live judges, and keep it.")
JUDGE = click.option("--judge", help="With --live: only this judge; all live ones else.")
JUDGE_CALLS = click.option(
    "--judge-calls", type=click.IntRange(1), help="With --live: make at most so many calls."
)
JUDGE_USD = click.option(
    "--judge-usd",
    type=click.FloatRange(0, min_open=True),
    help="With --live: spend at most so many US dollars, at the declared price.",
)


@click.group(epilog=example("probe ask helpful_replies reply_probes"))
def command() -> None:
    """Write probes that try a judge, the questions that they make, and its sentinels."""


@command.command(epilog=example("probe write helpful_replies --set more_probes --n 5"))
@click.argument("contract")
@VERSION
@click.option("--set", "name", required=True, help="Name of the set: probes/NAME.jsonl.")
@click.option(
    "--n", type=click.IntRange(1), default=60, show_default=True, help="Probes of each kind."
)
@click.option("--checkpoint", help="Whose replies are varied; all checkpoints in turn else.")
def write(contract: str, version: int | None, name: str, n: int, checkpoint: str | None) -> None:
    """Write a set of probes from the replies of a contract.

    Padded, prettier and flattering variants of a reply; replies to another question that tell the
    judge to choose them, with the same replies without the order; planted errors; harmless changes.
    """
    from dataclasses import asdict

    from eval_pipeline.judging.probes.writing import write_probes

    found = evaluation("probe")
    one = judged(found, contract, version)
    rows = _generations(found, one)
    names = sorted({row["checkpoint"] for row in rows})
    if checkpoint is not None and checkpoint not in names:
        from eval_pipeline.cli.reading.project import unknown

        raise ValueError(unknown("checkpoint with replies", checkpoint, names))
    replies: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: (row["item_id"], row["checkpoint"])):
        turn = names[len(replies) % len(names)] if checkpoint is None else checkpoint
        if row["checkpoint"] == turn:
            replies.setdefault(row["item_id"], row["text"] or "")
    probes = write_probes(replies, n, one.contract.statistics.seed)
    path = found.root.probes(name)
    if path.exists():
        raise ValueError(f"{path} is there already, and votes may rest on it: choose another name")
    lines = [{"probe": probe.name, **asdict(probe)} for probe in probes]
    _write(path, ({k: v for k, v in line.items() if k != "name"} for line in lines))
    kinds = sorted({probe.kind for probe in probes})
    told = ", ".join(f"{sum(p.kind == kind for p in probes)} {kind}" for kind in kinds)
    click.echo(f"{path}: {counted(len(probes), 'probe')} ({told})")
    judging = one.contract.judging
    if judging is not None and name not in judging.probes:
        note(f"{one.title} does not read {name}: name it in judging.probes of a new version")


@command.command(epilog=example("probe ask helpful_replies reply_probes"))
@click.argument("contract")
@click.argument("name", metavar="[SET]", required=False)
@VERSION
@LIVE
@JUDGE
@JUDGE_CALLS
@JUDGE_USD
def ask(
    contract: str,
    name: str | None,
    version: int | None,
    live: bool,
    judge: str | None,
    judge_calls: int | None,
    judge_usd: float | None,
) -> None:
    """Print what a judge is to be asked, a JSON object a line: each probe in both orders.

    The votes go to probe_votes/JUDGE/SET.jsonl: probe, shown_first, and verdict (original,
    variant, tie, or null). The judge sees question, first and second, and nothing else.

    With --live the judge is asked, and that file is written; without SET, all sets that the
    contract names. What was answered is never asked again, whatever stopped it.
    """
    import json

    _check_live(live, judge, judge_calls, judge_usd)
    if live:
        from eval_pipeline.orchestration.live_judges.judge_trials import ask_probes

        def each(found: "Evaluation", one: "Contract", asked: "Judge") -> Iterable["JudgeTrial"]:
            named = one.judging.probes if one.judging else []
            if name is None and not named:
                raise ValueError(f"{one.title} names no probes: name a set")
            return (ask_probes(found, one, asked, s) for s in ([name] if name else named))

        _ask_live(contract, version, judge, judge_calls, judge_usd, each)
        return
    if name is None:
        raise click.UsageError("name the SET whose probes are printed")
    found = evaluation("probe")
    one = judged(found, contract, version)
    questions = _questions(found, one)
    path = found.root.probes(name)
    if not path.exists():
        raise ValueError(f"{path} is not there: `eval-pipeline probe write` makes it")
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            probe = json.loads(line)
            texts = (probe["original"], probe["variant"])
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number} is no probe: write the set anew") from None
        for shown_first in ("original", "variant"):
            first, second = texts if shown_first == "original" else texts[::-1]
            row = {
                "probe": probe["probe"],
                "shown_first": shown_first,
                "question": questions.get(probe["item_id"], ""),
                "first": first,
                "second": second,
            }
            click.echo(json.dumps(row, ensure_ascii=True))


@command.command(epilog=example("probe sentinels helpful_replies"))
@click.argument("contract")
@VERSION
@LIVE
@JUDGE
@click.option("--date", "night", help="With --live: the night, as 2026-02-28; today (UTC) else.")
@JUDGE_CALLS
@JUDGE_USD
def sentinels(
    contract: str,
    version: int | None,
    live: bool,
    judge: str | None,
    night: str | None,
    judge_calls: int | None,
    judge_usd: float | None,
) -> None:
    """Print the pairs that a judge is asked again each night, a JSON object a line, both orders.

    The votes go to sentinels/JUDGE/BENCHMARK/2026-02-28.jsonl, as any recorded vote. They must be
    asked anew, past every cache.

    With --live the judge is asked, and the night's file is written: each night is paid for once.
    The schedule `sentinels` does so before the nightly run; without it, a cron line can.
    """
    import json

    from eval_pipeline.orchestration.live_judges.judge_trials import ask_sentinels, trial_calls

    _check_live(live, judge, judge_calls, judge_usd, night)
    if live:
        date = _night(night)

        def each(found: "Evaluation", one: "Contract", asked: "Judge") -> Iterable["JudgeTrial"]:
            return [ask_sentinels(found, one, asked, date)]

        _ask_live(contract, version, judge, judge_calls, judge_usd, each)
        return
    found = evaluation("probe")
    one = judged(found, contract, version)
    drawn = trial_calls(found, one.contract).sentinels
    if drawn.lack:
        note(drawn.lack)
    for item, a, b in drawn.pairs:
        for shown_first in ("model_a", "model_b"):
            row = {"item_id": item, "model_a": a, "model_b": b, "shown_first": shown_first}
            click.echo(json.dumps(row, ensure_ascii=True))


Each = Callable[["Evaluation", "Contract", "Judge"], Iterable["JudgeTrial"]]


def _ask_live(
    contract: str,
    version: int | None,
    judge: str | None,
    calls: int | None,
    usd: float | None,
    each: Each,
) -> None:
    """Asks each live judge in turn, within one budget, and says what was written."""
    from eval_pipeline.orchestration.live_judges.judge_trials import live_judges
    from eval_pipeline.orchestration.settings import BUDGET_CALLS_VARIABLE, BUDGET_USD_VARIABLE

    for variable, limit in ((BUDGET_CALLS_VARIABLE, calls), (BUDGET_USD_VARIABLE, usd)):
        if limit is not None:
            os.environ[variable] = str(limit)
    found = evaluation("probe")
    one = judged(found, contract, version).contract
    with found.exclusive():
        for asked in live_judges(one, judge):
            for trial in each(found, one, asked):
                told = counted(trial.votes, "vote")
                how = "" if trial.asked else "; there already, nothing was asked"
                click.echo(f"{trial.file}: {told} of {trial.judge}{how}")
                if trial.lack:
                    note(trial.lack)


def _check_live(live: bool, *others: Any) -> None:
    if not live and any(other is not None for other in others):
        raise click.UsageError("say --live to ask a judge; without it nobody is asked")


def _night(said: str | None) -> str:
    """The date by which a night is called. Raises ValueError for none, or one to come."""
    from datetime import UTC, date, datetime

    today = datetime.now(UTC).date()
    try:
        night = today if said is None else date.fromisoformat(said)
    except ValueError:
        raise ValueError(f"--date {said!r:.40} is no date: write it as 2026-02-28") from None
    if night > today:
        raise ValueError(f"--date {night} has not come: a night is asked when it is there")
    return night.isoformat()


def _generations(found: "Evaluation", one: "Chosen") -> list[GenerationsRow]:
    columns = ["checkpoint", "item_id", "draw", "status", "text"]
    rows = rows_read(found, one.home, GenerationsRow, columns=columns)
    return [row for row in rows if row["draw"] == 0 and row["status"] == "ok" and row["text"]]


def _questions(found: "Evaluation", one: "Chosen") -> dict[str, str]:
    rows = rows_read(found, one.home, ItemsRow)
    return {row["item_id"]: row["question"] or "" for row in rows}


def _write(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    import json

    from eval_pipeline.warehouse.durable import write_text

    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
