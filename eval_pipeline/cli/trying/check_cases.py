"""`check --cases`: many replies, each with the score that is right where one is known."""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from eval_pipeline.cli.showing.printing import counted, note, print_table
from eval_pipeline.cli.trying.trial import (
    Trial,
    TrialOutcome,
    check_call,
    grader_of,
    item_of,
    newest,
    said_here,
    told,
    tried,
)
from eval_pipeline.reporting.escaping import for_json

TEXTS = ("verifier", "extraction", "answer", "reply", "test", "entry_point", "question")
FIELDS = (*TEXTS, "options", "choices")
_UNTRIED = {"extracted": None, "status": "error", "verdict": None, "detail": None}
UNDECIDED = "undecided"
HEADINGS = {
    "case": "Case",
    "expected": "Expected",
    "verdict": "Verdict",
    "status": "Status",
    "detail": "Detail",
    "extracted": "Extracted",
    "reason": "Reason",
}


@dataclass(frozen=True)
class Case:
    """A line of the file; `allowed` are the scores that are right, None where none is said."""

    name: str
    trial: Trial
    allowed: tuple[float | str, ...] | None


def run_cases(
    path: Path, given: Mapping[str, object], allow_unsafe_code: bool, as_json: bool
) -> bool:
    """Judges the cases of a file and prints those that are off; whether all are as expected.

    given: what holds for a case that does not say otherwise. Raises ClickException that names the
    line of what is no case.
    """
    cases = _cases(path, given)
    rows = _judged(cases, allow_unsafe_code)
    off = [row for row in rows if row["met"] is False]
    if as_json:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False, allow_nan=False)
            click.echo(for_json(line))
    else:
        shown = off if any(case.allowed is not None for case in cases) else rows
        if shown:
            print_table(shown, HEADINGS, wide="reason")
    met = Counter(row["met"] for row in rows)
    statuses = ", ".join(f"{n} {name}" for name, n in sorted(Counter(map(_status, rows)).items()))
    said = [f"{met[True]} as expected", f"{met[False]} off"]
    if met[None]:
        said.append(f"{met[None]} without an expectation")
    line = f"{counted(len(rows), 'case')}: {', '.join(said)} ({statuses})"
    click.echo(line, err=as_json)
    return not off


def _status(row: Mapping[str, object]) -> str:
    return str(row["status"])


def _cases(path: Path, given: Mapping[str, object]) -> list[Case]:
    name = "stdin" if str(path) == "-" else path.name
    cases: list[Case] = []
    unread: set[str] = set()
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{name} is no UTF-8: {error}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("a case is a JSON object")
            cases.append(_case(row, given, number))
        except RecursionError:
            raise click.ClickException(f"{name}:{number}: nested too deeply") from None
        except json.JSONDecodeError as fault:
            why = f"no JSON: {fault.msg} at character {fault.pos + 1}"
            raise click.ClickException(f"{name}:{number}: {why}") from None
        except (ValueError, click.UsageError) as fault:
            why = fault.message if isinstance(fault, click.UsageError) else str(fault)
            raise click.ClickException(f"{name}:{number}: {why}") from None
        unread |= row.keys() - {*FIELDS, "score", "id"}
    if not cases:
        raise click.ClickException(f"{name} holds no case")
    if unread:
        note(f"not read in {name}: {', '.join(sorted(unread))}")
    return cases


def _case(row: Mapping[str, object], given: Mapping[str, object], number: int) -> Case:
    asked = {**given, **{name: row[name] for name in FIELDS if row.get(name) is not None}}
    texts: dict[str, str] = {}
    for name in TEXTS:
        text = asked.get(name)
        if isinstance(text, str):
            texts[name] = text
        elif name in asked:
            raise ValueError(f"{name} must be text in quotes, got {text!r:.80}")
    for name in ("verifier", "extraction"):
        if name not in texts:
            raise ValueError(f"no {name}: name one in the line, or with --{name}")
    if "reply" not in texts:
        raise ValueError("no reply")
    choices = asked.get("choices", ())
    if not isinstance(choices, list | tuple) or not all(isinstance(one, str) for one in choices):
        raise ValueError(f"choices must be a list of texts, got {choices!r:.80}")
    options = asked.get("options", {})
    if not isinstance(options, dict):
        raise ValueError(f"options must be an object, got {options!r:.80}")
    trial = Trial(
        newest("verifier", texts["verifier"]),
        newest("extraction", texts["extraction"]),
        texts["reply"],
        options,
        texts.get("answer"),
        tuple(choices) or None,
        texts.get("test"),
        texts.get("entry_point"),
        texts.get("question", ""),
    )
    return Case(str(row.get("id", number)), trial, _allowed(row.get("score")))


def _allowed(score: Any) -> tuple[float | str, ...] | None:
    if score is None:
        return None
    allowed = score if isinstance(score, list) else [score]
    for one in allowed:
        is_score = isinstance(one, int | float) and not isinstance(one, bool) and 0 <= one <= 1
        if one != UNDECIDED and not is_score:
            raise ValueError(f'score must be from 0 to 1, or "undecided", got {one!r:.80}')
    return tuple(allowed)


def _judged(cases: Sequence[Case], allow_unsafe_code: bool) -> list[dict[str, object]]:
    """A row for each case; those of the same instruments are judged together."""
    groups: dict[str, list[int]] = {}
    for i, case in enumerate(cases):
        groups.setdefault(case.trial.instruments, []).append(i)
    rows: dict[int, dict[str, object]] = {}
    for places in groups.values():
        sound = []
        for i in places:
            if (fault := _fault(cases[i].trial, allow_unsafe_code)) is None:
                sound.append(i)
            else:
                rows[i] = _row(cases[i], {**_UNTRIED, "reason": fault})
        if sound:
            trials = [cases[i].trial for i in sound]
            outcomes = tried(grader_of(trials[0], allow_unsafe_code), trials)
            for i, outcome in zip(sound, outcomes, strict=True):
                rows[i] = _row(cases[i], _way(cases[i].trial, outcome))
    return [rows[i] for i in range(len(cases))]


def _fault(trial: Trial, allow_unsafe_code: bool) -> str | None:
    """What keeps a case from being judged at all."""
    try:
        check_call(trial)
        grader_of(trial, allow_unsafe_code).check([item_of(trial)])
    except click.UsageError as fault:
        return fault.message
    except ValueError as fault:
        return said_here(str(fault))
    return None


def _way(trial: Trial, outcome: TrialOutcome) -> dict[str, object]:
    return {name.replace(" ", "_"): value for name, value in told(trial, outcome).items()}


def _row(case: Case, way: Mapping[str, object]) -> dict[str, object]:
    verdict = way["verdict"] if way["status"] == "ok" else UNDECIDED
    is_error = way["status"] == "error"
    met = None if case.allowed is None else not is_error and verdict in case.allowed
    expected = None if case.allowed is None else " or ".join(map(str, case.allowed))
    return {"case": case.name, "expected": expected, "met": False if is_error else met, **way}
