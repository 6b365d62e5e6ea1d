"""How often a judge is right, where each pair has a label that is the truth.

A label is no rater here: one on a pair is enough, and of several the one that most of them give
counts; a pair whose labels are split has no truth and is left out. Each order has an accuracy of
its own: the share of verdicts that are the label. A tie is right only where the label is one, and a
vote that could not be used is wrong. What both orders say together follows a rule, which the
contract names:
    both   right in each order (as LLMBar's `correct_both`);
    sum    +1 for each order that is right, -1 for each that names the other model, 0 else; right
           where the sum is above 0, so that right and a tie is right (as JudgeBench);
    mean   the mean of the two orders.
With repeats an order's shares stand for its verdict, a vote of each order paired with every one of
the other. Where one order is due, every rule is that order.
Source: Zeng et al. 2024, arXiv:2310.07641 (LLMBar); Tan et al. 2025, arXiv:2410.12784 (JudgeBench).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import ORDERS, TIE, VERDICTS, A, B, JudgedPairs
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline.judging.rows import Bools, Floats, Ints, ratio
from eval_pipeline.metrics.agreement.formula import cohen_kappa
from eval_pipeline.statistics.clustered import Estimate, mean, undefined

Rule = Literal["both", "sum", "mean"]
RULES: tuple[Rule, ...] = ("both", "sum", "mean")
AUDIT = "label_accuracy"
NO_LABEL = "no pair that the judge is to see has a label"
NO_VOTES = "no labelled pair is due in this order"
ALL = "all"
MISSING = "missing"


@dataclass(frozen=True)
class Truth:
    """The pairs of one judge whose truth is known: `pairs` and the place of each label, 0 to 2.

    n_split: pairs left out because their labels name no one verdict.
    """

    pairs: JudgedPairs
    label: Ints
    n_split: int

    def where(self, mask: Bools) -> "Truth":
        """The pairs that the mask keeps."""
        return Truth(self.pairs.where(mask), self.label[mask], self.n_split)

    @property
    def shares(self) -> Floats:
        """Of the votes due in each order: right, naming the other model; (pairs, orders, 2)."""
        n, counts = len(self.label), self.pairs.counts
        right = counts[np.arange(n), :, self.label]
        other = np.where(self.label == A, B, A)
        wrong = np.where((self.label == TIE)[:, None], 0, counts[np.arange(n), :, other])
        return np.stack([ratio(one, self.pairs.asked) for one in (right, wrong)], axis=-1)


def truth_of(pairs: JudgedPairs, labels: LabelledPairs) -> Truth:
    """The labelled pairs of one judge, split labels left out."""
    rows, place = labels.matched(pairs)
    said = labels.counts[place]
    most = said.max(axis=1, initial=0)
    one = (said == most[:, None]).sum(axis=1) == 1
    return Truth(pairs.where(rows[one]), said[one].argmax(axis=1), int((~one).sum()))


def right_by(truth: Truth, rule: Rule) -> Floats:
    """How right the judge is on each pair by the rule, 0 to 1; NaN where no order is due."""
    right, wrong = truth.shares[..., 0], truth.shares[..., 1]
    due = ~np.isnan(right)
    alone = np.where(due[:, 0], right[:, 0], right[:, 1])
    (r1, r2), (w1, w2) = right.T, wrong.T
    if rule == "mean":
        both = (r1 + r2) / 2
    elif rule == "both":
        both = r1 * r2
    else:  # a sum above 0: both right, or one right and the other neither right nor wrong
        both = r1 * r2 + r1 * (1 - r2 - w2) + (1 - r1 - w1) * r2
    return np.where(due.all(axis=1), both, alone)


def accuracy_finding(truth: Truth, rule: Rule, confidence: float) -> Finding:
    """The judge's accuracy by the rule, as an audit that a bar may be set on."""
    return Finding(AUDIT, _share(truth, right_by(truth, rule), confidence), len(truth.label))


def accuracy_rows(
    judge: str,
    truth: Truth,
    slices: Mapping[str, Mapping[str, str]],
    rule: Rule,
    confidence: float,
) -> list[dict[str, object]]:
    """Rows of `label_accuracies` of one judge: all pairs and each slice, each order, each rule.

    slices: item -> slice name -> value. rule: the contract's, whose rows are marked.
    """
    rows = []
    for name, part in _parts(truth, slices):
        readings = [(order, _in_order(part, i)) for i, order in enumerate(_orders(part))]
        readings += [(one, (right_by(part, one), None)) for one in RULES]
        for reading, (right, kappa) in readings:
            known = ~np.isnan(right)
            estimate = _share(part, right, confidence)
            rows.append(
                {
                    "judge": judge,
                    "slice": name,
                    "reading": reading,
                    "value": estimate.value,
                    "se": estimate.se,
                    "ci_low": estimate.low,
                    "ci_high": estimate.high,
                    "ci_method": estimate.method,
                    "confidence": estimate.confidence,
                    "kappa": kappa,
                    "n_units": estimate.n_clusters,
                    "n_pairs": int(known.sum()),
                    "n_right": float(right[known].sum()),
                    "n_split": truth.n_split if name == ALL else None,
                    "decides": reading == rule,
                    "status": "undefined" if np.isnan(estimate.value) else "ok",
                    "reason": estimate.reason,
                }
            )
    return rows


def confusion_rows(judge: str, truth: Truth) -> list[dict[str, object]]:
    """Rows of `label_confusions` of one judge: votes by order, label and verdict."""
    rows = []
    counts, lacking = truth.pairs.counts, truth.pairs.asked - truth.pairs.usable
    for i, order in enumerate(_orders(truth)):
        for place, label in enumerate(VERDICTS):
            mine = truth.label == place
            said = [*counts[mine, i].sum(axis=0).tolist(), int(lacking[mine, i].sum())]
            for verdict, n in zip((*VERDICTS, MISSING), said, strict=True):
                named = {"judge": judge, "slot_order": order, "label": label, "verdict": verdict}
                rows.append({**named, "n_votes": n})
    return rows


def _orders(truth: Truth) -> tuple[str, ...]:
    """The orders that are known, in the order of the counts."""
    return () if truth.pairs.orders == "unrecorded" else ORDERS


def _parts(truth: Truth, slices: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Truth]]:
    """The whole, then the pairs of each slice of items."""
    yield ALL, truth
    items = set(truth.pairs.item_id)
    for name, value in sorted({one for item in items for one in slices.get(item, {}).items()}):
        inside = [slices.get(item, {}).get(name) == value for item in truth.pairs.item_id]
        yield f"{name}={value}", truth.where(np.array(inside, dtype=bool))


def _in_order(truth: Truth, order: int) -> tuple[Floats, float | None]:
    """How right the judge is on each pair in one order, and Cohen's kappa of its usable votes."""
    table = np.zeros((len(VERDICTS), len(VERDICTS)))
    np.add.at(table, truth.label, truth.pairs.counts[:, order])
    kappa = cohen_kappa(table).coefficient if table.sum() else np.nan
    return truth.shares[:, order, 0], None if np.isnan(kappa) else float(kappa)


def _share(truth: Truth, right: Floats, confidence: float) -> Estimate:
    known = ~np.isnan(right)
    if not known.any():
        return undefined(NO_VOTES if len(right) else NO_LABEL, confidence)
    return mean(right[known], truth.pairs.cluster_id[known], confidence=confidence)
