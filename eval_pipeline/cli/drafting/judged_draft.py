"""A draft contract from a published file of judgments: items, replies, people's labels."""

from collections.abc import Collection, Mapping

from eval_pipeline.cli.drafting.draft_files import (
    SEED,
    VERSION,
    beside,
    datasheet,
    lines,
    manifest,
    moved,
    put,
    quoted,
    refuse_to_overwrite,
    unknown,
    word,
)
from eval_pipeline.cli.drafting.judged_rows import JudgedDraft
from eval_pipeline.cli.showing.printing import counted
from eval_pipeline.contracts.freezing import GUESSED
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.model import Contract
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.ingest.imports.staging import FROM
from eval_pipeline.layout import DataRoot, checked_name
from eval_pipeline.orchestration.planning.world import instruments_exist

LEAST_RIGHT = 0.8
TRUTH_RULES = {
    "both": "a pair is right where each order is",
    "sum": "right in one order and a tie in the other is right",
}

OPTIONS = "--contract and --rename"


def write_judged_draft(root: DataRoot, draft: JudgedDraft, judge: str, file: str) -> list[str]:
    """Writes items, checkpoints, labels and a draft contract below the root; the paths written.

    Raises ValueError that names what is in the way, before anything is written.
    """
    contract = draft.contract
    labels = f"{contract}_labels"
    for model in draft.models:
        checked_name(model, "checkpoint")
    places = [
        f"benchmarks/{contract}",
        *(f"checkpoints/{model}" for model in draft.models),
        *([f"annotations/{labels}.jsonl"] if draft.labels else []),
        f"contracts/{contract}",
    ]
    refuse_to_overwrite(root, places, OPTIONS)
    with beside(root) as made:
        put_judged_draft(made, draft, judge, file, "votes draft")
        for model in draft.models:
            write_success(made.checkpoint(model))
        return moved(made, root, places)


def put_judged_draft(
    made: DataRoot,
    draft: JudgedDraft,
    judge: str,
    file: str,
    verb: str,
    known: Collection[str] = (),
    published: Mapping[str, str] | None = None,
) -> Contract:
    """Writes items, checkpoints, labels and the contract into an empty data root; the contract.

    verb: what a person called. known: checkpoints whose manifest is kept elsewhere already.
    published: checkpoint -> the name that the file gives it, which its manifest keeps.
    """
    contract = draft.contract
    items, slices = made.items(f"{contract}@{VERSION}"), draft.slices
    questions = (
        {"item_id": i, "prompt": text, **{key: draft.about[i][key] for key in slices}}
        for i, text in draft.questions.items()
    )
    put(items, lines(questions))
    put(items.with_name("datasheet.yaml"), datasheet(contract, len(draft.questions), file, verb))
    for model in draft.models:
        folder = made.checkpoint(model)
        if model not in known:
            as_published = (published or {}).get(model)
            put(folder / "checkpoint.yaml", manifest(file, verb, as_published))
        said = (
            {"item_id": item, "draw": 0, "text": text, **_from(draft.places[model, item])}
            for item in draft.questions
            if (text := draft.replies.get((model, item))) is not None
        )
        put(folder / f"{contract}.jsonl", lines(said))
    labels = f"{contract}_labels" if draft.labels else None
    if labels is not None:
        keys = ("item_id", "model_a", "model_b", "label")
        people = (
            {**dict(zip(keys, (item, *said), strict=True)), "rater": file}
            for (item, *_), said in draft.labels.items()
        )
        put(made.annotations(labels), lines(people))
    path = made.contract_file(contract, VERSION)
    put(path, _contract(draft, judge, file, labels, verb))
    found = load_contract(made, path, (instruments_exist,)).contract
    read_items(made, found)
    return found


def _from(place: str) -> dict[str, str]:
    return {FROM: place} if place else {}


