"""Labels against labels: accuracy, precision, recall and F1 of each class, and their means.

The classes are those that occur among the truths or the answers. With one label a sample micro-F1
is accuracy; macro-F1 gives each class the same weight, which is what shows an answerer who never
names the rare one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from eval_pipeline.metrics.inputs import Floats, Ints, labels, same_length
from eval_pipeline.metrics.sums import Sums, checked_cells, ratio, ratio_sums

Average = Literal["accuracy", "macro_f1", "micro_f1"]


@dataclass(frozen=True)
class ClassReport:
    """classes: sorted; the arrays have shape (classes,), confusion (truths, answers).

    precision is NaN where a class is never answered, recall where it never occurs; f1 is
    2 TP / (answers + truths), which is defined for both.
    """

    classes: tuple[Any, ...]
    confusion: Floats
    precision: Floats
    recall: Floats
    f1: Floats
    support: Floats

    @property
    def n(self) -> int:
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of samples whose answer is the truth."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def macro_f1(self) -> float:
        """Mean F1 of the classes."""
        return float(self.f1.mean())

    @property
    def micro_f1(self) -> float:
        """F1 of all classes' counts together: with one label a sample, accuracy."""
        return self.accuracy

    @property
    def prevalence(self) -> Floats:
        """Share of samples that are of the class: the AUPRC of guessing, shape (classes,)."""
        return np.asarray(self.support / self.confusion.sum())


def class_report(y_true: Iterable[Any], y_pred: Iterable[Any]) -> ClassReport:
    """What the answers y_pred say about the truths y_true, both labels of shape (samples,).

    Labels are all texts or all whole numbers. Raises ValueError for empty or misaligned input and
    for labels of another kind, truth values among them.
    Source: van Rijsbergen 1979, Information Retrieval, chapter 7.
    """
    classes, truth, answer = _coded(y_true, y_pred)
    k = len(classes)
    confusion = np.bincount(truth * k + answer, minlength=k * k).reshape(k, k).astype(np.float64)
    hits, support, answers = np.diag(confusion), confusion.sum(axis=1), confusion.sum(axis=0)
    return ClassReport(
        classes,
        confusion,
        ratio(hits, answers),
        ratio(hits, support),
        ratio(2 * hits, support + answers),
        support,
    )


def classification_sums(y_true: Iterable[Any], y_pred: Iterable[Any], average: Average) -> Sums:
    """Sums of accuracy, macro_f1 or micro_f1; a class that a resample lacks leaves its mean.

    None in y_pred is no answer: its truth was missed, and no class was claimed.
    """
    if average not in get_args(Average):
        raise ValueError(f"unknown average {average!r}: use {', '.join(get_args(Average))}")
    truths, answers = list(y_true), list(y_pred)
    same_length(y_true=truths, y_pred=answers)
    answered = np.array([label is not None for label in answers], dtype=bool)
    filled = [t if a is None else a for t, a in zip(truths, answers, strict=True)]
    classes, truth, answer = _coded(truths, filled)
    n, k = len(truth), len(classes)
    hit = ((truth == answer) & answered).astype(np.float64)
    if average == "accuracy":
        return ratio_sums(hit, np.ones(n))
    if average == "micro_f1":
        return ratio_sums(2 * hit, 1.0 + answered)
    checked_cells(n, 2 * k, "classes")
    terms = np.zeros((n, 2 * k))
    rows = np.arange(n)
    terms[rows, truth] = 2.0 * hit
    terms[rows, k + truth] += 1
    terms[rows, k + answer] += answered

    def macro(sums: Floats) -> Floats:
        f1 = ratio(sums[..., :k], sums[..., k:])
        return ratio(np.nansum(f1, axis=-1), np.sum(~np.isnan(f1), axis=-1))

    return Sums(terms, macro)


def _coded(y_true: Iterable[Any], y_pred: Iterable[Any]) -> tuple[tuple[Any, ...], Ints, Ints]:
    """The classes, sorted, and each sample's truth and answer as places among them."""
    truths, answers = labels(y_true, "y_true"), labels(y_pred, "y_pred")
    same_length(y_true=truths, y_pred=answers)
    if type(truths[0]) is not type(answers[0]):
        raise ValueError(
            f"y_true[0] is {truths[0]!r} and y_pred[0] is {answers[0]!r}: label both in one way"
        )
    classes = sorted(set(truths) | set(answers))
    place = {label: i for i, label in enumerate(classes)}
    truth, answer = (np.array([place[x] for x in found]) for found in (truths, answers))
    return tuple(classes), truth.astype(np.int64), answer.astype(np.int64)
