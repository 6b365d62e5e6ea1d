"""Two JSON values held against each other field by field.

Fields are leaves: `person.name`, `items.0.price`. An empty list or object is a leaf of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eval_pipeline.metrics.text_policies import POLICIES

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class FieldCounts:
    """How many fields were said, are wanted, and are both with the same value."""

    said: int
    wanted: int
    right: int

    @property
    def precision(self) -> float:
        """Right of said; NaN where nothing was said."""
        return self.right / self.said if self.said else float("nan")

    @property
    def recall(self) -> float:
        """Right of wanted; NaN where nothing is wanted."""
        return self.right / self.wanted if self.wanted else float("nan")

    @property
    def f1(self) -> float:
        """2 right / (said + wanted); 1 where both are empty."""
        total = self.said + self.wanted
        return 2 * self.right / total if total else 1.0


def field_counts(said: Any, wanted: Any, policy: str = "identity") -> FieldCounts:
    """Compares two JSON values leaf by leaf.

    Numbers are compared exactly (1 and 1.0 are equal, 1 and true are not), texts under the policy.
    """
    ours, theirs = dict(_leaves(said)), dict(_leaves(wanted))
    right = sum(name in ours and _same(ours[name], theirs[name], policy) for name in theirs)
    return FieldCounts(len(ours), len(theirs), right)


def counts_by_field(
    pairs: Sequence[tuple[Any, Any]], policy: str = "identity"
) -> dict[str, FieldCounts]:
    """Counts of each field over documents (said, wanted), by name, places in lists left out.

    Their mean F1 is the macro-F1 over fields. Sorted by name.
    """
    sums: dict[str, list[int]] = {}
    for said, wanted in pairs:
        for name, found in document_counts(said, wanted, policy).items():
            count = sums.setdefault(name, [0, 0, 0])
            for i, n in enumerate((found.said, found.wanted, found.right)):
                count[i] += n
    return {name: FieldCounts(*sums[name]) for name in sorted(sums)}


def document_counts(said: Any, wanted: Any, policy: str = "identity") -> dict[str, FieldCounts]:
    """Counts of each field of one document, by name, places in lists left out."""
    ours, theirs = dict(_leaves(said)), dict(_leaves(wanted))
    sums: dict[str, list[int]] = {}
    for path in ours.keys() | theirs.keys():
        name = ".".join(step for step in path if isinstance(step, str))
        count = sums.setdefault(name, [0, 0, 0])
        count[0] += path in ours
        count[1] += path in theirs
        both = path in ours and path in theirs
        count[2] += both and _same(ours[path], theirs[path], policy)
    return {name: FieldCounts(*sums[name]) for name in sorted(sums)}


def _leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, Mapping) and one:
            waiting += [((*path, name), inner) for name, inner in one.items()]
        elif isinstance(one, list) and one:
            waiting += [((*path, i), inner) for i, inner in enumerate(one)]
        elif path:
            yield path, one


def _same(said: Any, wanted: Any, policy: str) -> bool:
    if isinstance(said, str) and isinstance(wanted, str):
        return POLICIES[policy](said) == POLICIES[policy](wanted)
    if isinstance(said, bool) or isinstance(wanted, bool):
        return said is wanted
    if isinstance(said, int | float) and isinstance(wanted, int | float):
        return Fraction(said) == Fraction(wanted)
    return type(said) is type(wanted) and bool(said == wanted)
