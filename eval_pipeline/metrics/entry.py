"""The form of a metric's entry: meaning, columns, options, unit, range, direction, source."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

Source = Literal["verifier", "status", "judge", "scores", "columns"]
Kind = Literal[
    "score",
    "share",
    "number",
    "flag",
    "flags",
    "text",
    "texts",
    "numbers",
    "matrix",
    "features",
    "json",
    "status",
]
OptionValue = bool | int | float | str

KINDS: dict[Kind, str] = {
    "score": "a score from 0 to 1",
    "share": "a number from 0 to 1",
    "number": "a finite number",
    "flag": "true or false",
    "flags": "a list of true and false",
    "text": "text",
    "texts": "text or a list of texts",
    "numbers": "a list of finite numbers",
    "matrix": "a list of lists of finite numbers, all of one length",
    "features": "a list of finite numbers, or {file, row} of a file of features beside it",
    "json": "any JSON value",
    "status": "the status of the sample",
}


_PLAIN = re.compile(r"[A-Za-z0-9._:/+-]+")  # what can stand in a label


@dataclass(frozen=True)
class MetricColumn:
    """One column that a metric reads, written `table.key`.

    The key is a column of the table, or a further key of the raw row as it stands in the file of
    items or generations. `needed` is False where the metric can do without it; `instead` is a key
    of the same table that is read where a row lacks the first.
    """

    name: str
    kind: Kind
    needed: bool = True
    instead: str = ""

    @property
    def table(self) -> str:
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        return self.name.partition(".")[2]


@dataclass(frozen=True)
class Option:
    """One choice that a contract may make about a metric.

    choices: the texts that are allowed; least and most: ends of a number's range. A default that
    is whole (and not a truth value) asks for whole numbers. required: a contract must make the
    choice; the default is then an example of it.
    """

    name: str
    default: OptionValue
    meaning: str
    choices: tuple[str, ...] = ()
    least: float = -math.inf
    most: float = math.inf
    required: bool = False

    def fault(self, value: object) -> tuple[str, str] | None:
        """What is wrong with a value, and the mend; None where it is fine."""
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                return f"must be true or false, not {value!r}", "write true or false"
            return None
        if isinstance(self.default, str):
            if not isinstance(value, str) or not _PLAIN.fullmatch(value):
                return f"must be a word of letters, digits and ._:/+-, not {value!r}", self.meaning
            if self.choices and value not in self.choices:
                near = get_close_matches(value, self.choices, n=1)
                mend = f"did you mean {near[0]}?" if near else f"choose {' or '.join(self.choices)}"
                return f"is {value!r}, which is no choice here", mend
            return None
        whole = isinstance(self.default, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            return f"must be a {'whole ' * whole}number, not {value!r}", self.meaning
        if not self.least <= value <= self.most:
            return f"is {value!r}, outside {self.least:g} to {self.most:g}", self.meaning
        return None


@dataclass(frozen=True)
class Metric:
    """One metric: what it means, from what it is made, and which way is better.

    `made_from` says what it rests on: the verifier's scores, the statuses of the samples, a judge's
    votes on pairs, judges' scores of single replies, or columns of its own. The last two have a
    measure on the family's shelf. Values lie in [least, most].
    higher_is_better: None where neither direction is better. per_item: it has a value for each
    item, so that two checkpoints can be compared item by item. diagnostic: shown, never decided
    by. note: what stands beside every value of it. scale: the two options that name the ends of
    the range, where a contract may choose it.
    """

    name: str
    version: int
    meaning: str
    made_from: Source
    columns: tuple[MetricColumn, ...]
    higher_is_better: bool | None
    family: str
    needs_k: bool = False
    counts: str = ""  # the sample status that a failure rate counts
    unit: str = "share"
    least: float = 0.0
    most: float = 1.0
    source: str = ""
    options: tuple[Option, ...] = ()
    per_item: bool = True
    diagnostic: bool = False
    note: str = ""
    scale: tuple[str, str] | None = None

    def on_scale(self, chosen: Mapping[str, OptionValue]) -> "Metric":
        """The entry with the range that the options choose; itself where there is no choice.

        Raises ValueError where the range would be empty.
        """
        if self.scale is None:
            return self
        low, high = (float(chosen[name]) for name in self.scale)
        if not low < high:
            raise ValueError(
                f"{self.name}: {self.scale[1]} is {high:g}, not above {self.scale[0]} of {low:g}"
            )
        return replace(self, least=low, most=high, unit=f"points, {low:g} to {high:g}")

    @property
    def instrument(self) -> str:
        """`name@version`, as lineage and tables carry it."""
        return f"{self.name}@{self.version}"

    def reads(self, table: str) -> bool:
        """Whether it cannot do without a column of the table."""
        return any(column.table == table and column.needed for column in self.columns)

    @property
    def is_measured(self) -> bool:
        """Whether the `measure` of its family makes its values."""
        return self.made_from in ("columns", "scores")

    @property
    def direction(self) -> str:
        """Which way is better, in a word."""
        if self.higher_is_better is None:
            return "neither"
        return "higher" if self.higher_is_better else "lower"

    def option(self, name: str) -> Option:
        """Its option of that name; raises ValueError that names the nearest."""
        for option in self.options:
            if option.name == name:
                return option
        known = [option.name for option in self.options]
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        if not known:
            mend = f"{self.name} takes no options"
        elif near:
            mend = f"did you mean {', '.join(near)}?"
        else:
            mend = f"known are {', '.join(known)}"
        raise ValueError(f"{self.name} has no option {name!r}: {mend}")
