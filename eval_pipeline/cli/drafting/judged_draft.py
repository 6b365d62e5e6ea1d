"""A draft contract from a published file of judgments: items, replies, people's labels."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

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
from eval_pipeline.cli.showing.printing import counted
from eval_pipeline.contracts.freezing import GUESSED
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.part import TruthRule
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.ingest.pairs import pair_of
from eval_pipeline.ingest.published_votes import A, B, PublishedRow
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.judging.pairs.swap import Orders
from eval_pipeline.layout import DataRoot, checked_name
from eval_pipeline.orchestration.planning.world import instruments_exist

Place = tuple[str, str, str]  # item, model_a < model_b
MOST_VALUES = 60  # of a slice
MOST_LACKING = 0.02  # share of pairs without their second order, or of rows without any

LEAST_RIGHT = 0.8
TRUTH_RULES = {
    "both": "a pair is right where each order is",
    "sum": "right in one order and a tie in the other is right",
}

OPTIONS = "--contract and --rename"


@dataclass
class JudgedDraft:
    """What the rows of a file hold besides their votes."""

    contract: str
    questions: dict[str, str] = field(default_factory=dict)  # item -> question
    replies: dict[tuple[str, str], str] = field(default_factory=dict)  # (model, item) -> reply
    labels: dict[Place, tuple[str, str, str]] = field(default_factory=dict)  # a, b, label
    shown: dict[Place, Counter[str | None]] = field(default_factory=dict)  # who was first -> votes
    by_probability: bool = False
    truth_rule: TruthRule = "both"
    about: dict[str, Mapping[str, str]] = field(default_factory=dict)  # item -> key -> value
    _items: dict[str, list[str]] = field(default_factory=dict)  # question -> its items

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
        pair = pair_of(*row.models)
        if item not in self.questions:
            self.questions[item] = row.question
            self._items.setdefault(row.question, []).append(item)
            self.about[item] = dict(row.about)
        else:  # what differs between the rows of an item tells of none
            kept = self.about[item].items() & row.about.items()
            self.about[item] = dict(sorted(kept))
        self.replies |= texts
        place = (item, pair.model_a, pair.model_b)
        if row.label is not None:
            self.labels.setdefault(place, (*row.models, row.label))
        named = dict(zip((A, B), row.models, strict=True))
        firsts = (named.get(vote.shown_first or "") for vote in row.votes)
        self.shown.setdefault(place, Counter()).update(firsts)
        chances = (one for vote in row.votes for one in (vote.prob_first, vote.prob_a))
        self.by_probability |= any(chance is not None for chance in chances)
        return replace(row, item_id=item)

    def _item_of(self, row: PublishedRow) -> str:
        """The item of a question that fits the row's replies, else a new one."""
        for item in self._items.get(row.question or "", ()):
            said = (
                self.replies.get((model, item), text)
                for model, text in zip(row.models, row.replies, strict=True)
            )
            if tuple(said) == row.replies:
                return item
        return f"{self.contract}-{len(self.questions) + 1:05d}"

    @property
    def slices(self) -> list[str]:
        """What every item tells of itself in a few values."""
        keys = sorted({key for known in self.about.values() for key in known})
        values = {key: [known.get(key) for known in self.about.values()] for key in keys}
        return [
            key
            for key, said in values.items()
            if None not in said and 2 <= len(set(said)) <= MOST_VALUES
        ]

    @property
    def models(self) -> list[str]:
        """The models, in the order in which the rows name them."""
        return list(dict.fromkeys(model for model, _ in self.replies))

    @property
    def reference(self) -> str:
        """The model of the most judged pairs; of several, the one that was named first."""
        pairs = Counter(model for _, *pair in self.shown for model in pair)
        return max(self.models, key=lambda model: pairs[model])

    @property
    def anchored(self) -> bool:
        """Whether every other model was judged against the reference on every item, and no more."""
        due = len(self.questions) * (len(self.models) - 1)
        return len(self.shown) == due and all(self.reference in pair for _, *pair in self.shown)

    @property
    def orders(self) -> Orders:
        """The orders that the votes on a pair have, over all rows."""
        if any(None in firsts for firsts in self.shown.values()):
            return "unrecorded"
        both = sum(len(firsts) == 2 for firsts in self.shown.values())
        return "both" if both >= (1 - MOST_LACKING) * len(self.shown) else "one"

    @property
    def repeated(self) -> bool:
        """Whether some pair has several votes in one order."""
        return any(n > 1 for firsts in self.shown.values() for n in firsts.values())


def gathered(
    contract: str,
    rows: Iterable[tuple[int, PublishedRow]],
    refused: Refused,
    truth_rule: TruthRule = "both",
) -> tuple[JudgedDraft, list[tuple[int, PublishedRow]]]:
    """The draft that the rows make, and the rows that it could take.

    Where few of the rows do not say which reply was shown first, they are refused, so that the
    others keep their audits; where many do not, the draft says of all that no order is recorded.
    """
    draft = JudgedDraft(contract, truth_rule=truth_rule)
    taken = []
    for number, row in _ordered(list(rows), refused):
        try:
            taken.append((number, draft.take(row)))
        except RowFault as fault:
            refused.add(number, fault)
    return draft, taken


def _ordered(
    rows: list[tuple[int, PublishedRow]], refused: Refused
) -> list[tuple[int, PublishedRow]]:
    """The rows, less those without an order where they are few."""
    lacking = {number for number, row in rows if any(v.shown_first is None for v in row.votes)}
    if len(lacking) > MOST_LACKING * len(rows):
        return rows
    why = RowFault("unknown_slot", "the order is not recorded, and that of the others is")
    for number in sorted(lacking):
        refused.add(number, why)
    return [(number, row) for number, row in rows if number not in lacking]


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
        slices = draft.slices
        questions = (
            {"item_id": i, "prompt": text, **{key: draft.about[i][key] for key in slices}}
            for i, text in draft.questions.items()
        )
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
            people = (
                {**dict(zip(keys, (item, *said), strict=True)), "rater": file}
                for (item, *_), said in draft.labels.items()
            )
            put(made.annotations(labels), lines(people))
        path = made.contract_file(contract, VERSION)
        put(path, _contract(draft, judge, file, labels if draft.labels else None))
        read_items(made, load_contract(made, path, (instruments_exist,)).contract)
        return moved(made, root, places)


def _contract(draft: JudgedDraft, judge: str, file: str, labels: str | None) -> str:
    name, reference = draft.contract, draft.reference
    slices = f"\n  slices: [{', '.join(draft.slices)}]  {GUESSED}" if draft.slices else ""
    silent = unknown(f"{file} does not say")
    by_chance = draft.by_probability and draft.orders != "both"
    score = "\n  score: probability" if by_chance else ""
    question = f"Is a checkpoint's reply preferred to that of {reference}, on the items of {file}?"
    named = "it has the most pairs" if len(draft.models) > 2 else "named first"
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
