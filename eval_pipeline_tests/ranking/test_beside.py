"""What stands beside a leaderboard: judges as clusters, equal covariates, exact tests."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from eval_pipeline.orchestration.stages.ratings import STAGE
from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import encode_battles
from eval_pipeline.ranking.few_clusters import direct_tests
from eval_pipeline.ranking.pairs import battles_by_judge, battles_of_pairs, pairs_of_table
from eval_pipeline.ranking.sandwiches import two_way_covariance
from eval_pipeline_tests.ranking.contract import inputs, judged_contract
from eval_pipeline_tests.ranking.outcomes import pair_outcomes, table

THETA = {"ant": 0.7, "bee": 0.0, "cat": -0.7}


def computed(rows: list[dict[str, Any]], **changes: Any) -> dict[str, list[dict[str, Any]]]:
    found = STAGE.compute(inputs(table(rows), judged_contract(**changes)))
    return {name: made.to_pylist() for name, made in found.tables.items()}


def panel_of(*judges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean vote of judges that saw the same pairs."""
    columns = ("score_a", "score_a_first", "score_a_second")
    rows = []
    for votes in zip(*judges, strict=True):
        means = {name: float(np.mean([vote[name] for vote in votes])) for name in columns}
        rows.append({**votes[0], **means, "judge": "panel", "n_votes": 4, "n_votes_first": 2})
    return rows


@pytest.mark.parametrize(("by_order", "by_vote"), [*product([False, True], repeat=2)])
def test_a_panel_told_apart_by_judge_has_the_panels_fit(by_order: bool, by_vote: bool) -> None:
    one, two = (
        pair_outcomes(THETA, 40, seed=seed, judge=judge, order_effect=0.6)
        for seed, judge in ((1, "kind"), (2, "stern"))
    )
    panel, kind, stern = (pairs_of_table(table(rows)) for rows in (panel_of(one, two), one, two))
    how = {"by_order": by_order, "by_vote": by_vote}
    whole = battles_of_pairs(panel, **how)
    apart = battles_by_judge(panel, {"kind": kind, "stern": stern}, **how)
    fits = [fit_bradley_terry(pair_counts(b), order_effect=by_order) for b in (whole, apart)]
    np.testing.assert_allclose(fits[0].parameters, fits[1].parameters, atol=1e-10)
    assert apart.n_judges == 2
    assert apart.weight.sum() == pytest.approx(whole.weight.sum())


def test_a_member_is_heard_in_the_one_order_that_all_members_saw() -> None:
    two = pair_outcomes(THETA, 12, seed=2, judge="stern")
    one = [row | {"score_a_second": None, "score_a": row["score_a_first"]} for row in two]
    kind, stern = (pairs_of_table(table(rows)) for rows in (one, two))
    apart = battles_by_judge(kind, {"kind": kind, "stern": stern}, by_order=False)
    by_judge = [apart.score[apart.judge == k].tolist() for k in (0, 1)]
    assert by_judge[0] == by_judge[1]
    assert len(by_judge[0]) == len(one)


def test_errors_by_prompt_and_judge_stand_beside_a_panel_and_only_there() -> None:
    one = pair_outcomes(THETA, 60, seed=1, judge="kind")
    two = pair_outcomes({"ant": -0.5, "bee": 0.0, "cat": 0.5}, 60, seed=2, judge="stern")
    found = computed([*one, *two, *panel_of(one, two)])
    by_judge = {(row["judge"], row["model"]): row for row in found["ratings"]}
    assert by_judge["kind", "ant"]["se_two_way"] is None
    # The judges see opposite orders of strength: what a prompt shares is the least of it.
    assert by_judge["panel", "ant"]["se_two_way"] > 3 * by_judge["panel", "ant"]["se"]
    panel, kind, stern = (pairs_of_table(table(rows)) for rows in (panel_of(one, two), one, two))
    apart = battles_by_judge(panel, {"kind": kind, "stern": stern}, by_order=True)
    fit = fit_bradley_terry(pair_counts(apart), order_effect=True)
    v = two_way_covariance(fit, apart).covariance
    gap = np.sqrt(v[0, 0] + v[2, 2] - 2 * v[0, 2])
    (row,) = (
        r
        for r in found["contrasts"]
        if (r["judge"], r["model_i"], r["model_j"]) == ("panel", "ant", "cat")
    )
    assert row["se_two_way"] == pytest.approx(gap, rel=1e-9)
    assert {r["judge"]: r["n_judges"] for r in found["fit_diagnostics"]}["panel"] == 2


