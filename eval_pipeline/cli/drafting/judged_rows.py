"""What the rows of a file of judgments hold besides their votes, gathered for a draft."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from eval_pipeline.cli.drafting.vote_files import Refused
from eval_pipeline.contracts.part import TruthRule
from eval_pipeline.ingest.pairs import pair_of
from eval_pipeline.ingest.published_votes import A, B, PublishedRow
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.judging.pairs.swap import Orders

Place = tuple[str, str, str]  # item, model_a < model_b
MOST_VALUES = 60  # of a slice
MOST_LACKING = 0.02  # share of pairs without their second order, or of rows without any


@dataclass
class JudgedDraft:
    """What the rows of a file hold besides their votes."""

    contract: str
    questions: dict[str, str] = field(default_factory=dict)  # item -> question
    replies: dict[tuple[str, str], str] = field(default_factory=dict)  # (model, item) -> reply
    places: dict[tuple[str, str], str] = field(default_factory=dict)  # of each reply
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
        for key in texts:
            self.places.setdefault(key, row.place)
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
