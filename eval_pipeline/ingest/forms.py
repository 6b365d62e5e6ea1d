"""What a key's value must look like. No type is inferred and nothing is converted.

"1" is no number, 1 is no string, 1.0 is no integer, true is neither. A key whose value is null
is a key left out. Each form judges a single value (`fault`), and quickly a whole column of them
(`clean`): true means that no value of the column has a fault, false that some may have one.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from eval_pipeline.ingest.objects import Object
from eval_pipeline.ingest.rejects import RowFault

INT32 = 2**31 - 1
INT64 = 2**63 - 1
EXACT = 2**53  # up to here a float64 holds every integer, so that taking one over rounds nothing


class Form(ABC):
    """The form of one key's value; `required`: the key may not be left out."""

    required: bool

    def fault(self, key: str, value: Any) -> RowFault | None:
        """What is wrong with the value, or None."""
        if value is None:
            return RowFault("missing_key", f"{key} is absent or null") if self.required else None
        return self._fault(key, value)

    def clean(self, values: list[Any]) -> bool:
        """Whether a quick look at all values shows that none has a fault."""
        kinds = set(map(type, values))
        if kinds <= {type(None)}:
            return not self.required
        return self._clean(values, kinds)

    @abstractmethod
    def _fault(self, key: str, value: Any) -> RowFault | None: ...

    @abstractmethod
    def _clean(self, values: list[Any], kinds: set[type]) -> bool: ...


@dataclass(frozen=True)
class Text(Form):
    """A string; with `whole`, one without lone surrogates."""

    required: bool = False
    whole: bool = True

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        return kinds == {str} and (not self.whole or all(map(str.isascii, values)))

    def _fault(self, key: str, value: Any) -> RowFault | None:
        if type(value) is not str:
            return _wrong_type(key, "a string", value)
        if self.whole and not _storable(value):
            return RowFault("lone_surrogate", f"{key} holds half of a character: {value!r:.80}")
        return None


@dataclass(frozen=True)
class Word(Form):
    """One of some words."""

    words: Collection[str]
    reason: str
    required: bool = False

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        return kinds == {str} and set(values) <= set(self.words)

    def _fault(self, key: str, value: Any) -> RowFault | None:
        if type(value) is not str:
            return _wrong_type(key, "a string", value)
        if value in self.words:
            return None
        allowed = ", ".join(self.words)
        return RowFault(self.reason, f"{key} {value!r:.80} is not one of {allowed}")


@dataclass(frozen=True)
class Whole(Form):
    """An integer, least <= value <= most."""

    least: int
    most: int
    required: bool = False

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        return kinds == {int} and min(values) >= self.least and max(values) <= self.most

    def _fault(self, key: str, value: Any) -> RowFault | None:
        if type(value) is not int:
            return _wrong_type(key, "an integer", value)
        return _outside(key, value, self.least, self.most)


@dataclass(frozen=True)
class Bounded(Form):
    """A number, least <= value <= most."""

    least: float
    most: float
    required: bool = False

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        return kinds <= {float, int} and min(values) >= self.least and max(values) <= self.most

    def _fault(self, key: str, value: Any) -> RowFault | None:
        if type(value) is not float and type(value) is not int:
            return _wrong_type(key, "a number", value)
        return _outside(key, value, self.least, self.most)


@dataclass(frozen=True)
class Numbers(Form):
    """A list of numbers, each null or least <= value <= most."""

    least: float
    most: float
    required: bool = False

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        number = Bounded(self.least, self.most)
        return kinds == {list} and all(not inner or number.clean(inner) for inner in values)

    def _fault(self, key: str, value: Any) -> RowFault | None:
        if type(value) is not list:
            return _wrong_type(key, "a list of numbers", value)
        number = Bounded(self.least, self.most)
        return next(filter(None, (number.fault(key, inner) for inner in value)), None)


@dataclass(frozen=True)
class Flag(Form):
    """True or false."""

    required: bool = False

    def _clean(self, values: list[Any], kinds: set[type]) -> bool:
        return kinds == {bool}

    def _fault(self, key: str, value: Any) -> RowFault | None:
        return None if type(value) is bool else _wrong_type(key, "true or false", value)


def faults_of(columns: dict[str, list[Any]], forms: dict[str, Form]) -> dict[int, RowFault]:
    """The first fault of each faulty row, by the row's place in the columns."""
    faults: dict[int, RowFault] = {}
    for key, form in forms.items():
        if not form.clean(columns[key]):
            for i, value in enumerate(columns[key]):
                if i not in faults and (fault := form.fault(key, value)):
                    faults[i] = fault
    return faults


def taken(row: Object, forms: dict[str, Form]) -> dict[str, Any]:
    """The values of a row, None where a key is left out; unknown keys are passed over.

    Raises RowFault with the first fault.
    """
    for key, form in forms.items():
        if fault := form.fault(key, row.get(key)):
            raise fault
    return {key: row.get(key) for key in forms}


def _storable(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _outside(key: str, value: float, least: float, most: float) -> RowFault | None:
    if least <= value <= most:
        return None
    bounds = "..".join(
        f"{bound:g}" if type(bound) is float else str(bound) for bound in (least, most)
    )
    return RowFault("out_of_range", f"{key}={value!r:.80} lies outside {bounds}")


def _wrong_type(key: str, expected: str, value: Any) -> RowFault:
    return RowFault("wrong_type", f"{key} must be {expected}, got {value!r:.80}")
