"""The chain of places, by what is read and marked, and a word on how far it may be trusted.

`read`: at most 2 % of any model's replies are unread, and nothing speaks against the chain.
`read, in part`: more is unread. `unsure`: another reading is as good, and gives other answers.
`cannot tell`: most replies are unread. A state stands until a person confirms the line.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from eval_pipeline.verification.choosing.places import AnswerPlace, places_of
from eval_pipeline.verification.choosing.reading import Readings, Reply, readings
from eval_pipeline.verification.choosing.reference_type import ReferenceType
from eval_pipeline.verification.registry import Options

State = Literal["read", "read, in part", "unsure", "cannot tell"]

MOST_REPLIES = 20_000
FEW = 0.02  # of a model's replies: unread, or read otherwise
MANY = 0.30
ASKED_BY = 0.90  # of the questions
USED_BY = 0.20  # of the replies, of a place that is asked for
LEAST_GAIN = 0.002  # of the replies, that a step must read beyond the earlier ones
ECHO = 0.50  # of the replies with one and the same answer, where references differ
BORNE_OUT = 0.90  # of the marked replies, in which a position says what is marked
FEWEST_MARKED = 20  # replies that have both, below which nothing is told by them
SHOWN = 3  # replies of an alarm
UNCOVERED = {
    "choice": "why the option was chosen",
    "number": "how the number was found",
    "closed": "why the label was chosen",
    "maths": "how the result was found",
    "text": "replies that say the same in other words, or more than the answer",
}


@dataclass(frozen=True)
class Alarm:
    """Another place that reads otherwise: the model, the share, and replies that show it."""

    place: str
    model: str
    share: float
    replies: tuple[tuple[str, str, str], ...]  # item, the chain's answer, the other one
    doubts: bool  # whether it makes the choice unsure, or is a remark

    def __str__(self) -> str:
        return f"{self.place} would read {self.share:.1%} of {self.model}'s replies otherwise"


@dataclass(frozen=True)
class Choice:
    """The instruments, the state, and what a person should look at.

    unread: by model. strict: how many of the first steps make the strict number, 0 for none.
    dropped: places that echo, with the reason.
    """

    kind: ReferenceType
    steps: tuple[AnswerPlace, ...]
    state: State
    unread: Mapping[str, float]
    alarms: tuple[Alarm, ...] = ()
    strict: int = 0
    dropped: tuple[str, ...] = ()
    tried: Mapping[str, float] = field(default_factory=dict)

    @property
    def extraction(self) -> str:
        """The one extraction, or a chain of them."""
        return self.steps[0].extraction if len(self.steps) == 1 else "chain@1"

    @property
    def options(self) -> Options:
        """The options of verifier and extraction together."""
        if len(self.steps) == 1:
            return {**self.kind.options, **self.steps[0].options}
        chain: Options = {"steps": [place.step for place in self.steps]}
        return {**self.kind.options, **chain, **({"strict": self.strict} if self.strict else {})}

    @property
    def verifier(self) -> str:
        """The verifier of the references' type."""
        return self.kind.verifier

    @property
    def uncovered(self) -> str:
        """What these instruments do not look at, in words for a contract."""
        return UNCOVERED[self.kind.kind]

    @property
    def reason(self) -> str:
        """Why these, in a sentence."""
        places = ", then ".join(place.name.replace("_", " ") for place in self.steps)
        worst = max(self.unread.values(), default=0.0)
        return f"{self.kind.reason}; replies are read at: {places}; {worst:.1%} at most are unread"


def choose(kind: ReferenceType, replies: Sequence[Reply], workers: int = 1) -> Choice:
    """The chain for these replies; the same for all models, in any order of rows.

    Raises ValueError where there is no reply.
    """
    if not replies:
        raise ValueError("there is no reply to choose instruments by")
    looked_at = _sample(replies)
    questions = {reply.item.item_id: reply.item.question for reply in looked_at}
    every = [readings(place, kind, looked_at, workers) for place in places_of(kind)]
    useful, echoes = _without_echoes(kind, every)
    asked = [one for one in useful if _is_asked(one, list(questions.values()), len(looked_at))]
    ordered = _ordered(useful, asked, len(looked_at))
    steps, strays = _steps(ordered, len(looked_at))
    steps = steps or [every[-1]]
    chain = _chained(steps)
    unread = _unread(looked_at, chain)
    alarms = tuple(_alarms(looked_at, steps, useful, chain, asked))
    whole = _decided(looked_at, steps, "short_whole") if kind.kind == "text" else 0.0
    return Choice(
        kind,
        tuple(one.place for one in steps),
        _state(whole, unread, alarms),
        unread,
        alarms,
        sum(one in asked for one in steps) if len(steps) > 1 else 0,
        (*echoes, *strays),
        {one.place.name: one.n_read / len(looked_at) for one in every if not one.place.witness},
    )


