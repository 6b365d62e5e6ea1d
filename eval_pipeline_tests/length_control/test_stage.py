"""The `length_controlled_win_rates` stage."""

from typing import Any

import numpy as np
import pytest

from eval_pipeline.orchestration.stages.length_controlled_win_rates import (
    NAME,
    STAGE,
    rate_between_models,
)
from eval_pipeline_tests.ranking.contract import inputs, judged_contract
from eval_pipeline_tests.ranking.outcomes import pair_outcomes, table, unvoted

THETA = {"ant": 0.7, "bee": 0.0, "cat": -0.7}


def computed(rows: list[dict[str, Any]], **changes: Any) -> dict[tuple[str, str], dict[str, Any]]:
    found = STAGE.compute(inputs(table(rows), judged_contract(**changes))).tables[NAME].to_pylist()
    return {(row["judge"], row["model"]): row for row in found}


def test_rates_at_equal_length_are_recovered_on_both_sides_of_the_alphabet() -> None:
    found = computed(pair_outcomes(THETA, 500, length_effect=1.5))
    for model, theta in (("ant", 0.7), ("cat", -0.7)):
        row = found["stern", model]
        assert row["ci_low"] < 1 / (1 + np.exp(-theta)) < row["ci_high"]
        assert row["baseline"] == "bee"
        assert (row["status"], row["reason"], row["notes"]) == ("ok", None, None)
        assert (row["n_items"], row["n_clusters"], row["n_missing"]) == (500, 500, 0)
        assert row["length_coefficient"] == pytest.approx(1.5, abs=0.4)
        assert row["position_coefficient"] == pytest.approx(0.4, abs=0.2)
        assert row["ci_method"] == "cr1_t_logit"


def test_the_rate_turns_over_with_the_models() -> None:
    rows = pair_outcomes({"ant": 0.5, "bee": 0.0}, 60, length_effect=1.0)
    one = computed(rows)["stern", "ant"]
    two = computed(rows, length_control={"baseline": "ant"})["stern", "bee"]
    assert one["length_controlled"] + two["length_controlled"] == pytest.approx(1, abs=1e-9)
    assert one["raw"] + two["raw"] == pytest.approx(1)
    assert one["ci_low"] + two["ci_high"] == pytest.approx(1, abs=1e-9)
    assert one["length_coefficient"] == pytest.approx(two["length_coefficient"], abs=1e-8)
    assert one["position_coefficient"] == pytest.approx(two["position_coefficient"], abs=1e-8)


def test_the_baseline_is_one_half_by_definition() -> None:
    row = computed(pair_outcomes(THETA, 20))["stern", "bee"]
    assert (row["length_controlled"], row["raw"], row["se"]) == (0.5, 0.5, None)
    assert (row["ci_method"], row["status"]) == ("by definition", "ok")


def test_missing_pairs_are_left_out_and_counted_and_forfeits_are_losses() -> None:
    rows = pair_outcomes({"ant": 0.3, "bee": 0.0}, 60)
    plain = computed(rows[12:])["stern", "ant"]
    kinds = ["missing", "both_failed", "forfeit_a"]
    found = computed([*(unvoted(r, kinds[k % 3]) for k, r in enumerate(rows[:12])), *rows[12:]])
    row = found["stern", "ant"]
    assert (row["n_items"], row["n_missing"]) == (52, 8)
    assert row["theta"] == pytest.approx(plain["theta"], abs=1e-9)
    expected = plain["length_controlled"] * 48 / 52
    assert row["length_controlled"] == pytest.approx(expected, abs=1e-9)


def test_pairs_of_unknown_length_are_left_out_and_said() -> None:
    rows = pair_outcomes({"ant": 0.3, "bee": 0.0}, 30)
    rows[0] |= {"n_chars_a": None}
    row = computed(rows)["stern", "ant"]
    assert (row["n_items"], row["n_missing"]) == (29, 1)
    assert "unknown lengths" in row["notes"]


def test_a_model_never_held_against_the_baseline_has_no_rate() -> None:
    rows = pair_outcomes({"ant": 0.3, "cat": 0.0}, 12)
    row = computed(rows)["stern", "ant"]
    assert (row["status"], row["reason"]) == ("undefined", "0 comparisons")
    assert (row["length_controlled"], row["raw"], row["n_items"]) == (None, None, 0)


def test_the_raw_rate_has_an_interval_that_turns_over_with_the_models() -> None:
    rows = pair_outcomes({"ant": 0.4, "bee": 0.0}, 60)
    one = computed(rows)["stern", "ant"]
    other = computed(rows, length_control={"baseline": "ant"})["stern", "bee"]
    assert one["raw_low"] < one["raw"] < one["raw_high"]
    assert other["raw_low"] == pytest.approx(1 - one["raw_high"])
    few = computed(pair_outcomes({"ant": 0.4, "bee": 0.0}, 6))["stern", "ant"]
    assert (few["raw_low"], few["raw_high"]) == (None, None)


def test_equal_lengths_are_said() -> None:
    rows = [r | {"n_chars_a": 5, "n_chars_b": 5} for r in pair_outcomes({"ant": 0, "bee": 0}, 20)]
    row = computed(rows)["stern", "ant"]
    assert row["notes"] == "length_not_identifiable"
    assert row["length_coefficient"] is None
    assert row["status"] == "ok"


def test_each_judge_has_its_rows_and_its_quarantine() -> None:
    rows = pair_outcomes(THETA, 12)
    rows += [r | {"quarantined": True} for r in pair_outcomes(THETA, 12, judge="panel")]
    found = computed(rows)
    assert found.keys() == {(j, m) for j in ("panel", "stern") for m in THETA}
    assert all(row["quarantined"] == (judge == "panel") for (judge, _), row in found.items())


