"""`json_fields@1`: how many fields of a JSON object are right, by precision and recall.

Fields are leaves: `person.name`, `items.0.price`. An empty list or object is a leaf of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eval_pipeline.verification.exact import POLICIES
from eval_pipeline.verification.json_field import NotJsonError, read_json
from eval_pipeline.verification.verdict import Item, Verdict

SCORES = ("f1", "precision", "recall", "all")


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
        ours, theirs = dict(_leaves(said)), dict(_leaves(wanted))
        for path in ours.keys() | theirs.keys():
            name = ".".join(step for step in path if isinstance(step, str))
            count = sums.setdefault(name, [0, 0, 0])
            count[0] += path in ours
            count[1] += path in theirs
            both = path in ours and path in theirs
            count[2] += both and _same(ours[path], theirs[path], policy)
    return {name: FieldCounts(*sums[name]) for name in sorted(sums)}


@dataclass(frozen=True)
class JsonFields:
    """Agreement of the fields of a JSON object with the item's answer, a JSON object too.

    Options: `score`, f1 (the default), precision, recall, or all (1 where every field is right and
    none is added); `policy`, how texts are compared (identity unless declared).
    """

    score: str = "f1"
    policy: str = "identity"

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ValueError(f"score must be one of {SCORES}, got {self.score!r}")
        if self.policy not in POLICIES:
            raise ValueError(f"policy must be one of {sorted(POLICIES)}, got {self.policy!r}")

    def check(self, item: Item) -> None:
        try:
            wanted = read_json(item.reference)
        except NotJsonError as fault:
            raise ValueError(f"item {item.item_id!r}: its answer is no JSON ({fault})") from None
        if not isinstance(wanted, dict) or not wanted:
            raise ValueError(f"item {item.item_id!r}: its answer must be an object with fields")

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        try:
            said = read_json(answer)
        except NotJsonError as fault:
            return Verdict.unreadable(str(fault), f"{answer[:200]!r} is no JSON", answer)
        if not isinstance(said, dict):
            return Verdict.unreadable("no_object", f"{answer[:200]!r} is no JSON object", answer)
        counts = field_counts(said, read_json(item.reference), self.policy)
        precision = 0.0 if not counts.said else counts.precision
        scores = {
            "f1": counts.f1,
            "precision": precision,  # of an empty object: nothing said is right
            "recall": counts.recall,
            "all": float(counts.right == counts.said == counts.wanted),
        }
        explanation = (
            f"{counts.right} of {counts.said} fields said are right, {counts.wanted} are wanted: "
            f"precision {precision:.3f}, recall {counts.recall:.3f}"
        )
        return Verdict.judged(scores[self.score], answer, explanation)


Path = tuple[str | int, ...]


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
