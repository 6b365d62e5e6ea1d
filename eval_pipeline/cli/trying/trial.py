"""One reply before one verifier, as a run reads and judges it, with all that happens on the way."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import unknown
from eval_pipeline.reply_text import Spoken, spoken, without_turn_tokens
from eval_pipeline.verification.registry import EXTRACTIONS, VERIFIERS, runs_code

if TYPE_CHECKING:
    from eval_pipeline.verification.scoring import Grader
    from eval_pipeline.verification.verdict import Found, Item, Verdict

KNOWN = {"verifier": VERIFIERS, "extraction": EXTRACTIONS}
AROUND = 40  # characters shown on each side of the answer
LONGEST = 200  # of the answer itself
SHOWN = 2_000  # characters of a reply that are told
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

# how the mends of a contract and its items are done here
_HERE = {
    "item 'given': its answer": "--answer",
    "item 'given' has no options: add them to items.jsonl, or declare verification.options.labels":
        "no options: give each with --choice, or their letters in --options, such as "
        '{"labels": "ABCD"}',
    "item 'given': nothing is left of its answer": "nothing is left of --answer",
    "item 'given'": "the item",
    "mend items.jsonl, or": "mend it, or",
    "; mend items.jsonl": "",
    "in verification.options.policy": 'in --options, such as {"policy": "squad"}',
    "needs verification.options.pattern": 'needs --options, such as {"pattern": "gsm8k"}',
    "verification.options.steps": '"steps" in --options',
    "verification.options": "--options",
}  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """What is to be judged, and by which instruments; names have their versions."""

    verifier: str
    extraction: str
    reply: str
    options: Mapping[str, object] = field(default_factory=dict)
    answer: str | None = None
    choices: tuple[str, ...] | None = None
    test: str | None = None
    entry_point: str | None = None
    question: str = ""

    @property
    def instruments(self) -> str:
        """Equal for trials that one grader may judge together."""
        return json.dumps([self.verifier, self.extraction, self.options], sort_keys=True)


@dataclass(frozen=True)
class TrialOutcome:
    """What became of a trial; `reference` is how the verifier reads the reference, if it does."""

    name: str
    said: Spoken
    found: "Found"
    verdict: "Verdict"
    reference: str | None = None


def newest(kind: str, name: str) -> str:
    """An instrument with its version, the newest where none is named.

    Raises UsageError that names the nearest.
    """
    known = KNOWN[kind]
    versions = [one for one in known if one.split("@")[0] == name]
    if versions:
        return max(versions, key=lambda one: int(one.split("@")[1]))
    if name not in known:
        raise click.UsageError(unknown(kind, name, known))
    return name


def check_call(trial: Trial) -> None:
    """Raises UsageError where something is missing, or says nothing to the verifier."""
    is_code, verifier = runs_code(trial.verifier), trial.verifier
    if not is_code:
        if trial.answer is None and not verifier.startswith("recorded@"):
            raise click.UsageError(f"{verifier} compares with a reference: give it with --answer")
        if trial.test is not None or trial.entry_point is not None or trial.question:
            raise click.UsageError(
                f"--test, --entry-point and --question are for code, not {verifier}"
            )
        return
    if trial.test is None:
        raise click.UsageError(f"{verifier} runs tests: give them with --test")
    if trial.answer is not None:
        raise click.UsageError(f"{verifier} runs tests, so --answer says nothing: leave it out")
    if _kind(trial.test) != "program" and not (trial.entry_point or "").isidentifier():
        raise click.UsageError("--entry-point must name the function that the tests call")


def said_here(fault: str) -> str:
    """A fault of a contract or its items, in the words of the command line."""
    for words, ours in _HERE.items():
        fault = fault.replace(words, ours)
    return fault


def grader_of(trial: Trial, allow_unsafe_code: bool) -> "Grader":
    """The instruments of a trial; raises ValueError as a contract that names them."""
    from eval_pipeline.verification.scoring import Grader

    return Grader.of(trial.verifier, trial.extraction, trial.options, allow_unsafe_code)


def item_of(trial: Trial) -> "Item":
    from eval_pipeline.verification.verdict import Item

    choices = trial.choices or None
    return Item("given", trial.question, trial.answer, choices, trial.entry_point, trial.test)


def tried(grader: "Grader", trials: Sequence[Trial]) -> list[TrialOutcome]:
    """What becomes of each reply; its reasoning is cut as at ingest.

    Raises ClickException where code cannot be run here.
    """
    from eval_pipeline.verification.code.worker import SandboxError
    from eval_pipeline.verification.verdict import find_all

    said = [spoken(_LONE_SURROGATE.sub("\ufffd", trial.reply)) for trial in trials]
    replies = [(item_of(trial), one.text) for trial, one in zip(trials, said, strict=True)]
    found = find_all(grader.extraction, replies, 1)
    try:
        verdicts = grader.verdicts(replies)
    except SandboxError as error:
        raise click.ClickException(f"no sandbox here: {error}") from None
    references = _references(grader, [item for item, _ in replies])
    return [
        TrialOutcome(grader.name, *parts)
        for parts in zip(said, found, verdicts, references, strict=True)
    ]


def told(trial: Trial, outcome: TrialOutcome) -> dict[str, object]:
    """The way from the reply to the verdict, in its order."""
    said, found, verdict = outcome.said, outcome.found, outcome.verdict
    text = without_turn_tokens(said.text)
    place = _place(text, found)
    way: dict[str, object] = {
        "instruments": outcome.name,
        "reply": trial.reply[:SHOWN],
        "reasoning": None if said.reasoning is None else said.reasoning[:SHOWN],
        "reasoning closed": None if said.reasoning is None else said.is_closed,
        "tokens cut": len(said.text) - len(text) or None,
        "step": found.step,
        "place": place and list(place),
        "around": place and around(text, place),
        "extracted": found.answer,
        "read as": verdict.extracted,
        "reference": trial.answer,
        "reference read as": outcome.reference,
        "status": verdict.status,
        "verdict": verdict.score,
        "detail": verdict.detail,
        "reason": verdict.explanation,
        "engine": verdict.engine,
    }
    if runs_code(trial.verifier):
        for name in ("read as", "reference", "reference read as"):
            del way[name]
    return way


def around(text: str, place: tuple[int, int]) -> str:
    """The answer between >> and <<, and what stands beside it."""
    start, end = place
    before = text[max(0, start - AROUND) : start]
    after = text[end : end + AROUND]
    head = "..." if start > AROUND else ""
    tail = "..." if end + AROUND < len(text) else ""
    answer = text[start:end]
    if len(answer) > LONGEST:
        answer = f"{answer[: LONGEST // 2]} ... {answer[-LONGEST // 2 :]}"
    return f"{head}{before}>>{answer}<<{after}{tail}"


def _place(text: str, found: "Found") -> tuple[int, int] | None:
    """Where the answer stands; its last place where the extraction does not say."""
    if found.answer is None:
        return None
    if found.place is not None:
        return found.place
    at = text.rfind(found.answer)
    return (at, at + len(found.answer)) if at >= 0 else None


def _references(grader: "Grader", items: "Sequence[Item]") -> list[str | None]:
    """How the verifier reads each reference, where it takes it for an answer that is right."""
    asked = [(item, item.answer) for item in items if item.answer is not None]
    read = iter(grader.verifier.verify_all(asked, 1) if asked else ())
    verdicts = [next(read) if item.answer is not None else None for item in items]
    return [one.extracted if one and one.score == 1 else None for one in verdicts]


def _kind(test: str) -> str:
    from eval_pipeline.verification.code import cases

    try:
        return cases.read(test).kind
    except ValueError as fault:
        raise click.UsageError(f"--test: {fault}") from None
