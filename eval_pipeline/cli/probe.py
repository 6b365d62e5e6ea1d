"""`probe`: what a judge is tried on, and watched by."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from eval_pipeline.cli.label import VERSION, judged
from eval_pipeline.cli.printing import counted, note
from eval_pipeline.cli.project import evaluation


@click.group()
def command() -> None:
    """Write probes that try a judge, the questions that they make, and its sentinels."""


@command.command()
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
        from eval_pipeline.cli.project import unknown

        raise ValueError(unknown("checkpoint with replies", checkpoint, names))
    replies: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: (row["item_id"], row["checkpoint"])):
        turn = names[len(replies) % len(names)] if checkpoint is None else checkpoint
        if row["checkpoint"] == turn:
            replies.setdefault(row["item_id"], row["text"])
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


@command.command()
@click.argument("contract")
@click.argument("name", metavar="SET")
@VERSION
def ask(contract: str, name: str, version: int | None) -> None:
    """Print what a judge is to be asked, a JSON object a line: each probe in both orders.

    The votes go to probe_votes/JUDGE/SET.jsonl: probe, shown_first, and verdict (original,
    variant, tie, or null). The judge sees question, first and second, and nothing else.
    """
    import json

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


@command.command()
@click.argument("contract")
@VERSION
def sentinels(contract: str, version: int | None) -> None:
    """Print the pairs that a judge is asked again each night, a JSON object a line, both orders.

    The votes go to sentinels/JUDGE/BENCHMARK/2026-02-28.jsonl, as any recorded vote. They must be
    asked anew, past every cache.
    """
    import json

    from eval_pipeline.judging.drift import sentinel_pairs

    found = evaluation("probe")
    one = judged(found, contract, version)
    asked = one.contract.judging.sentinels if one.contract.judging else None
    if asked is None:
        raise ValueError(f"{one.title} asks for no sentinels: give judging.sentinels, a number")
    plan = _rows(found, one, "pair_plan")
    first = min((row["checkpoint"] for row in plan), key=_landed(found), default=None)
    planned = [
        (row["item_id"], row["model_a"], row["model_b"])
        for row in plan
        if row["checkpoint"] == first  # what lands later changes none of these pairs
    ]
    for item, a, b in sentinel_pairs(planned, asked, one.contract.statistics.seed):
        for shown_first in ("model_a", "model_b"):
            row = {"item_id": item, "model_a": a, "model_b": b, "shown_first": shown_first}
            click.echo(json.dumps(row, ensure_ascii=True))


def _landed(found: Any) -> Any:
    """Order of checkpoints: by date, then name."""
    facts = found.world.facts
    return lambda name: (str(facts[name].date) if name in facts else "", name)


def _generations(found: Any, one: Any) -> list[dict[str, Any]]:
    columns = ["checkpoint", "item_id", "draw", "status", "text"]
    rows = _rows(found, one, "generations", columns)
    return [row for row in rows if row["draw"] == 0 and row["status"] == "ok" and row["text"]]


def _questions(found: Any, one: Any) -> dict[str, str]:
    return {row["item_id"]: row["question"] or "" for row in _rows(found, one, "items")}


def _rows(
    found: Any, one: Any, table: str, columns: list[str] | None = None
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = found.warehouse.read(table, *one.home).table(columns).to_pylist()
    return rows


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    import json

    from eval_pipeline.warehouse.durable import write_text

    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
