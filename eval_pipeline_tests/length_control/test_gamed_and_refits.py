"""The gamed baseline, style, refits and pairs of models, each against a slower way to say it."""

import time
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from eval_pipeline.length_control.between import rate_between
from eval_pipeline.length_control.gamed import GamedBaseline
from eval_pipeline.length_control.item_keys import item_numbers
from eval_pipeline.length_control.model import LengthControlled, length_controlled_win_rate
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES

N = 150


def verdicts(seed: int, theta: float = 0.3, bend: float = 0.5) -> dict[str, Any]:
    """One verdict an item, of a model whose replies are longer than they need be."""
    rng = np.random.default_rng(seed)
    difficulty = np.random.default_rng(0).normal(size=N)
    delta = rng.normal(150, 300, N)
    chance = expit(theta + 0.8 * np.tanh(delta / 300) + bend * difficulty)
    return {
        "length_difference": delta,
        "preference": (rng.random(N) < chance).astype(float),
        "difficulty": difficulty,
    }


def gamed_rows() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    delta = np.concatenate([rng.normal(800, 200, 60), rng.normal(-700, 200, 60)])
    return {
        "length_difference": delta,
        "preference": np.round(expit(0.6 * np.tanh(delta / 200)), 2),
        "difficulty": rng.normal(size=120),
        "version": np.repeat(["long", "short"], 60),
        "weight": 0.1,
    }


def test_gamed_rows_are_rows_of_the_fit_without_a_theta() -> None:
    rows, gamed = verdicts(1), gamed_rows()
    found = length_controlled_win_rate(**rows, gamed=GamedBaseline.from_rows(**gamed))
    length = np.concatenate(
        [
            np.tanh(part / np.std(part, ddof=1))
            for part in (
                rows["length_difference"],
                gamed["length_difference"][:60],
                gamed["length_difference"][60:],
            )
        ]
    )
    design = np.column_stack(
        [
            np.repeat([1.0, 0.0], [N, 120]),
            length,
            np.concatenate([rows["difficulty"], gamed["difficulty"]]),
        ]
    )
    weight = np.repeat([1.0, 0.1], [N, 120])
    y = np.concatenate([rows["preference"], gamed["preference"]])
    glm = sm.GLM(y, design, family=sm.families.Binomial(), freq_weights=weight).fit(tol=1e-14)
    ours = [found.theta, found.length_coefficient, found.difficulty_coefficient]
    np.testing.assert_allclose(ours, glm.params, atol=1e-8)


def test_two_sums_are_all_that_a_fit_needs_of_gamed_preferences() -> None:
    rows, gamed = verdicts(1), gamed_rows()
    whole = GamedBaseline.from_rows(**gamed)
    known = {k: v for k, v in gamed.items() if k != "preference"}
    by_sums = GamedBaseline.from_statistics(
        **known, won_length=whole.won_length, won_difficulty=whole.won_difficulty
    )
    one = length_controlled_win_rate(**rows, gamed=whole)
    two = length_controlled_win_rate(**rows, gamed=by_sums)
    assert one.length_controlled == two.length_controlled
    assert one.se == two.se


def test_a_gamed_baseline_holds_back_what_would_run_away() -> None:
    rows = {
        "length_difference": np.array([-30.0, -20, -10, 10, 20, 30] * 3),
        "preference": np.array([0.0, 0, 0, 1, 1, 1] * 3),
    }
    assert np.isnan(length_controlled_win_rate(**rows).length_controlled)
    gamed = {k: v for k, v in gamed_rows().items() if k != "difficulty"}
    found = length_controlled_win_rate(**rows, gamed=GamedBaseline.from_rows(**gamed))
    assert found.length_controlled == pytest.approx(0.5, abs=1e-9)
    assert found.converged


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"preference": [0.5, 1.5]}, "row 1: preference must lie in 0 to 1"),
        ({"length_difference": [1.0, np.nan]}, "row 1: length_difference must be finite"),
        ({"weight": 0.0}, "the weight of a gamed row must be positive"),
        ({"difficulty": [1.0]}, "gamed rows differ in length: 2 lengths, 1 difficulties"),
        ({"preference": [0.5]}, "1 preferences but 2 lengths"),
    ],
)
def test_a_bad_gamed_row_is_named(changed: dict[str, Any], message: str) -> None:
    rows = {"length_difference": [1.0, 2.0], "preference": [0.5, 1.0], "weight": 0.1} | changed
    with pytest.raises(ValueError, match=message):
        GamedBaseline.from_rows(**rows)


