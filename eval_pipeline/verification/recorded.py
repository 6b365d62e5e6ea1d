"""`recorded@1`: the verdict that a publisher wrote beside each reply, taken out of the row.

A row of generations may hold verdicts in `published: {metric: value}`, or under a key of its own,
such as `passed: true`. Nothing is judged here: what the row says is read, and where it cannot be
read the sample is undecided.
"""

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval_pipeline.verification.verdict import Item, Verdict

PUBLISHED = "published"  # the key of a row that holds verdicts by metric
SHOWN = 80  # characters of a value that an explanation repeats

LONGEST = 400  # digits of a whole number that are read as one
_NUMERAL = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})")
_TRUTH = {"true": 1.0, "false": 0.0}
_ABSENT = object()


@dataclass(frozen=True)
class RecordedVerdicts:
    """The publisher's verdict of a row, as a score in [0, 1].

    Options: `field`, the metric in `published` or the key of the row, names joined by dots where
    it lies deeper; `grader`, who graded and with what, which must be declared; `metric`, the
    publisher's name for it, the field else; `values`, label -> score, such as {C: 1, I: 0};
    `may_decide`, whether a decision may rest on it.

    Without `values` true and false, numbers in [0, 1] and both as text are read. Labels are added
    to these; where `values` names a number or true or false, it alone says what each means.
    Everything else is undecided.
    """

    field: str = ""
    grader: str = ""
    metric: str | None = None
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
    may_decide: bool = False

    def __post_init__(self) -> None:
        for name, what in (("field", "the key that holds the verdict"), ("grader", "who graded")):
            given = getattr(self, name)
            if not isinstance(given, str) or not given.strip():
                raise ValueError(f"recorded@1 needs verification.options.{name}: {what}")
        if self.metric is not None and not (isinstance(self.metric, str) and self.metric.strip()):
            raise ValueError(f"metric must be the publisher's name of it, got {self.metric!r}")
        if not isinstance(self.may_decide, bool):
            raise ValueError(f"may_decide must be true or false, got {self.may_decide!r}")
        if not isinstance(self.values, Mapping):
            raise ValueError(f"values must map labels to scores, got {self.values!r}")
        for label, score in self.values.items():
            if not isinstance(label, str) or not _is_share(score):
                got = f"{label!r}: {score!r}"
                raise ValueError(f"values must map labels to scores in [0, 1], got {got}")

    @property
    def name(self) -> str:
        """What the publisher calls it."""
        return self.metric or self.field

    def check(self, item: Item) -> None:
        """Every item can be judged: its reference is not looked at."""

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        """Undecided: a reply alone holds no recorded verdict."""
        return [self.verdict_of(None, answer) for _, answer in answers]

    def verdict_of(self, extra: str | None, extracted: str | None) -> Verdict:
        """The verdict that the further keys of a row (JSON) hold."""
        found = recorded_values(extra, self.field)
        if not found:
            why = f"the row holds no {self.field}: {self.grader} gave no verdict on it"
            return Verdict.undecided("no_recorded_verdict", why, extracted)
        read = [self.score(value) for value in found]
        told = " and ".join(map(_shown, found))
        if None in read:
            why = f"{self.name} is {told}, which is no score: say in `values` what it means"
            return Verdict.undecided("unknown_verdict", why, extracted)
        if len(set(read)) > 1:
            why = f"the row says {self.name} twice, and not the same: {told}"
            return Verdict.undecided("recorded_twice", why, extracted)
        score = read[0]
        why = f"recorded by {self.grader}: {self.name} is {told}"
        return Verdict("ok", score, extracted, why, None if score else "wrong")

    def score(self, value: Any) -> float | None:
        """What a recorded value means, 0 to 1; None where nothing says it."""
        label = _label(value)
        if label in self.values:
            return float(self.values[label])
        if any(by_itself(known) is not None for known in self.values):
            return None
        return by_itself(value)

    def notes(self) -> Mapping[str, str | int | float]:
        return {"verdicts recorded by": self.grader, "recorded as": self.name}


def recorded_values(extra: str | None, place: str) -> list[Any]:
    """The values of a verdict in the further keys of a row: in `published`, and in the row itself.

    A key is first looked for as it is written, then as names joined by dots. Null is no verdict.
    """
    row = json.loads(extra, parse_int=_whole) if extra else {}
    found = [_at(within, place) for within in (row.get(PUBLISHED), row)]
    return [value for value in found if value is not _ABSENT and value is not None]


def by_itself(value: Any) -> float | None:
    """The score that a value is without any mapping: true, false, or a number in [0, 1]."""
    if isinstance(value, str):
        label = value.strip().casefold()
        if label in _TRUTH:
            return _TRUTH[label]
        value = float(label) if _NUMERAL.fullmatch(label) else None
    elif isinstance(value, bool):
        value = int(value)
    return float(value) if _is_share(value) else None


def _at(value: Any, place: str) -> Any:
    if isinstance(value, dict) and place in value:
        return value[place]
    for name in place.split("."):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit() and len(name) < 10:
            if int(name) >= len(value):
                return _ABSENT
            value = value[int(name)]
        else:
            return _ABSENT
    return value


def _label(value: Any) -> str:
    """A value as `values` names it: 1.0 is 1."""
    if isinstance(value, str):
        return value.strip()
    is_whole = isinstance(value, float) and value.is_integer()
    return json.dumps(int(value) if is_whole else value, ensure_ascii=False, sort_keys=True)


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else _label(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _whole(digits: str) -> int | str:
    """A whole number, or its digits where it is too long to be any score."""
    return int(digits) if len(digits) <= LONGEST else digits


def _is_share(score: Any) -> bool:
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    return is_number and 0 <= score <= 1
