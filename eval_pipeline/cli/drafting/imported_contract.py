"""The draft contract of an imported task, with every guess marked and the state of its reading."""

import json
from collections.abc import Sequence

from eval_pipeline.cli.drafting.draft_files import SEED, VERSION, quoted, unknown, word
from eval_pipeline.cli.drafting.imported_task import JudgedTask
from eval_pipeline.contracts.freezing import GUESSED
from eval_pipeline.ingest.imports.staging import StagedTask

MOST_DRAWN = 1  # k of the primary endpoint


def contract_text(
    task: StagedTask, judged: JudgedTask, form: str, files: str, reference: str
) -> str:
    """The contract of one task.

    form: whose files they are; files: their names; reference: the checkpoint that is named first.
    """
    name, blank = task.benchmark, unknown(f"{files} does not say")
    ks = "1" if task.draws == 1 else f"[1, {task.draws}]"
    question = f"How often is a reply right on the first try, on {task.task}?"
    return f"""\
# A draft made by `eval-pipeline import` from {word(files)} ({form}). `guessed` stands behind what
# is a guess; `unknown` is what the file does not tell. Look at each of them, mend what is wrong,
# take `guessed` away, and then `eval-pipeline freeze {name}`:
# a draft's numbers are marked and decide nothing.
contract: {word(name)}
version: {VERSION}
status: draft

question:
  text: {quoted(question)}  {GUESSED}
  primary_endpoint: {{metric: pass_at_k, k: {MOST_DRAWN}}}  {GUESSED}
targets: {{families: [], exclude: [], reference: {word(reference)}}}  {GUESSED}: the first model
task:
  benchmark: {name}@{VERSION}
  population: {quoted(f"the items of {task.task}")}  {GUESSED}: say what they stand for
prompt: {blank}
decoding: {blank}
budget: {{draws_per_item: {task.draws}}}  {GUESSED}: the most that an item has
unit: {{of_analysis: item, clustered_by: item_id}}  {GUESSED}: items are independent
aggregation: {{over_draws: unbiased, over_items: micro}}  {GUESSED}
failures:  {GUESSED}: a reply without an answer counts as wrong
  parser_failure: wrong
  undecided: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {unknown("nobody has said yet what a checkpoint must show")}

evaluator:
  kind: verifier
  reason: {quoted(_reason(judged))}  {GUESSED}
  uncovered: {quoted(_uncovered(judged))}  {GUESSED}
{_verification(judged, form)}metrics: [{{name: pass_at_k, k: {ks}}}]  {GUESSED}
statistics: {{replicates: 2000, seed: {SEED}, multiplicity: holm}}  {GUESSED}
"""


def _verification(judged: JudgedTask, form: str) -> str:
    choice, grader = judged.choice, f"the grader of {form}"
    if judged.ours and choice is not None:
        recorded = ""
        if judged.headline is not None:
            field = f"field: {quoted(judged.headline)}, grader: {quoted(grader)}"
            recorded = f"  recorded: {{{field}}}  {GUESSED}\n"
        return (
            "verification:\n"
            f"  verifier: {choice.kind.verifier}  {GUESSED}\n"
            f"  extraction: {choice.extraction}  {GUESSED}\n"
            f"  options: {json.dumps(choice.options)}  {GUESSED}\n"
            f"  reading: {quoted(choice.state)}  {GUESSED}: take it away when you have looked\n"
            f"{recorded}"
        )
    ours = ""
    if choice is not None:
        ours = (
            "  # Our own instruments, for a person to look at:\n"
            f"  # verifier: {choice.kind.verifier}\n"
            f"  # extraction: {choice.extraction}\n"
            f"  # options: {json.dumps(choice.options)}\n"
        )
    options = json.dumps({"field": judged.headline, "grader": grader})
    return (
        f"verification:\n  verifier: recorded@1  {GUESSED}\n"
        f"  extraction: whole_text@2\n  options: {options}  {GUESSED}\n{ours}"
    )


def _reason(judged: JudgedTask) -> str:
    """Why these instruments; which they are, and how they read, stands beside and is not said."""
    if judged.ours and judged.choice is not None:
        return judged.choice.kind.reason
    return judged.why


def _uncovered(judged: JudgedTask) -> str:
    if not judged.ours:
        return "how the recorded verdicts were made: they are taken as they stand"
    return "replies that are right in a way that the verifier does not read"


def alarms_told(judged: JudgedTask) -> Sequence[str]:
    """What a person should look at before the line is believed, a sentence each."""
    if judged.choice is None:
        return ()
    told = []
    for alarm in judged.choice.alarms:
        shown = "; ".join(f"{item}: {ours!r} or {other!r}" for item, ours, other in alarm.replies)
        told.append(f"{alarm} ({shown})")
    return [*told, *judged.choice.dropped]