def test_style_is_taken_out_as_length_is() -> None:
    rng = np.random.default_rng(4)
    rows = verdicts(3)
    lists = rng.poisson(2, N) - 1.0
    found = length_controlled_win_rate(**rows, style={"n_lists": lists})
    design = np.column_stack(
        [
            np.ones(N),
            *(
                np.tanh(column / np.std(column, ddof=1))
                for column in (rows["length_difference"], lists)
            ),
            rows["difficulty"],
        ]
    )
    glm = sm.GLM(rows["preference"], design, family=sm.families.Binomial()).fit(tol=1e-14)
    assert found.style_coefficients["n_lists"] == pytest.approx(glm.params[2], abs=1e-8)
    at_equal = expit(glm.params[0] + glm.params[3] * rows["difficulty"]).mean()
    assert found.length_controlled == pytest.approx(at_equal, abs=1e-9)
    flat = length_controlled_win_rate(**rows, style={"n_lists": np.ones(N)})
    assert "style:n_lists_not_identifiable" in flat.notes
    with pytest.raises(ValueError, match="row 0: style 'n_lists' must be finite"):
        length_controlled_win_rate(**rows, style={"n_lists": np.full(N, np.nan)})


@pytest.mark.parametrize("with_gamed", [False, True])
def test_refits_equal_fits_of_the_drawn_clusters(with_gamed: bool) -> None:
    rows, cluster = verdicts(1), np.arange(N) % 30
    gamed = GamedBaseline.from_rows(**gamed_rows()) if with_gamed else None
    found = length_controlled_win_rate(
        **rows, cluster=cluster, gamed=gamed, replicates=8, rng=generator(1, "refits")
    )
    rng, rates = generator(1, "refits"), []
    term = np.tanh(rows["length_difference"] / found.length_sd)  # the scale stays
    for _ in range(8):
        drawn = np.bincount(rng.integers(0, 30, 30), minlength=30)[cluster].astype(float)
        design = np.column_stack([np.ones(N), term, rows["difficulty"]])
        y, weight = rows["preference"], drawn
        if gamed is not None:
            design = np.vstack([design, gamed.matrix(("theta", "length", "difficulty"))])
            y = np.concatenate([y, gamed_rows()["preference"]])
            weight = np.concatenate([weight, gamed.weight])
        family = sm.families.Binomial()
        fit = sm.GLM(y, design, family=family, freq_weights=weight).fit(tol=1e-14)
        chance = expit(fit.params[0] + fit.params[2] * rows["difficulty"])
        rates.append(drawn @ chance / drawn.sum())
    assert found.se_bootstrap == pytest.approx(np.std(rates, ddof=1), abs=1e-7)
    assert (found.replicates, found.replicates_nonfinite) == (8, 0)


def test_refits_agree_with_the_delta_method_and_cost_little() -> None:
    rows = verdicts(2)
    before = time.process_time()
    found = length_controlled_win_rate(**rows, replicates=500, rng=generator(1, "many"))
    assert time.process_time() - before < 1.0
    assert found.se_bootstrap == pytest.approx(found.se, rel=0.12)


def test_refits_that_run_away_leave_no_error() -> None:
    preference = np.zeros(40)
    preference[[3, 20]] = 1.0  # a seventh of the replicates draws neither
    delta = np.linspace(-50, 60, 40)
    found = length_controlled_win_rate(delta, preference, replicates=200, rng=generator(1, "rare"))
    assert np.isfinite(found.se)
    assert found.replicates_nonfinite > 10
    assert np.isnan(found.se_bootstrap)


def test_replicates_need_a_generator() -> None:
    with pytest.raises(ValueError, match="10 replicates need a generator"):
        length_controlled_win_rate([1, 2], [1, 0], replicates=10)


