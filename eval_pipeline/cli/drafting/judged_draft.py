"""A draft contract from a published file of judgments: items, replies, people's labels."""

from collections.abc import Iterable
from dataclasses import dataclass, field

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
from eval_pipeline.cli.drafting.vote_files import Refused
from eval_pipeline.contracts.freezing import GUESSED
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.ingest.published_votes import PublishedRow
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.layout import DataRoot, checked_name
from eval_pipeline.orchestration.planning.world import instruments_exist

OPTIONS = "--contract and --rename"


@dataclass
class JudgedDraft:
    """What the rows of a file hold besides their votes."""

    contract: str
    questions: dict[str, str] = field(default_factory=dict)  # item -> question
    replies: dict[tuple[str, str], str] = field(default_factory=dict)  # (model, item) -> reply
    labels: list[tuple[str, str, str, str]] = field(default_factory=list)  # item, a, b, label
    orders: set[str] = field(default_factory=set)
    repeated: bool = False
    by_probability: bool = False

    def take(self, row: PublishedRow) -> PublishedRow:
        """Adds the row's item and replies; the row by its item's name.

        Raises RowFault where it lacks a question or a reply, or says another one than before.
        """
        if row.question is None or None in row.replies:
            raise RowFault("missing_key", "the row holds no question, or not both replies")
        item = row.item_id or self._item_of(row)
        if self.questions.get(item, row.question) != row.question:
            raise RowFault("contradictory", f"item {item!r:.60} has another question before")
        texts = {
            (model, item): text
            for model, text in zip(row.models, row.replies, strict=True)
            if text is not None
        }
        if any(self.replies.get(key, text) != text for key, text in texts.items()):
            raise RowFault("contradictory", f"item {item!r:.60} has another reply before")
        self.questions[item] = row.question
        self.replies |= texts
        if row.label is not None and (item, *row.models) not in {one[:3] for one in self.labels}:
            self.labels.append((item, *row.models, row.label))
        firsts = [vote.shown_first for vote in row.votes]
        if firsts:
            self.orders.add("both" if len(set(firsts)) == 2 else "one")
        self.repeated |= len(firsts) > len(set(firsts))
        self.by_probability |= any(vote.prob_first is not None for vote in row.votes)
        return PublishedRow(item, row.question, row.models, row.replies, row.votes, row.label)

    def _item_of(self, row: PublishedRow) -> str:
        """The item of a question that fits the row's replies, else a new one."""
        for item, question in self.questions.items():
            said = (
                self.replies.get((model, item), text)
                for model, text in zip(row.models, row.replies, strict=True)
            )
            if question == row.question and tuple(said) == row.replies:
                return item
        return f"{self.contract}-{len(self.questions) + 1:05d}"

    @property
    def models(self) -> list[str]:
        """The models, in the order in which the rows name them."""
        return list(dict.fromkeys(model for model, _ in self.replies))


def gathered(
    contract: str, rows: Iterable[tuple[int, PublishedRow]], refused: Refused
) -> tuple[JudgedDraft, list[tuple[int, PublishedRow]]]:
    """The draft that the rows make, and the rows that it could take."""
    draft = JudgedDraft(contract)
    taken = []
    for number, row in rows:
        try:
            taken.append((number, draft.take(row)))
        except RowFault as fault:
            refused.add(number, fault)
    return draft, taken


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
        items = made.items(f"{contract}@{VERSION}")
        questions = ({"item_id": i, "prompt": text} for i, text in draft.questions.items())
        put(items, lines(questions))
        sheet = datasheet(contract, len(draft.questions), file, "votes draft")
        put(items.with_name("datasheet.yaml"), sheet)
        for model in draft.models:
            folder = made.checkpoint(model)
            put(folder / "checkpoint.yaml", manifest(file, "votes draft"))
            said = (
                {"item_id": item, "draw": 0, "text": draft.replies[model, item]}
                for item in draft.questions
                if (model, item) in draft.replies
            )
            put(folder / f"{contract}.jsonl", lines(said))
            write_success(folder)
        if draft.labels:
            keys = ("item_id", "model_a", "model_b", "label")
            people = ({**dict(zip(keys, one, strict=True)), "rater": file} for one in draft.labels)
            put(made.annotations(labels), lines(people))
        path = made.contract_file(contract, VERSION)
        put(path, _contract(draft, judge, file, labels if draft.labels else None))
        read_items(made, load_contract(made, path, (instruments_exist,)).contract)
        return moved(made, root, places)


def _contract(draft: JudgedDraft, judge: str, file: str, labels: str | None) -> str:
    name, reference = draft.contract, draft.models[0]
    silent = unknown(f"{file} does not say")
    both = draft.orders != {"one"}
    bars = "{position_effect: 0.05, verbosity_per_100_tokens: 0.03, self_preference: 0.05"
    bars += ", human_ratio: 0.9" + (", flip_excess: 0.15}" if draft.repeated else "}")
    score = "\n  score: probability" if draft.by_probability and not both else ""
    said = f"\n  annotations: [{word(labels)}]" if labels else ""
    question = f"Is a checkpoint's reply preferred to that of {reference}, on the items of {file}?"
    return f"""\
# A draft made by `eval-pipeline votes draft` from {word(file)}. `guessed` stands behind what is
# a guess; `unknown` is what the file does not tell. Look at each of them, mend what is wrong, take
# `guessed` away, and then `eval-pipeline freeze {name}`:
# a draft's numbers are marked and decide nothing.
contract: {word(name)}
version: {VERSION}
status: draft

question:
  text: {quoted(question)}  {GUESSED}
  primary_endpoint: {{metric: win_rate}}  {GUESSED}
targets: {{families: [], exclude: [], reference: {word(reference)}}}  {GUESSED}: named first
task:
  benchmark: {name}@{VERSION}
  population: {quoted(f"the items of {file}")}  {GUESSED}: say what they stand for
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

pairing: {{anchors: [{word(reference)}]}}  {GUESSED}: every other model is judged against it
judging:
  judges:
    - {{name: {word(judge)}, family: {word(judge)}}}  {GUESSED}: name the family of its model
  orders: {"both" if both else "one"}{score}
  bars: {bars}  {GUESSED}{said}
length_control: {{baseline: {word(reference)}}}  {GUESSED}
"""
