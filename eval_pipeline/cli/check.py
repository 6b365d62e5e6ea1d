"""`check`: one verifier on one reply, or on the cases of a file."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import note, print_fields, print_json
from eval_pipeline.cli.trying.trial import (
    KNOWN,
    Trial,
    check_call,
    grader_of,
    item_of,
    newest,
    said_here,
    told,
    tried,
)
from eval_pipeline.reporting.escaping import for_terminal
from eval_pipeline.verification.registry import runs_code

CUT = 160  # characters of a reply, or of reasoning, that people are shown


class Instrument(click.ParamType[str]):
    """An instrument by name, with or without its version; what is wrong is told in one line."""

    name = "instrument"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        kind = param.name if param and param.name else "verifier"
        found = newest(kind, str(value))
        if found != value:
            note(f"{value} is taken as {found}, the newest")
        return found


@click.command(
    epilog=example(
        "check --verifier numeric --extraction last_number \\\n"
        '--answer 4 --reply "I think it is 4."'
    )
)
@click.option("--verifier", type=Instrument(), metavar="NAME[@VERSION]", help="Such as numeric@2.")
@click.option(
    "--extraction", type=Instrument(), metavar="NAME[@VERSION]", help="Such as last_number@2."
)
@click.option("--options", help="Options of both, as a JSON object.")
@click.option("--answer", help="The reference answer; code has tests instead.")
@click.option("--reply", help="The model's reply; - reads it from stdin.")
@click.option("--choice", "choices", multiple=True, help="An option of a choice item, in order.")
@click.option("--test", help="For code: the tests, as Python or as JSON cases.")
@click.option("--entry-point", help="For code: the function that the tests call.")
@click.option("--question", default="", help="For code: the prompt, whose imports count.")
@click.option(
    "--cases",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Many cases, one JSON object a line; - reads them from stdin.",
)
@click.option("--list", "as_list", is_flag=True, help="List the instruments and their options.")
@click.option(
    "--allow-unsafe-code", is_flag=True, help="Run code where no sandbox can be made, as you."
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    verifier: str | None,
    extraction: str | None,
    options: str | None,
    answer: str | None,
    reply: str | None,
    choices: tuple[str, ...],
    test: str | None,
    entry_point: str | None,
    question: str,
    cases: Path | None,
    as_list: bool,
    allow_unsafe_code: bool,
    as_json: bool,
) -> None:
    """Try one verifier on one reply: what is cut, found and read, the verdict, and the reason.

    A name without a version is the newest. With --cases each line may name verifier, extraction,
    options, answer, reply, choices, test, entry_point and question; what it leaves out is taken
    from the call. A line may give the score that is right, from 0 to 1, or "undecided": exits 1
    where one is off. Needs no data folder. Code runs in the sandbox that `run` would use, and is
    refused where there is none.
    """
    if as_list:
        from eval_pipeline.cli.trying.instrument_list import show_list

        show_list(verifier, extraction, as_json)
        return
    given: dict[str, object] = {
        "verifier": verifier,
        "extraction": extraction,
        "options": None if options is None else options_of(options),
        "answer": answer,
        "reply": reply,
        "choices": choices or None,
        "test": test,
        "entry_point": entry_point,
        "question": question or None,
    }
    stated = {name: value for name, value in given.items() if value is not None}
    if cases is not None:
        from eval_pipeline.cli.trying.check_cases import run_cases

        if not run_cases(cases, stated, allow_unsafe_code, as_json):
            sys.exit(1)
        return
    if verifier is None or extraction is None:
        kind = "verifier" if verifier is None else "extraction"
        known = ", ".join(KNOWN[kind])
        raise click.UsageError(f"Missing option '--{kind}'. Choose from {known}")
    if reply is None:
        raise click.UsageError("Missing option '--reply': the text, or - to read it from stdin")
    trial = Trial(
        verifier,
        extraction,
        sys.stdin.read() if reply == "-" else reply,
        {} if options is None else options_of(options),
        answer,
        choices or None,
        test,
        entry_point,
        question or "",
    )
    _show(trial, allow_unsafe_code, as_json)


def _show(trial: Trial, allow_unsafe_code: bool, as_json: bool) -> None:
    check_call(trial)
    try:
        grader = grader_of(trial, allow_unsafe_code)
        grader.check([item_of(trial)])
    except ValueError as fault:
        raise click.ClickException(said_here(str(fault))) from None
    (outcome,) = tried(grader, [trial])
    way = told(trial, outcome)
    is_code = runs_code(trial.verifier)
    if is_code:
        way |= {name.replace("_", " "): value for name, value in grader.notes().items()}
    if as_json:
        print_json({name.replace(" ", "_"): value for name, value in way.items()})
        return
    program = way.pop("extracted") if is_code else None
    print_fields(_for_people(way, is_code))
    if program is not None:
        click.echo("extracted program:")
        click.echo("\n".join(f"  {line}" for line in for_terminal(str(program), "\n").split("\n")))


def _for_people(way: dict[str, object], is_code: bool) -> dict[str, object]:
    """The way with long texts shortened, and nothing that does not apply."""
    shown = dict(way)
    shown["reply"] = _shortened(str(way["reply"]))
    if isinstance(reasoning := way["reasoning"], str):
        end = "" if way["reasoning closed"] else ", which never ends, so that no answer came"
        shown["reasoning"] = f"cut{end}: {_shortened(reasoning)}"
    if way["tokens cut"]:
        shown["tokens cut"] = f"{way['tokens cut']} characters of special tokens"
    for name in ("reasoning closed", "place", *(("around",) if is_code else ())):
        shown.pop(name)
    return {name: value for name, value in shown.items() if value is not None}


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    half = CUT // 2
    return line if len(line) <= CUT else f"{line[:half]} ... {line[-half:]}"


def options_of(text: str) -> dict[str, object]:
    """Options as JSON; raises UsageError for anything but an object."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"--options is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise click.UsageError('--options must be a JSON object, such as {"thousands": ","}')
    return found