def fits() -> tuple[LengthControlled, LengthControlled, np.ndarray]:
    one, two = verdicts(1, 0.6, 0.2), verdicts(2, -0.2, 0.9)
    names = [f"i{k:03}" for k in range(N)]
    found = [length_controlled_win_rate(**rows, cluster=names) for rows in (one, two)]
    return found[0], found[1], one["difficulty"]


def test_two_models_turn_over_and_a_model_equals_itself() -> None:
    one, two, hard = fits()
    ahead, behind = rate_between(one, two, hard), rate_between(two, one, hard)
    assert ahead.rate + behind.rate == pytest.approx(1, abs=1e-12)
    assert ahead.low + behind.high == pytest.approx(1, abs=1e-12)
    same = rate_between(one, one, hard)
    assert same.rate == 0.5
    assert np.isnan(same.se)
    assert same.reason == "no interval: the clusters do not differ"
    gap = one.theta - two.theta
    bend = one.difficulty_coefficient - two.difficulty_coefficient
    assert ahead.rate == pytest.approx(expit(gap + bend * hard).mean(), abs=1e-12)


def test_the_error_of_a_pair_knows_that_prompts_are_shared() -> None:
    one, two, hard = fits()
    found = rate_between(one, two, hard)
    rates = []
    rows = verdicts(1, 0.6, 0.2), verdicts(2, -0.2, 0.9)
    rng = generator(2, "pairs")
    for _ in range(300):
        drawn = rng.integers(0, N, N)
        again = []
        for given, full in zip(rows, (one, two), strict=True):
            part = {name: values[drawn] for name, values in given.items()}
            term = np.tanh(part["length_difference"] / full.length_sd)
            design = np.column_stack([np.ones(N), term, part["difficulty"]])
            again.append(
                sm.GLM(part["preference"], design, family=sm.families.Binomial()).fit().params
            )
        rates.append(expit(again[0][0] - again[1][0] + (again[0][2] - again[1][2]) * hard).mean())
    assert found.se == pytest.approx(np.std(rates), rel=0.15)


def test_pairs_that_cannot_be_compared_say_why() -> None:
    one, two, hard = fits()
    none = length_controlled_win_rate([1, 2], [1, 1])
    assert rate_between(one, none, hard).reason == (
        "the second model has no rate: all preferences equal 1"
    )
    plain = length_controlled_win_rate([1, -2, 3, -4], [1, 0, 0, 1])
    with pytest.raises(ValueError, match="one fit has a difficulty term and the other has not"):
        rate_between(one, plain, hard)
    with pytest.raises(ValueError, match="give the items' difficulties"):
        rate_between(one, two)
    assert rate_between(plain, plain).rate == 0.5


def test_one_prompt_that_decides_is_named() -> None:
    preference = np.full(20, 0.5)
    preference[7] = 1.0
    delta = np.tile([-10.0, 10.0], 10)
    names = [f"i{k:02}" for k in range(20)]
    found = length_controlled_win_rate(delta, preference, cluster=names)
    assert found.largest_cluster == "i07"
    assert found.largest_share > 0.9
    assert found.dominated
    even = length_controlled_win_rate(**verdicts(2))
    assert not even.dominated


def items(extras: list[str | None]) -> Any:
    return TABLES["items"].from_rows(
        [
            {
                "item_id": f"i{k}",
                "cluster_id": f"i{k}",
                "question": "?",
                "slices": {},
                "extra": extra,
            }
            for k, extra in enumerate(extras)
        ]
    )


def test_difficulties_are_joined_by_the_items_name() -> None:
    found = item_numbers(items(['{"hard": 2}', None, '{"hard": -0.5, "x": 1}']), "hard")
    assert found == {"i0": 2.0, "i2": -0.5}
    with pytest.raises(ValueError, match="item 'i1': hard must be a finite number, not 'very'"):
        item_numbers(items([None, '{"hard": "very"}']), "hard")
    with pytest.raises(ValueError, match="item 'i0': hard must be a finite number, not True"):
        item_numbers(items(['{"hard": true}']), "hard")
    with pytest.raises(ValueError, match="no item has the key 'hard'"):
        item_numbers(items([None, None]), "hard")
