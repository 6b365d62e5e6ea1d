"""Agreement beyond chance, against independent implementations and the definitions."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats import inter_rater

from eval_pipeline.metrics.agreement.formula import (
    ceiling_ratio,
    chance_agreement,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 20), min_size=k, max_size=k), min_size=k, max_size=k)
)


@given(tables)
def test_kappas_agree_with_statsmodels(counts: list[list[int]]) -> None:
    if not np.sum(counts):
        return
    with np.errstate(all="ignore"):
        theirs = {
            "unweighted": inter_rater.cohens_kappa(counts, return_results=False),
            "linear": inter_rater.cohens_kappa(counts, wt="linear", return_results=False),
            "quadratic": inter_rater.cohens_kappa(counts, wt="quadratic", return_results=False),
        }
    for weights, expected in theirs.items():
        mine = weighted_kappa(counts, weights).coefficient  # type: ignore[arg-type]  # a literal
        if np.isfinite(mine):
            assert mine == pytest.approx(expected, abs=1e-12)


def test_kappa_is_undefined_where_chance_explains_all() -> None:
    found = cohen_kappa([[10, 0], [0, 0]])
    assert found.observed == 1.0
    assert found.expected == 1.0
    assert np.isnan(found.coefficient)


def test_kappa_may_be_low_where_agreement_is_high() -> None:
    found = cohen_kappa([[80, 10], [10, 0]])
    assert found.observed == 0.8
    assert found.coefficient == pytest.approx(-1 / 9)


@given(st.integers(2, 5), st.integers(2, 4), st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_fleiss_agrees_with_statsmodels(raters: int, labels: int, units: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.multinomial(raters, np.full(labels, 1 / labels), size=units)
    mine = fleiss_kappa(table).coefficient
    if np.isfinite(mine):
        assert mine == pytest.approx(inter_rater.fleiss_kappa(table), abs=1e-12)


def test_fleiss_names_the_unit_with_another_number_of_raters() -> None:
    with pytest.raises(ValueError, match=r"unit 1: 2 raters where the first unit has 3"):
        fleiss_kappa([[3, 0], [1, 1]])


def alpha_by_definition(ratings: np.ndarray, level: str) -> float:
    """Every ordered pair of ratings of a unit, against every ordered pair of ratings at all."""
    units = [column[~np.isnan(column)] for column in ratings.T]
    units = [unit for unit in units if len(unit) >= 2]
    pooled = np.concatenate(units) if units else np.array([])

    def distance(x: float, y: float) -> float:
        if level == "nominal":
            return float(x != y)
        if level == "interval":
            return float((x - y) ** 2)
        low, high = min(x, y), max(x, y)
        between = np.sum((pooled >= low) & (pooled <= high))
        return float((between - (np.sum(pooled == low) + np.sum(pooled == high)) / 2) ** 2)

    observed = sum(
        distance(x, y) / (len(unit) - 1) for unit in units for x, y in permutations(unit, 2)
    )
    expected = sum(distance(x, y) for x, y in permutations(pooled, 2)) / max(len(pooled) - 1, 1)
    return 1 - observed / expected if expected else float("nan")


@given(st.integers(2, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_alpha_agrees_with_its_definition(raters: int, units: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 4, size=(raters, units)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    for level in ("nominal", "ordinal", "interval"):
        mine = krippendorff_alpha(ratings, level)
        assert mine == pytest.approx(alpha_by_definition(ratings, level), abs=1e-12, nan_ok=True)


def test_alpha_is_undefined_without_a_unit_rated_twice() -> None:
    assert np.isnan(krippendorff_alpha([[1.0, np.nan], [np.nan, 2.0]]))


def test_alpha_is_undefined_where_one_value_occurs() -> None:
    assert np.isnan(krippendorff_alpha([[1.0, 1.0], [1.0, 1.0]]))


def test_a_label_outside_the_list_names_its_unit() -> None:
    with pytest.raises(ValueError, match=r"unit 1: labels 'a', 'x'"):
        confusion(["a", "a"], ["b", "x"], ["a", "b"])


def test_chance_agreement_of_two_who_mostly_say_yes() -> None:
    assert chance_agreement(0.9, 0.9) == pytest.approx(0.82)


def test_the_ratio_is_undefined_where_people_do_not_agree() -> None:
    np.testing.assert_array_equal(ceiling_ratio([0.4, 0.4], [0.5, 0.0]), [0.8, np.nan])
