"""Which samples take part in a metric made from columns, and what they hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.columns import OF_ITEMS, Columns
from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Policy, Samples

# What a failed sample that the policy counts as wrong becomes: the worst value of the range, what
# its own columns say, a sample whose generation is not read, or nothing. `every` takes all samples,
# whatever the policy.
OnFailure = Literal["worst", "scored", "missed", "left_out", "every"]
SCORE = "verifier_scores.score"  # stands in `Samples`, under each policy


@dataclass(frozen=True)
class View:
    """The samples that take part under one failure policy, all arrays of shape (n,).

    rows: their places among all samples, rising; failed: those that failed and count as wrong;
    score: the verifier's, under the policy.
    """

    metric: Metric
    columns: Columns
    rows: Ints
    failed: Bools
    score: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column that the entry declares: floats, or objects with None where it is absent."""
        column = next(column for column in self.metric.columns if column.name == name)
        return self.columns.values(column)[self.rows]

    def of_items(self, name: str) -> NDArray[Any]:
        """A column of all items of the benchmark, answered or not, shape (items,)."""
        column = next(column for column in self.metric.columns if column.name == name)
        return self.columns.of_items(column)

    def __contains__(self, name: str) -> bool:
        """Whether the entry declares the column."""
        return any(column.name == name for column in self.metric.columns)

    def name(self, i: int) -> str:
        """How a sample is named to people."""
        return self.columns.name(int(self.rows[i]))

    def right(self) -> Ints:
        """1 where the sample is right, 0 where it is wrong.

        Raises ValueError that names a sample whose verdict lies in between.
        """
        if (between := np.flatnonzero((self.score > 0) & (self.score < 1))).size:
            raise ValueError(
                f"{self.name(between[0])}: score {self.score[between[0]]:g} lies between wrong and "
                f"right ({between.size} such samples), and {self.metric.name} needs 0 or 1"
            )
        return self.score.astype(np.int64)

    def among(self, chosen: Bools) -> "View":
        """The same view of some of its samples; chosen: shape (n,)."""
        return View(
            self.metric, self.columns, self.rows[chosen], self.failed[chosen], self.score[chosen]
        )


@dataclass(frozen=True)
class Participation:
    """Who takes part in a metric, all arrays of shape (samples,).

    scored: samples whose columns are read; worst: failed samples that get the worst value;
    excluded: left out by the failure policy; lacking: by column, the samples left out because
    they lack it (and none named before it).
    """

    scored: Bools
    worst: Bools
    excluded: Bools
    lacking: Mapping[str, Bools]


def participation(
    metric: Metric,
    samples: Samples,
    policy: Policy,
    on_failure: OnFailure,
) -> Participation:
    """Who takes part under a failure policy.

    A failed sample whose score under the policy is 0 counts as wrong; one without a score, or with
    the credit of a guess, has no outcome and is left out. Raises ValueError for a value of another
    kind than the column's.
    """
    columns = samples.further()
    failed = samples.failed
    wrong = failed & (samples.under(policy) == 0)
    excluded = failed & ~wrong
    nobody = np.zeros(len(failed), dtype=bool)
    if on_failure == "left_out":
        wrong, excluded = nobody, failed
    elif on_failure == "every":
        excluded = nobody
    worst = wrong if on_failure == "worst" else nobody
    scored = ~excluded & ~worst
    lacking = {}
    for column in metric.columns:
        if column.needed and column.name != SCORE:
            absent = scored & ~columns.present(column)
            if on_failure == "missed" and column.table not in OF_ITEMS:
                absent = absent & ~failed
            lacking[column.name] = absent
            scored = scored & ~absent
    return Participation(scored, worst, excluded, lacking)


def view_of(metric: Metric, samples: Samples, policy: Policy, who: Participation) -> View:
    """The samples whose columns are read."""
    rows = np.flatnonzero(who.scored)
    return View(metric, samples.further(), rows, samples.failed[rows], samples.under(policy)[rows])
