"""`exact@1` and `token_f1@1`: text against text, under a declared normalisation."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval_pipeline.verification.numeric import Numeric
from eval_pipeline.verification.verdict import Item, Verdict

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad(text: str) -> str:
    """Lower case, without ASCII punctuation and English articles, single spaces.

    Source: Rajpurkar et al. 2016, arXiv:1606.05250, section 5.
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


POLICIES: dict[str, Callable[[str], str]] = {
    "identity": lambda text: text,
    "stripped": lambda text: " ".join(text.split()),
    "casefold": lambda text: " ".join(text.casefold().split()),
    "squad": squad,
}


def exact_match(pred: str, ref: str, policy: str) -> float:
    """1 where both texts are the same under the policy, else 0.

    `math_v1` compares numbers exactly, with commas between thousands and currencies allowed;
    a text that is no number equals none. Raises ValueError for an unknown policy.
    """
    if policy == "math_v1":
        return float(Numeric(thousands=",").equivalent(pred, ref) is True)
    normalise = _policy(policy)
    return float(normalise(pred) == normalise(ref))


def token_f1(pred: str, ref: str, policy: str = "squad") -> float:
    """Harmonic mean of precision and recall over the multisets of words.

    Where either side has no word, 1 if neither has, else 0. Source: as `squad`; the rule for
    empty answers is of version 2, arXiv:1806.03822.
    """
    normalise = _policy(policy)
    said, wanted = normalise(pred).split(), normalise(ref).split()
    if not said or not wanted:
        return float(said == wanted)
    shared = (Counter(said) & Counter(wanted)).total()
    return 2 * shared / (len(said) + len(wanted))


@dataclass(frozen=True)
class Exact:
    """1 where answer and reference are the same text under `policy`, which must be declared."""

    policy: str = ""

    def __post_init__(self) -> None:
        _policy(self.policy)

    def check(self, item: Item) -> None:
        if not POLICIES[self.policy](item.reference).strip():
            raise ValueError(
                f"item {item.item_id!r}: nothing is left of its answer {item.reference!r} "
                f"under the policy {self.policy!r}; declare another in verification.options.policy"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        normalise = POLICIES[self.policy]
        said, wanted = normalise(answer), normalise(item.reference)
        relation = "equals" if said == wanted else "differs from"
        explanation = f"{said[:200]!r} {relation} {wanted[:200]!r} ({self.policy})"
        return Verdict.judged(float(said == wanted), answer, explanation)


@dataclass(frozen=True)
class TokenF1(Exact):
    """Overlap of words with the reference, 0 to 1, under `policy`, which must be declared."""

    def verify(self, item: Item, answer: str) -> Verdict:
        score = token_f1(answer, item.reference, self.policy)
        explanation = f"word overlap with {item.reference[:200]!r} is {score:.3f} ({self.policy})"
        return Verdict.judged(score, answer, explanation)


def _policy(name: str) -> Callable[[str], str]:
    if name not in POLICIES:
        raise ValueError(
            f"policy {name!r} is not known: declare one of {sorted(POLICIES)} "
            "in verification.options.policy"
        )
    return POLICIES[name]