def with_length_paid(n_items: int, **changes: Any) -> list[dict[str, Any]]:
    """bee is no better than ant, but longer, and the judge pays length."""
    rng = np.random.default_rng(4)
    rows = pair_outcomes({"ant": 0.0, "bee": 0.0, "cat": -0.5}, n_items, seed=4)
    for row in rows:
        longer = 300 * (row["model_a"] == "bee") - 300 * (row["model_b"] == "bee")
        chars = int(longer + rng.normal(0, 150))
        gap = 0.5 * (row["model_b"] == "cat") + chars / 300
        first, second = (float(rng.random() < 1 / (1 + np.exp(-gap))) for _ in range(2))
        row |= {"n_chars_a": 1000 + chars, "n_chars_b": 1000, "score_a": (first + second) / 2}
        row |= {"score_a_first": first, "score_a_second": second, "style": {"lists": chars / 100}}
        row |= changes
    return rows


@pytest.mark.parametrize(("covariate", "unit"), [("length", 1.0), ("lists", 100.0)])
def test_strengths_at_equal_covariates_undo_what_length_paid(covariate: str, unit: float) -> None:
    found = computed(with_length_paid(400), ranking={"covariates": [covariate]})
    ratings = {row["model"]: row for row in found["ratings"]}
    assert ratings["bee"]["theta"] - ratings["ant"]["theta"] > 0.6
    fair = ratings["bee"]["theta_covariates"] - ratings["ant"]["theta_covariates"]
    assert abs(fair) < 3 * ratings["bee"]["se_covariates"]
    (fit,) = found["fit_diagnostics"]
    slope, scale = dict(fit["covariates"])[covariate], dict(fit["covariates_scale"])[covariate]
    error = dict(fit["covariates_se"])[covariate]
    assert slope / scale / unit == pytest.approx(1 / 300, abs=4 * error / scale / unit)
    assert fit["covariates_notes"] is None


def test_what_covariates_lack_is_said() -> None:
    unknown = {"n_chars_a": None, "n_chars_b": None}
    rows = with_length_paid(60)
    rows[:5] = [row | unknown for row in rows[:5]]
    asked: Any = {"ranking": {"covariates": ["length", "bold"]}}
    (fit,) = computed([row | {"style": {"bold": 0}} for row in rows], **asked)["fit_diagnostics"]
    assert fit["covariates_notes"] == (
        "bold does not vary; 10 of 360 rows lack a covariate and are left out"
    )
    (fit,) = computed([row | unknown for row in rows], **asked)["fit_diagnostics"]
    assert fit["covariates_notes"] == "no pair has them: the replies are not known"
    (fit,) = computed(rows)["fit_diagnostics"]
    assert fit["covariates"] is None


def test_with_few_clusters_two_models_are_tested_exactly_and_get_no_interval() -> None:
    rows = pair_outcomes({"ant": 2.0, "bee": -2.0, "cat": 0.0}, 60, clusters=8)
    found = computed(rows)
    contrasts = {(r["model_i"], r["model_j"]): r for r in found["contrasts"]}
    row = contrasts["ant", "bee"]
    assert row["p_value"] == 2 / 2**8  # ahead in every cluster
    assert (row["ci_low"], row["se"], row["ci_method"]) == (None, None, None)
    assert row["reason"] == (
        "no interval: 8 clusters, 10 needed; p by exact sign flips of the two's own pairs in 8 "
        "clusters"
    )
    assert row["p_holm"] >= row["p_value"]


def test_exact_tests_hold_their_level_and_agree_with_enumeration() -> None:
    rng = np.random.default_rng(8)
    one, two = np.array([0]), np.array([1])
    p_values = []
    for _ in range(400):
        lean = rng.normal(0, 1, 7)[np.repeat(np.arange(7), 6)]  # a cluster's own favour
        won = rng.random(42) < 1 / (1 + np.exp(-lean))
        battles = encode_battles("A" * 42, "B" * 42, won, cluster=[str(k // 6) for k in range(42)])
        (p_value,), (clusters,) = direct_tests(battles, one, two)
        assert clusters == 7
        p_values.append(p_value)
    sums = [won[k * 6 : k * 6 + 6].sum() - 3.0 for k in range(7)]
    flips = [abs(np.dot(sums, s)) >= abs(sum(sums)) - 1e-9 for s in product([-1, 1], repeat=7)]
    assert p_value == pytest.approx(np.mean(flips))
    assert np.mean(np.array(p_values) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
