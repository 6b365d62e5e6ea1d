"""Planted biases are recovered, and intervals hold them as often as they say."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from eval_pipeline.judging.audits.pair_audits import Evidence, Rules, audit_rows
from eval_pipeline.judging.licences.licence import licence_rows
from eval_pipeline.lab.judges import Bias
from eval_pipeline_tests.judging.planted import FAMILY, Planted, in_one_order, planted

BARS = {
    "flip_excess": 0.15,
    "position_effect": 0.05,
    "verbosity_per_100_tokens": 0.03,
    "self_preference": 0.05,
    "human_ratio": 0.5,
    "missing_rate": 0.02,
}


def audit(made: Planted, bars: Mapping[str, float] = BARS) -> dict[str, dict[str, Any]]:
    evidence = Evidence(made.pairs, made.labels, made.n_chars, {}, FAMILY)
    rows = audit_rows(evidence, Rules({"judge": "tern"}, bars, 0.95))
    return {row["audit"]: row for row in rows if row["slice"] == "all"}


def truth(bias: Bias) -> dict[str, float]:
    """What each audit estimates; without ties the excess of flips is (2 b)^2."""
    return {
        "position_effect": bias.position,
        "verbosity_per_100_tokens": bias.verbosity_per_100_tokens,
        "self_preference": bias.self_preference,
        "flip_excess": 4 * bias.position**2,
    }


@settings(max_examples=15)
@given(
    st.builds(Bias, st.floats(-0.1, 0.1), st.floats(-0.03, 0.03), st.floats(-0.1, 0.1)),
    st.integers(0, 2**32 - 1),
)
def test_every_planted_bias_lies_near_its_estimate(bias: Bias, seed: int) -> None:
    found = audit(planted(bias, 60, np.random.default_rng(seed)))
    for name, value in truth(bias).items():
        row = found[name]
        assert abs(row["estimate"] - value) < 5.5 * row["se"], name


def test_lost_votes_are_counted_and_bias_no_audit() -> None:
    bias = Bias(0.08, 0.02, 0.08)
    found = audit(planted(bias, 300, np.random.default_rng(8), lost=0.1))
    assert found["missing_rate"]["estimate"] == pytest.approx(0.1, abs=0.01)
    assert found["missing_rate"]["outcome"] == "outside"
    for name, value in truth(bias).items():
        row = found[name]
        assert abs(row["estimate"] - value) < 4 * row["se"], name


def test_an_honest_judge_is_licensed_and_a_biased_one_refused() -> None:
    rng = np.random.default_rng(9)
    outcomes = []
    for bias in (Bias(0.01, 0.0, 0.0), Bias(0.12, 0.0, 0.0), Bias(0.0, 0.0, 0.12)):
        rows = list(audit(planted(bias, 900, rng)).values())
        outcomes.append(licence_rows(rows)[0]["outcome"])
    assert outcomes == ["licensed", "refused", "refused"]


def test_few_labels_decide_nothing_and_say_how_many_would() -> None:
    found = audit(planted(Bias(0.0, 0.0, 0.0), 40, np.random.default_rng(10)))
    (one,) = licence_rows(list(found.values()))
    assert one["outcome"] == "not_enough_labels"
    assert one["n_needed"] > 20


def test_one_order_drawn_at_random_shows_every_bias_but_flips() -> None:
    rng = np.random.default_rng(11)
    barred = {name: bar for name, bar in BARS.items() if name != "flip_excess"}
    outcomes = []
    for bias in (Bias(0.01, 0.0, 0.0), Bias(0.12, 0.0, 0.0), Bias(0.0, 0.0, 0.12)):
        made = planted(bias, 1500, rng)
        made = in_one_order(made, rng.random(len(made.pairs)) < 0.5)
        found = audit(made)
        assert found["flip_excess"]["outcome"] == "not_audited"
        for name in ("position_effect", "verbosity_per_100_tokens", "self_preference"):
            assert abs(found[name]["estimate"] - truth(bias)[name]) < 4 * found[name]["se"], name
        one = licence_rows(list(found.values()))[0]
        outcomes.append((one["outcome"], "set judging.orders to both" in one["reason"]))
        outcomes.append(licence_rows(list(audit(made, barred).values()))[0]["outcome"])
    assert outcomes == [
        ("not_enough_labels", True),
        "licensed",
        *(("refused", True), "refused") * 2,
    ]


def test_one_order_that_follows_the_model_says_what_to_do() -> None:
    made = planted(Bias(0.1, 0.0, 0.0), 300, np.random.default_rng(12))
    found = audit(in_one_order(made, np.ones(len(made.pairs), dtype=bool)))
    for name in ("position_effect", "self_preference"):
        assert found[name]["outcome"] == "undecided"
        assert "draw the order anew for each item, or judge both orders" in found[name]["reason"]
    assert found["human_ratio"]["status"] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("one_order", [False, True])
def test_intervals_hold_the_planted_bias_as_often_as_they_say(one_order: bool) -> None:
    bias, runs = Bias(0.06, 0.02, 0.05), 600
    held = {name: 0 for name in truth(bias) if not (one_order and name == "flip_excess")}
    rng = np.random.default_rng(12)
    for _ in range(runs):
        made = planted(bias, 50, rng)
        if one_order:
            made = in_one_order(made, rng.random(len(made.pairs)) < 0.5)
        found = audit(made)
        for name in held:
            value = truth(bias)[name]
            held[name] += found[name]["ci_low"] <= value <= found[name]["ci_high"]
    low, high = binom.interval(0.999, runs, 0.95)
    assert all(low <= count <= high for count in held.values()), held


@pytest.mark.slow
def test_the_ratio_of_a_judge_who_is_one_more_person_is_held_as_often_as_said() -> None:
    runs = 400
    rng = np.random.default_rng(13)
    held = 0
    for _ in range(runs):
        row = audit(planted(Bias(), 100, rng))["human_ratio"]
        held += row["ci_low"] <= 1.0 <= row["ci_high"]
    low, high = binom.interval(0.999, runs, 0.95)
    assert low <= held <= high, held