def test_the_order_of_rows_changes_nothing() -> None:
    rows = pair_outcomes(THETA, 30, length_effect=1.0)
    shuffled = list(rows)
    np.random.default_rng(1).shuffle(shuffled)
    assert computed(rows) == computed(shuffled)


def test_the_stage_is_wanted_only_with_a_baseline() -> None:
    assert STAGE.wanted(judged_contract())
    assert not STAGE.wanted(judged_contract(length_control=None))
    with pytest.raises(ValueError, match="contract helpful/v1 has no length_control"):
        computed([], length_control=None)


def test_difficulty_comes_from_the_items_by_name() -> None:
    rows = pair_outcomes({"ant": 0.4, "bee": 0.0}, 60)
    rng = np.random.default_rng(3)
    hard = {row["item_id"]: {"hard": float(rng.normal())} for row in rows}
    control = {"baseline": "bee", "difficulty": "hard"}
    plain = found_with(rows, control, hard)
    assert plain["difficulty_coefficient"] is not None
    turned = dict(reversed(hard.items()))
    assert found_with(list(reversed(rows)), control, turned) == plain
    lost = {name: keys for k, (name, keys) in enumerate(hard.items()) if k != 7}
    fewer = found_with(rows, control, lost | {rows[7]["item_id"]: {}})
    assert (fewer["n_items"], fewer["n_missing"]) == (59, 1)
    assert "items without difficulty" in fewer["notes"]
    again = found_with(rows[:7] + rows[8:], control, hard)
    assert again["theta"] == pytest.approx(fewer["theta"], abs=1e-9)
    with pytest.raises(ValueError, match="no item has the key 'hard'"):
        found_with(rows, control, {row["item_id"]: {} for row in rows})


def found_with(rows: list[dict[str, Any]], control: Any, extras: Any) -> dict[str, Any]:
    contract = judged_contract(length_control=control)
    made = STAGE.compute(inputs(table(rows), contract, extras)).tables[NAME].to_pylist()
    (one,) = [row for row in made if row["model"] == "ant"]
    return one


def test_gamed_versions_of_the_baseline_hold_the_length_back() -> None:
    theta = {"ant": 0.4, "bee": 0.0, "bee_long": 0.0, "bee_short": 0.0}
    rows = pair_outcomes(theta, 40, length_effect=2.0)
    for row in rows:  # the gamed versions really are longer, or shorter, without length paying
        for side in "ab":
            if row[f"model_{side}"] == "bee_long":
                row[f"n_chars_{side}"] += 900
    free = computed(rows)["stern", "ant"]
    held = computed(
        rows,
        length_control={
            "baseline": "bee",
            "gamed": ["bee_long", "bee_short"],
            "gamed_weight": 20.0,
        },
    )["stern", "ant"]
    assert abs(held["length_coefficient"]) < abs(free["length_coefficient"])
    assert held["raw"] == free["raw"]
    assert held["length_controlled"] != free["length_controlled"]


def test_the_error_by_refits_stands_beside_the_delta_method() -> None:
    row = computed(pair_outcomes(THETA, 120, length_effect=1.0))["stern", "ant"]
    assert row["se_bootstrap"] == pytest.approx(row["se"], rel=0.15)
    assert row["largest_cluster"].startswith("c0")
    assert 0 < row["largest_share"] < 0.5


def test_two_models_at_equal_length_add_up_to_one_and_agree_with_the_table() -> None:
    rows = table(pair_outcomes({"ant": 0.8, "bee": 0.0, "cat": -0.4}, 200, length_effect=0.5))
    contract = judged_contract()
    found = STAGE.compute(inputs(rows, contract)).tables[NAME].to_pylist()
    of_table = {row["model"]: row for row in found}
    items = inputs(rows, contract).table("items", ["item_id", "extra"])

    def rate(one: str, two: str) -> Any:
        return rate_between_models(contract, rows, items, one, two)

    forth, back = rate("ant", "cat"), rate("cat", "ant")
    assert forth.rate + back.rate == pytest.approx(1, abs=1e-12)
    assert (forth.low, forth.high) == pytest.approx((1 - back.high, 1 - back.low))
    assert forth.low < 1 / (1 + np.exp(-1.2)) < forth.high
    for column, value in (("length_controlled", "rate"), ("ci_low", "low"), ("ci_high", "high")):
        assert getattr(rate("ant", "bee"), value) == pytest.approx(of_table["ant"][column])
    assert rate("bee", "ant").rate == pytest.approx(1 - of_table["ant"]["length_controlled"])
    assert "0 comparisons" in rate("ant", "dog").reason
    with pytest.raises(ValueError, match="name two models"):
        rate("ant", "ant")


def test_style_that_pays_is_taken_out_like_length() -> None:
    rng = np.random.default_rng(2)
    rows = pair_outcomes({"ant": 0.0, "bee": 0.0}, 400, seed=2, order_effect=0.0)
    for row in rows:
        lists = float(rng.integers(0, 6) - 1)
        first, second = (float(rng.random() < 1 / (1 + np.exp(-lists / 2))) for _ in range(2))
        row |= {"score_a_first": first, "score_a_second": second, "style": {"lists": lists}}
    rows[0]["style"] = None
    control = {"baseline": "bee", "style": ["lists"]}
    found = STAGE.compute(inputs(table(rows), judged_contract(length_control=control)))
    (row,) = (r for r in found.tables[NAME].to_pylist() if r["model"] == "ant")
    assert row["raw"] > 0.6
    assert row["ci_low"] < 0.5 < row["ci_high"]
    assert dict(row["style_coefficients"])["lists"] > 0.5
    assert row["n_missing"] == 1
    assert row["notes"] == "unknown styles: left out of the fit and counted as missing"
