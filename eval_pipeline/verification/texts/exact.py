"""`exact@1` and `token_f1@1`: text against text, under a declared normalisation."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval_pipeline.metrics.inputs import texts
from eval_pipeline.metrics.text_policies import POLICIES
from eval_pipeline.verification.first.numeric import Numeric
from eval_pipeline.verification.verdict import Item, Verdict

REFERENCES = ("one", "json")


def exact_match(pred: str, ref: str | Sequence[str], policy: str) -> float:
    """1 where both texts are the same under the policy, else 0; of several references any counts.

    `math_v1` compares numbers exactly; commas between thousands, currencies and number words are
    allowed; a text that is no number equals none. A policy has no version of its own, so that it
    reads as numeric@1 does. Raises ValueError for an unknown policy and for
    what is no text.
    """
    said, references = _texts(pred, ref)
    if policy == "math_v1":
        same = Numeric(thousands=",", number_words=True).equivalent
        return float(any(same(said, reference) is True for reference in references))
    normalise = _policy(policy)
    return float(normalise(said) in {normalise(reference) for reference in references})


def token_f1(pred: str, ref: str | Sequence[str], policy: str = "squad") -> float:
    """Harmonic mean of precision and recall over the multisets of words; of references the best.

    Where either side has no word, 1 if neither has, else 0. Raises ValueError as `exact_match`.
    Source: as `squad`; the rule for empty answers is of version 2, arXiv:1806.03822.
    """
    said, references = _texts(pred, ref)
    normalise = _policy(policy)
    words = normalise(said).split()
    return max(_overlap(words, normalise(reference).split()) for reference in references)


def _overlap(said: list[str], wanted: list[str]) -> float:
    if not said or not wanted:
        return float(said == wanted)
    shared = (Counter(said) & Counter(wanted)).total()
    return 2 * shared / (len(said) + len(wanted))


def _texts(pred: str, ref: str | Sequence[str]) -> tuple[str, list[str]]:
    """The answer, and its references as a list of at least one."""
    (said,) = texts([pred], "pred")
    return said, texts([ref] if isinstance(ref, str) else ref, "ref")


@dataclass(frozen=True)
class Exact:
    """1 where answer and reference are the same text under `policy`, which must be declared.

    Options: `policy`; `references`, one (the item's answer is the reference, the default) or json
    (it is a JSON list of texts, each of which is right).
    """

    policy: str = ""
    references: str = "one"

    def __post_init__(self) -> None:
        _policy(self.policy)
        if self.references not in REFERENCES:
            raise ValueError(f"references must be one of {REFERENCES}, got {self.references!r}")

    def check(self, item: Item) -> None:
        for reference in self.all_references(item):
            if not POLICIES[self.policy](reference).strip():
                raise ValueError(
                    f"item {item.item_id!r}: nothing is left of its answer {reference!r} under the "
                    f"policy {self.policy!r}; declare another in verification.options.policy"
                )

    def all_references(self, item: Item) -> list[str]:
        """The texts that count as right; raises ValueError that names the item without one."""
        if self.references == "one":
            return [item.reference]
        try:
            found = json.loads(item.reference)
        except ValueError:
            found = None
        if not isinstance(found, list) or not found or not all(isinstance(t, str) for t in found):
            raise ValueError(
                f"item {item.item_id!r}: its answer {item.reference[:200]!r} is no JSON list of "
                "texts, which verification.options.references asks for"
            )
        return found

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        return [self.verify(item, answer) for item, answer in answers]

    def verify(self, item: Item, answer: str) -> Verdict:
        normalise = POLICIES[self.policy]
        said, references = normalise(answer), self.all_references(item)
        equal = [text for text in references if normalise(text) == said]
        relation = "equals" if equal else "differs from"
        wanted = normalise((equal or references)[0])
        explanation = f"{said[:200]!r} {relation} {wanted[:200]!r} ({self.policy})"
        if len(references) > 1:
            explanation += f", of {len(references)} references"
        return Verdict.judged(float(bool(equal)), answer, explanation)


@dataclass(frozen=True)
class TokenF1(Exact):
    """Overlap of words with the reference, 0 to 1, under `policy`, which must be declared.

    Of several references the one with the greatest overlap counts.
    """

    def verify(self, item: Item, answer: str) -> Verdict:
        references = self.all_references(item)
        overlaps = [token_f1(answer, reference, self.policy) for reference in references]
        score = max(overlaps)
        best = references[overlaps.index(score)]
        explanation = f"word overlap with {best[:200]!r} is {score:.3f} ({self.policy})"
        if len(references) > 1:
            explanation += f", the best of {len(references)} references"
        return Verdict.judged(score, answer, explanation)


def _policy(name: str) -> Callable[[str], str]:
    if not isinstance(name, str) or name not in POLICIES:
        raise ValueError(
            f"policy {name!r} is not known: declare one of {sorted(POLICIES)} "
            "in verification.options.policy"
        )
    return POLICIES[name]
