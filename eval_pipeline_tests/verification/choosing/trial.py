"""What the chosen instruments make of a made set, against what its writers meant."""

from dataclasses import dataclass, replace

from eval_pipeline.verification.choosing.choice import Choice, choose
from eval_pipeline.verification.choosing.reference_type import reference_type
from eval_pipeline.verification.registry import instruments
from eval_pipeline.verification.verdict import Found, Item, Verifier, find_all
from eval_pipeline_tests.verification.choosing.made import TERSE, WORDY, MadeSet

RIGHT_PLACE = 0.98  # of the replies that mean an answer, read as it is meant


@dataclass(frozen=True)
class Trial:
    """One set on trial. read: share of meant answers that are read as meant. off: model -> how
    far its score is from the truth, in points."""

    made: MadeSet
    choice: Choice
    read: float
    off: dict[str, float]

    @property
    def is_right(self) -> bool:
        return self.read >= RIGHT_PLACE

    @property
    def is_sure(self) -> bool:
        return self.choice.state in ("read", "read, in part")

    @property
    def bias(self) -> float:
        return abs(self.off[TERSE] - self.off[WORDY])

    def __str__(self) -> str:
        steps = ", ".join(place.name for place in self.choice.steps)
        return f"{self.made}: {self.choice.state}, {self.read:.0%} read at {steps}, off {self.off}"


def tried(made: MadeSet) -> Trial:
    """Chooses by references and replies alone, and holds what is read against what was meant."""
    kind = reference_type(made.asked)
    choice = choose(kind, [one.reply for one in made.planted])
    extraction, verifier = instruments(choice.verifier, choice.extraction, choice.options)
    pairs = [(one.reply.item, one.reply.text) for one in made.planted]
    found = find_all(extraction, pairs, 1)
    meant = [Found(one.meant) for one in made.planted]
    own = [replace(one.reply.item, answer=one.meant) for one in made.planted]
    as_meant = _scores(verifier, own, _where(found, meant))
    n_meant = sum(one.answer is not None for one in meant)
    items = [item for item, _ in pairs]
    ours, truth = _scores(verifier, items, found), _scores(verifier, items, meant)
    off = {}
    for model in (TERSE, WORDY):
        those = [i for i, one in enumerate(made.planted) if one.reply.model == model]
        off[model] = 100 * sum(ours[i] - truth[i] for i in those) / len(those)
    return Trial(made, choice, sum(as_meant) / n_meant, off)


def _where(found: list[Found], meant: list[Found]) -> list[Found]:
    return [
        one if other.answer is not None else Found(None)
        for one, other in zip(found, meant, strict=True)
    ]


def _scores(verifier: Verifier, items: list[Item], found: list[Found]) -> list[float]:
    """A score for each; 0 where nothing is found."""
    answered = [
        (item, one.answer) for item, one in zip(items, found, strict=True) if one.answer is not None
    ]
    verdicts = iter(verifier.verify_all(answered, 1))
    return [0.0 if one.answer is None else next(verdicts).score or 0.0 for one in found]
