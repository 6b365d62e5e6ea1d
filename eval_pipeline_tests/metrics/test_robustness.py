"""Drops under perturbation: relative to before, and beside a panel's."""

import numpy as np
import pytest

from eval_pipeline.metrics.robustness import calibrated_drop, drop_sums, perturbation_drop


def test_the_drop_is_relative_to_what_was_scored_before() -> None:
    found = perturbation_drop([1, 1, 1, 0], [1, 1, 0, 0])
    assert (found.before, found.after, found.absolute) == (0.75, 0.5, 0.25)
    assert found.relative == pytest.approx(1 / 3)
    assert drop_sums([1, 1, 1, 0], [1, 1, 0, 0]).value == found.relative


def test_a_gain_is_a_negative_drop_and_from_nothing_it_is_undefined() -> None:
    assert perturbation_drop([1, 0], [1, 1]).relative == -1.0
    assert np.isnan(perturbation_drop([0, 0], [1, 0]).relative)


def test_what_hurts_the_whole_panel_is_difficulty() -> None:
    before = [[1, 1, 1, 1], [1, 1, 0, 0]]
    after = [[1, 1, 0, 0], [1, 0, 0, 0]]
    found = calibrated_drop([1, 1, 1, 1], [1, 0, 0, 0], before, after)
    assert (found.own, found.difficulty, found.excess) == (0.75, 0.5, 0.25)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: perturbation_drop([1, np.nan], [1, 1]), r"before\[1\] is undefined"),
        (lambda: perturbation_drop([1, 0], [1, 2]), r"after\[1\] is 2"),
        (lambda: perturbation_drop([True], [1]), r"before\[0\] is True"),
        (lambda: perturbation_drop([1], [1, 1]), "one value of each"),
        (lambda: perturbation_drop([], []), "before is empty"),
        (lambda: calibrated_drop([1], [1], [[0]], [[0]]), "model 0 of the panel"),
        (lambda: calibrated_drop([1], [1], [[1, 1]], [[1, 1]]), "models x 1 items"),
    ],
)
def test_drops_refuse_and_name_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()
