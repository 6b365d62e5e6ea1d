"""`check`: one verifier on one reply."""

import json
import sys
from typing import Any

import click

from eval_pipeline.cli.printing import print_fields, print_json


@click.command()
@click.option("--verifier", required=True, help="Name and version, such as numeric@1.")
@click.option("--extraction", required=True, help="Name and version, such as last_number@1.")
@click.option("--options", default="{}", help="Options of both, as a JSON object.")
@click.option("--answer", required=True, help="The reference answer.")
@click.option("--reply", required=True, help="The model's reply; - reads it from stdin.")
@click.option("--choice", "choices", multiple=True, help="An option of a choice item, in order.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    verifier: str,
    extraction: str,
    options: str,
    answer: str,
    reply: str,
    choices: tuple[str, ...],
    as_json: bool,
) -> None:
    """Try one verifier on one reply: what was extracted, the verdict, and the reason.

    Needs no data folder. Model code is not run here.
    """
    from eval_pipeline.verification.registry import runs_code
    from eval_pipeline.verification.scoring import Grader, find_all
    from eval_pipeline.verification.verdict import Item

    if runs_code(verifier):
        raise click.UsageError(f"{verifier} runs model code, which only `eval-pipeline run` does")
    grader = Grader.of(verifier, extraction, _options(options))
    item = Item("given", answer=answer, options=choices or None)
    grader.check([item])
    text = sys.stdin.read() if reply == "-" else reply
    (found,) = find_all(grader.extraction, [(item, text)], 1)
    (verdict,) = grader.verdicts([(item, text)])
    told = {
        "instruments": grader.name,
        "extracted": found.answer,
        "read as": verdict.extracted,
        "status": verdict.status,
        "verdict": verdict.score,
        "detail": verdict.detail,
        "reason": verdict.explanation,
        "engine": verdict.engine,
    }
    if as_json:
        print_json({name.replace(" ", "_"): value for name, value in told.items()})
        return
    print_fields({name: value for name, value in told.items() if value is not None})


def _options(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"--options is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise click.UsageError('--options must be a JSON object, such as {"thousands": ","}')
    return found