def _contract(draft: JudgedDraft, judge: str, file: str, labels: str | None, verb: str) -> str:
    name, reference = draft.contract, draft.reference
    slices = f"\n  slices: [{', '.join(draft.slices)}]  {GUESSED}" if draft.slices else ""
    silent = unknown(f"{file} does not say")
    by_chance = draft.by_probability and draft.orders != "both"
    score = "\n  score: probability" if by_chance else ""
    question = f"Is a checkpoint's reply preferred to that of {reference}, on the items of {file}?"
    named = "it has the most pairs" if len(draft.models) > 2 else "named first"
    return f"""\
# A draft made by `eval-pipeline {verb}` from {word(file)}. `guessed` stands behind what is
# a guess; `unknown` is what the file does not tell. Look at each of them, mend what is wrong, take
# `guessed` away, and then `eval-pipeline freeze {name}`:
# a draft's numbers are marked and decide nothing.
contract: {word(name)}
version: {VERSION}
status: draft

question:
  text: {quoted(question)}  {GUESSED}
  primary_endpoint: {{metric: win_rate}}  {GUESSED}
targets: {{families: [], exclude: [], reference: {word(reference)}}}  {GUESSED}: {named}
task:
  benchmark: {name}@{VERSION}
  population: {quoted(f"the items of {file}")}  {GUESSED}: say what they stand for{slices}
prompt: {silent}
decoding: {silent}
budget: {{draws_per_item: 1}}
unit: {{of_analysis: item, clustered_by: item_id}}  {GUESSED}: items are independent
aggregation: {{over_draws: unbiased, over_items: micro}}  {GUESSED}
failures:  {GUESSED}
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {unknown("nobody has said yet what a checkpoint must show")}

evaluator:
  kind: judge
  reason: {quoted(f"{file} holds judgments of pairs")}  {GUESSED}
  uncovered: whether the judge agrees with the people who matter here  {GUESSED}
metrics: [{{name: win_rate}}, {{name: length_controlled_win_rate}}]  {GUESSED}
statistics: {{replicates: 2000, seed: {SEED}, multiplicity: holm}}  {GUESSED}

pairing: {_pairing(draft)}
judging:
  judges:
    - {{name: {word(judge)}, family: {word(judge)}}}  {GUESSED}: name the family of its model
  orders: {draft.orders}{_order_note(draft)}{score}
  bars: {_bars(draft)}  {GUESSED}{_truth(draft, labels)}
{_fits(draft)}"""


def _pairing(draft: JudgedDraft) -> str:
    if draft.anchored:
        named = word(draft.reference)
        return f"{{anchors: [{named}]}}  {GUESSED}: every other model is judged against it"
    n_pairs = len({tuple(pair) for _, *pair in draft.shown})
    return f"{{recorded: true}}  # as the file holds them: {counted(n_pairs, 'pair')} of models"


def _order_note(draft: JudgedDraft) -> str:
    """Where the votes do not all have the orders that the line says."""
    if draft.orders == "unrecorded":
        return "  # the file does not say which reply was shown first: no audit of position"
    both = sum(len(firsts) == 2 for firsts in draft.shown.values())
    if both in (0, len(draft.shown)):
        return ""
    return f"  # {both:,} of {len(draft.shown):,} judged pairs have both"


def _bars(draft: JudgedDraft) -> str:
    """Bars that the file's own votes and labels can decide, and no others."""
    bars = []
    if draft.orders != "unrecorded":
        bars.append("position_effect: 0.05")
    if draft.labels:
        bars += [f"label_accuracy: {LEAST_RIGHT}", "verbosity_per_100_tokens: 0.03"]
    if draft.repeated and draft.orders == "both":
        bars.append("flip_excess: 0.15")
    return f"{{{', '.join(bars)}}}"


def _truth(draft: JudgedDraft, labels: str | None) -> str:
    """The labels of the file, as what is true of its pairs."""
    if labels is None:
        return ""
    rule = draft.truth_rule
    what = f"the labels of the file are the truth; {TRUTH_RULES[rule]}"
    named = f"\n  truth_rule: {rule}" if rule != "both" else ""
    return f"\n  annotations: [{word(labels)}]\n  truth: label  {GUESSED}: {what}{named}"


def _fits(draft: JudgedDraft) -> str:
    """Rates at equal length, and the strengths of all where pairs are not of one model."""
    text = f"length_control: {{baseline: {word(draft.reference)}}}  {GUESSED}\n"
    if draft.anchored:
        return text
    weigh = "weigh: votes" if draft.repeated else ""
    return f"{text}ranking: {{{weigh}}}  {GUESSED}: strengths from all pairs\n"
