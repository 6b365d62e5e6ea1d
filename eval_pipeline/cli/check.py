"""`check`: one verifier on one reply."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.printing import print_fields, print_json
from eval_pipeline.cli.project import unknown
from eval_pipeline.reporting.escaping import for_terminal
from eval_pipeline.verification.registry import EXTRACTIONS, VERIFIERS, runs_code

if TYPE_CHECKING:
    from eval_pipeline.verification.scoring import Grader
    from eval_pipeline.verification.verdict import Item, Verdict


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
    "verification.options": "--options",
}  # fmt: skip


class Instrument(click.Choice[str]):
    """An instrument by name and version; one that is unknown or missing is told in one line too."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value in self.choices:
            return str(value)
        kind = param.name if param and param.name else "instrument"
        raise click.UsageError(unknown(kind, str(value), self.choices))

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return f"Choose from {', '.join(self.choices)}"


@click.command()
@click.option(
    "--verifier",
    required=True,
    type=Instrument(list(VERIFIERS)),
    metavar="NAME@VERSION",
    help="Name and version, such as numeric@2.",
)
@click.option(
    "--extraction",
    required=True,
    type=Instrument(list(EXTRACTIONS)),
    metavar="NAME@VERSION",
    help="Name and version, such as last_number@2.",
)
@click.option("--options", default="{}", help="Options of both, as a JSON object.")
@click.option("--answer", help="The reference answer; code has tests instead.")
@click.option("--reply", required=True, help="The model's reply; - reads it from stdin.")
@click.option("--choice", "choices", multiple=True, help="An option of a choice item, in order.")
@click.option("--test", help="For code: the tests, as Python or as JSON cases.")
@click.option("--entry-point", help="For code: the function that the tests call.")
@click.option("--question", default="", help="For code: the prompt, whose imports count.")
@click.option(
    "--allow-unsafe-code", is_flag=True, help="Run code where no sandbox can be made, as you."
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    verifier: str,
    extraction: str,
    options: str,
    answer: str | None,
    reply: str,
    choices: tuple[str, ...],
    test: str | None,
    entry_point: str | None,
    question: str,
    allow_unsafe_code: bool,
    as_json: bool,
) -> None:
    """Try one verifier on one reply: what was extracted, the verdict, and the reason.

    Needs no data folder. Code runs in the sandbox that `run` would use, and is refused where there
    is none.
    """
    from eval_pipeline.verification.scoring import Grader, find_all
    from eval_pipeline.verification.verdict import Item

    is_code = runs_code(verifier)
    _check_call(is_code, verifier, answer, test, entry_point, question)
    item = Item("given", question, answer, choices or None, entry_point, test)
    try:
        grader = Grader.of(verifier, extraction, _options(options), allow_unsafe_code)
        grader.check([item])
    except ValueError as fault:
        raise click.ClickException(_said_here(str(fault))) from None
    text = sys.stdin.read() if reply == "-" else reply
    (found,) = find_all(grader.extraction, [(item, text)], 1)
    (verdict,) = _verdicts(grader, item, text)
    told: dict[str, Any] = {
        "instruments": grader.name,
        "extracted": found.answer,
        "read as": verdict.extracted,
        "status": verdict.status,
        "verdict": verdict.score,
        "detail": verdict.detail,
        "reason": verdict.explanation,
        "engine": verdict.engine,
    }
    if is_code:
        del told["read as"]
        told |= {name.replace("_", " "): value for name, value in grader.notes().items()}
    if as_json:
        print_json({name.replace(" ", "_"): value for name, value in told.items()})
        return
    program = told.pop("extracted") if is_code else None
    print_fields({name: value for name, value in told.items() if value is not None})
    if program is not None:
        click.echo("extracted program:")
        click.echo("\n".join(f"  {line}" for line in for_terminal(program, "\n").split("\n")))


def _check_call(
    is_code: bool,
    verifier: str,
    answer: str | None,
    test: str | None,
    entry_point: str | None,
    question: str,
) -> None:
    if is_code and test is None:
        raise click.UsageError(f"{verifier} runs tests: give them with --test")
    if is_code and answer is not None:
        raise click.UsageError(f"{verifier} runs tests, so --answer says nothing: leave it out")
    if is_code and _kind(test or "") != "program" and not (entry_point or "").isidentifier():
        raise click.UsageError("--entry-point must name the function that the tests call")
    if not is_code and answer is None:
        raise click.UsageError(f"{verifier} compares with a reference: give it with --answer")
    if not is_code and (test is not None or entry_point is not None or question):
        raise click.UsageError(f"--test, --entry-point and --question are for code, not {verifier}")


def _said_here(fault: str) -> str:
    for words, ours in _HERE.items():
        fault = fault.replace(words, ours)
    return fault


def _kind(test: str) -> str:
    from eval_pipeline.verification.code import cases

    try:
        return cases.read(test).kind
    except ValueError as fault:
        raise click.UsageError(f"--test: {fault}") from None


def _verdicts(grader: "Grader", item: "Item", text: str) -> "list[Verdict]":
    from eval_pipeline.verification.code.worker import SandboxError

    try:
        return grader.verdicts([(item, text)])
    except SandboxError as error:
        raise click.ClickException(f"no sandbox here: {error}") from None


def _options(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"--options is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise click.UsageError('--options must be a JSON object, such as {"thousands": ","}')
    return found