def unlooked(kind: ReferenceType) -> Choice:
    """The last of the places that answers of the type may stand at, with no reply to go by."""
    return Choice(kind, places_of(kind)[-1:], "cannot tell", {})


def _sample(replies: Sequence[Reply]) -> list[Reply]:
    """All replies, or equally many a model, those with the lowest digests."""
    if len(replies) <= MOST_REPLIES:
        return sorted(replies, key=_digest)
    by_model: dict[str, list[Reply]] = defaultdict(list)
    for reply in replies:
        by_model[reply.model].append(reply)
    each = max(1, MOST_REPLIES // len(by_model))
    return [
        one for model in sorted(by_model) for one in sorted(by_model[model], key=_digest)[:each]
    ]


def _digest(reply: Reply) -> bytes:
    said = "\0".join((reply.model, reply.item.item_id, reply.text))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()


def _without_echoes(
    kind: ReferenceType, every: Sequence[Readings]
) -> tuple[list[Readings], tuple[str, ...]]:
    """Places without those that say the same in most replies, while the references differ."""
    if kind.kind in ("closed", "choice"):
        return list(every), ()  # with few answers one of them may well be most
    counts: dict[str, int] = defaultdict(int)
    for answer in kind.answers.values():
        counts[answer] += 1
    if max(counts.values(), default=0) > ECHO * len(kind.answers):
        return list(every), ()
    kept, dropped = [], []
    for one in every:
        said: dict[str, int] = defaultdict(int)
        for value in one.values:
            if value is not None:
                said[value] += 1
        most = max(said, key=lambda value: (said[value], value), default="")
        if one.n_read > 1 and said[most] > ECHO * len(one.values):
            dropped.append(f"{one.place.name}: most replies say {most[:40]!r} there")
        else:
            kept.append(one)
    return kept, tuple(dropped)


def _steps(ordered: Sequence[Readings], n_replies: int) -> tuple[list[Readings], tuple[str, ...]]:
    """The steps, without the positions that seldom hold what the same replies mark."""
    marked = _chained([one for one in ordered if one.place.explicit])
    left, dropped = list(ordered), list[str]()
    while True:
        steps = _gaining(left, n_replies)
        for one in steps:
            agreed, both = _agreement(one.values, marked, range(len(one.values)))
            if not one.place.explicit and both >= FEWEST_MARKED and agreed < BORNE_OUT * both:
                break
        else:
            return steps, tuple(dropped)
        left.remove(one)
        share = f"{agreed / both:.0%} of {both} replies"
        dropped.append(f"{one.place.name}: in {share} it is what is marked as the answer there")


def _agreement(
    one: Sequence[str | None], other: Sequence[str | None], places: Iterable[int]
) -> tuple[int, int]:
    """In how many replies both read the same, and in how many both read something."""
    both = [(one[i], other[i]) for i in places if None not in (one[i], other[i])]
    return sum(a == b for a, b in both), len(both)


def _is_asked(one: Readings, questions: Sequence[str], n_replies: int) -> bool:
    """Whether nearly all questions ask for the place, and replies use it."""
    asks = one.place.asks
    if asks is None or not one.place.explicit:
        return False
    n_asking = sum(asks.search(question) is not None for question in questions)
    return n_asking >= ASKED_BY * len(questions) and one.n_read >= USED_BY * n_replies


def _ordered(
    useful: Sequence[Readings], asked: Sequence[Readings], n_replies: int
) -> list[Readings]:
    """What is asked for, then what is marked by how much it reads, then mere positions."""
    marked = [one for one in useful if one.place.explicit and one not in asked]
    marked.sort(key=lambda one: -round(10 * one.n_read / n_replies))
    positions = (one for one in useful if not one.place.explicit and not one.place.witness)
    return [*asked, *marked, *positions]


def _gaining(ordered: Sequence[Readings], n_replies: int) -> list[Readings]:
    """The steps that decide replies which no earlier one has found anything in.

    A marked place that is broken decides too: what stands elsewhere in such a reply is no answer.
    """
    steps: list[Readings] = []
    is_open = [True] * n_replies
    for one in ordered:
        if not one.n_read or one.n_read < LEAST_GAIN * n_replies:
            continue
        decided = one.found if one.place.explicit else [value is not None for value in one.values]
        gain = sum(still and here for still, here in zip(is_open, decided, strict=True))
        if gain and gain >= LEAST_GAIN * n_replies:
            steps.append(one)
            is_open = [still and not there for still, there in zip(is_open, one.found, strict=True)]
    return steps


def _chained(steps: Sequence[Readings]) -> list[str | None]:
    """What the chain reads in each reply: the first step that finds something decides."""
    values: list[str | None] = []
    for i in range(len(steps[0].values) if steps else 0):
        first = next((one for one in steps if one.found[i]), None)
        values.append(None if first is None else first.values[i])
    return values


def _unread(replies: Sequence[Reply], chain: Sequence[str | None]) -> dict[str, float]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for reply, value in zip(replies, chain, strict=True):
        counts[reply.model][0] += value is None
        counts[reply.model][1] += 1
    return {model: unread / n for model, (unread, n) in sorted(counts.items())}


def _alarms(
    replies: Sequence[Reply],
    steps: Sequence[Readings],
    useful: Sequence[Readings],
    chain: Sequence[str | None],
    asked: Sequence[Readings],
) -> list[Alarm]:
    """Where another place gives another answer in more than a few replies of a model."""
    deciding = [_deciding(steps, i) for i in range(len(replies))]
    rows: dict[str, list[int]] = defaultdict(list)
    for i, reply in enumerate(replies):
        rows[reply.model].append(i)
    marked = _chained([one for one in useful if one.place.explicit])
    borne_out = {
        (model, one.place.name): _is_borne_out(one, marked, places)
        for model, places in rows.items()
        for one in steps
    }
    found = []
    for other in useful:
        for model, places in sorted(rows.items()):
            differs, doubted = [], 0
            for i in places:
                step, value = deciding[i], other.values[i]
                if step is None or None in (value, chain[i]) or value == chain[i]:
                    continue
                if _says_nothing(other, step, borne_out[model, step.place.name]):
                    continue
                differs.append(i)
                # a mark that is asked for, or one against a mere position, stands by itself
                doubted += step not in asked and step.place.explicit <= other.place.explicit
            share = len(differs) / len(places)
            if share > FEW:
                shown = tuple(
                    _shown(replies[i], chain[i], other.values[i]) for i in differs[:SHOWN]
                )
                doubts = doubted / len(places) > FEW
                found.append(Alarm(other.place.name, model, share, shown, doubts))
    return found


def _says_nothing(other: Readings, step: Readings, borne_out: bool) -> bool:
    """Whether a place is no word against a step: a whole reply holds the mark that is in it."""
    if other.place.witness:
        return step.place.explicit or borne_out
    return step.place.explicit and other.place.extraction.startswith("whole_text@")


def _is_borne_out(position: Readings, marked: Sequence[str | None], places: Sequence[int]) -> bool:
    """Whether the position holds what a model marks as its answer, where it marks one."""
    agreed, both = _agreement(position.values, marked, places)
    return both >= FEWEST_MARKED and agreed >= BORNE_OUT * both


def _deciding(steps: Sequence[Readings], i: int) -> Readings | None:
    return next((one for one in steps if one.found[i]), None)


def _shown(reply: Reply, ours: str | None, other: str | None) -> tuple[str, str, str]:
    return reply.item.item_id, ours or "", other or ""


def _decided(replies: Sequence[Reply], steps: Sequence[Readings], name: str) -> float:
    """The share of replies that a step decides, of the model with the most of them."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for i, reply in enumerate(replies):
        step = _deciding(steps, i)
        counts[reply.model].append(step is not None and step.place.name == name)
    return max(sum(those) / len(those) for those in counts.values())


def _state(whole: float, unread: Mapping[str, float], alarms: Sequence[Alarm]) -> State:
    """The word for it; whole: the share of replies that are taken for an answer as they are."""
    worst = max(unread.values(), default=0.0)
    if worst > MANY:
        return "cannot tell"
    # a whole reply is read as text whatever it says: that it could be read proves nothing
    if whole > FEW or any(alarm.doubts for alarm in alarms):
        return "unsure"
    return "read" if worst <= FEW else "read, in part"
