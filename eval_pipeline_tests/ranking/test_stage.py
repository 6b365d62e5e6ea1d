"""The `ratings` stage: every model listed, every gap with its reason, counts that add up."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.orchestration.stages.ratings import STAGE
from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import encode_battles
from eval_pipeline.ranking.pairs import battles_of_pairs, pairs_of_table
from eval_pipeline.ranking.ties import davidson_probabilities
from eval_pipeline_tests.ranking.contract import inputs, judged_contract
from eval_pipeline_tests.ranking.outcomes import pair_outcomes, table, unvoted, voted

THETA = {"ant": 0.7, "bee": 0.0, "cat": -0.7}


def computed(rows: list[dict[str, Any]], **changes: Any) -> dict[str, list[dict[str, Any]]]:
    outcomes = table(rows)
    found = STAGE.compute(inputs(outcomes, judged_contract(**changes)))
    assert set(found.tables) == set(STAGE.tables)
    return {name: made.to_pylist() for name, made in found.tables.items()}


def by_model(rows: list[dict[str, Any]], judge: str = "stern") -> dict[str, dict[str, Any]]:
    return {row["model"]: row for row in rows if row["judge"] == judge}


def test_strengths_and_the_order_effect_are_recovered() -> None:
    found = computed(pair_outcomes(THETA, 400), ranking={"anchor": "bee"})
    ratings = by_model(found["ratings"])
    for model, theta in THETA.items():
        row = ratings[model]
        assert row["ci_low"] < theta < row["ci_high"]
        assert row["ci_method"] == "cr1_t"
        assert (row["status"], row["reason"], row["standing"]) == ("ok", None, "ok")
        assert (row["n_battles"], row["n_missing"], row["n_clusters"]) == (800, 0, 400)
        assert (row["estimator"], row["df"], row["confidence"]) == ("mle", 399, 0.95)
    assert ratings["bee"]["elo"] == pytest.approx(1000)
    assert sum(row["theta"] for row in ratings.values()) == pytest.approx(0, abs=1e-12)
    (fit,) = found["fit_diagnostics"]
    assert abs(fit["order_effect"] - 0.4) < 3 * fit["order_effect_se"]
    assert (fit["converged"], fit["n_weak"], fit["n_strong"], fit["replicates"]) == (
        True,
        1,
        1,
        300,
    )
    assert (fit["tie_rule"], fit["reason"], fit["deviance_df"]) == ("half_win", None, 3)
    ranks = by_model(found["rank_sets"])
    assert [ranks[m]["rank"] for m in THETA] == [1, 2, 3]
    assert [(ranks[m]["rank_low"], ranks[m]["rank_high"]) for m in THETA] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert ranks["ant"]["p_best"] == 1
    assert ranks["ant"]["method"] == "max_t_one_step"
    assert len(found["contrasts"]) == 3
    first = found["contrasts"][0]
    assert (first["model_i"], first["model_j"]) == ("ant", "bee")
    gap = ratings["ant"]["theta"] - ratings["bee"]["theta"]
    assert first["difference"] == pytest.approx(gap)
    assert first["win_probability"] == pytest.approx(1 / (1 + np.exp(-gap)))
    assert first["win_low"] == pytest.approx(1 / (1 + np.exp(-first["ci_low"])))
    assert first["win_low"] < first["win_probability"] < first["win_high"]
    assert first["simultaneous_low"] < first["ci_low"] < first["ci_high"]
    assert first["p_value"] <= first["p_holm"]


def test_the_anchor_moves_only_the_printed_scale() -> None:
    rows = pair_outcomes(THETA, 60)
    one, two = (computed(rows, ranking={"anchor": a}) for a in ("ant", "cat"))
    assert one["contrasts"] == two["contrasts"]
    assert one["rank_sets"] == two["rank_sets"]
    for a, b in zip(one["ratings"], two["ratings"], strict=True):
        moved = {"elo", "elo_low", "elo_high", "anchor"}
        assert {k: v for k, v in a.items() if k not in moved} == {
            k: v for k, v in b.items() if k not in moved
        }
        assert a["elo"] != b["elo"]
        points = 400 / np.log(10)  # a logit, on the printed scale
        assert a["elo_high"] - a["elo"] == pytest.approx(points * (a["ci_high"] - a["theta"]))
        assert b["elo"] - b["elo_low"] == pytest.approx(points * (b["theta"] - b["ci_low"]))


def test_the_order_of_rows_changes_nothing() -> None:
    rows = pair_outcomes(THETA, 30)
    shuffled = list(rows)
    np.random.default_rng(1).shuffle(shuffled)
    assert computed(rows) == computed(shuffled)


def test_each_judge_and_the_panel_stand_alone() -> None:
    rows = pair_outcomes(THETA, 40) + [
        row | {"quarantined": True}
        for row in pair_outcomes({"ant": -1.0, "bee": 1.0}, 40, judge="panel", seed=6)
    ]
    found = computed(rows)
    assert by_model(found["ratings"], "stern").keys() == THETA.keys()
    panel = by_model(found["ratings"], "panel")
    assert panel.keys() == {"ant", "bee"}
    assert all(row["quarantined"] for row in panel.values())
    assert not any(row["quarantined"] for row in by_model(found["ratings"], "stern").values())
    assert by_model(found["ratings"], "stern") == by_model(
        computed(pair_outcomes(THETA, 40))["ratings"], "stern"
    )
    assert [row["judge"] for row in found["fit_diagnostics"]] == ["panel", "stern"]


def test_forfeits_decide_and_missing_pairs_are_counted() -> None:
    rows = pair_outcomes(THETA, 30)
    kinds = {0: "missing", 4: "both_failed", 8: "forfeit_a", 12: "forfeit_b"}
    rows = [unvoted(row, kinds[k]) if k in kinds else row for k, row in enumerate(rows)]
    ratings = by_model(computed(rows)["ratings"])
    lost = dict.fromkeys(THETA, 0)
    for k in (0, 4):
        lost[rows[k]["model_a"]] += 1
        lost[rows[k]["model_b"]] += 1
    for model, row in ratings.items():
        assert row["n_missing"] == lost[model]
        assert row["n_battles"] + row["n_missing"] == 60
        assert row["n_ties"] == sum(
            r["score_a"] == 0.5 and model in (r["model_a"], r["model_b"]) for r in rows
        )
    battles = battles_of_pairs(pairs_of_table(table(rows)), by_order=True)
    assert battles.weight.sum() == 90 - 2
    assert (~battles.seated).sum() == 2
    assert set(battles.score[~battles.seated].tolist()) <= {0.0, 1.0}


def test_an_order_alone_counts_half_by_order_and_not_at_all_otherwise() -> None:
    rows = pair_outcomes(THETA, 10)
    alone = {"score_a": None, "score_a_second": None, "half_counts": None, "n_orders": 1}
    rows[3] |= alone | {"category": "single_order", "score_a_first": 0.5}
    pairs = pairs_of_table(table(rows))
    by_order, by_pair = (battles_of_pairs(pairs, by_order=way) for way in (True, False))
    assert (by_order.weight.sum(), by_pair.weight.sum()) == (29.5, 29)
    assert by_order.seated.all()
    assert not by_pair.seated.any()
    a = rows[3]["model_a"]
    ties = sum(row["score_a"] == 0.5 and a in (row["model_a"], row["model_b"]) for row in rows)
    one = by_model(computed(rows)["ratings"])[a]
    assert (one["n_battles"], one["n_missing"], one["n_ties"]) == (20, 0, ties + 1)
    without = computed(rows, ranking={"order_effect": False})
    two = by_model(without["ratings"])[a]
    assert (two["n_battles"], two["n_missing"], two["n_ties"]) == (19, 1, ties)
    assert without["fit_diagnostics"][0]["order_effect"] is None


def test_an_undefeated_model_has_a_bound_and_no_number() -> None:
    rows = pair_outcomes({"bee": 0.2, "cat": -0.2}, 40)
    rows += [voted(k, "ant", foe, 1.0, 1.0, 40) for k in range(40) for foe in ("bee", "cat")]
    found = computed(rows)
    ant = by_model(found["ratings"])["ant"]
    assert (ant["standing"], ant["status"], ant["theta"], ant["elo"]) == (
        "undefeated",
        "undefined",
        None,
        None,
    )
    assert ant["bound_low"] > 2
    assert ant["bound_high"] is None
    assert ant["reason"] == (
        f"no finite strength: it lost nothing; at least {ant['bound_low']:.2f} logits"
    )
    assert by_model(found["ratings"])["bee"]["status"] == "ok"
    apart = [c for c in found["contrasts"] if c["model_i"] == "ant"]
    assert all(c["difference"] is None and "one took everything" in c["reason"] for c in apart)
    ranks = by_model(found["rank_sets"])
    assert ranks["ant"]["rank"] is None
    assert ranks["ant"]["reason"] == "no rank: not all strengths are finite and on one scale"
    assert (ranks["ant"]["rank_low"], ranks["ant"]["rank_high"]) == (1, 3)
    with_prior = computed(rows, ranking={"prior_sd": 3.0})
    assert by_model(with_prior["ratings"])["ant"]["estimator"] == "map"
    assert by_model(with_prior["ratings"])["ant"]["theta"] > 2


def test_two_islands_are_not_compared() -> None:
    rows = pair_outcomes({"ant": 0.2, "bee": -0.2}, 40)
    rows += pair_outcomes({"cat": 0.5, "dog": -0.5}, 40, seed=9)
    found = computed(rows, ranking={"anchor": "ant"})
    ratings = by_model(found["ratings"])
    assert [ratings[m]["component"] for m in ("ant", "bee", "cat", "dog")] == [0, 0, 1, 1]
    assert ratings["cat"]["theta"] is not None
    assert ratings["cat"]["elo"] is None
    assert ratings["cat"]["reason"] == "no Elo: not in one component with anchor ant"
    across = next(c for c in found["contrasts"] if (c["model_i"], c["model_j"]) == ("ant", "cat"))
    assert across["difference"] is None
    assert across["reason"] == "no difference: no chain of judged pairs joins them"
    unanchored = by_model(computed(rows)["ratings"])
    assert unanchored["ant"]["reason"] == "no Elo: several components and no anchor"


def test_an_anchor_that_was_never_judged_is_said() -> None:
    ratings = by_model(computed(pair_outcomes(THETA, 20), ranking={"anchor": "yak"})["ratings"])
    assert ratings["ant"]["elo"] is None
    assert ratings["ant"]["theta"] is not None
    assert ratings["ant"]["reason"] == "no Elo: anchor yak has no finite strength"


def test_few_clusters_leave_numbers_without_intervals_or_rank_sets() -> None:
    found = computed(pair_outcomes(THETA, 45, clusters=9))
    row = by_model(found["ratings"])["ant"]
    assert row["theta"] is not None
    assert (row["se"], row["ci_low"], row["ci_method"]) == (None, None, None)
    assert row["reason"] == "no interval: 9 clusters, 10 needed"
    rank = by_model(found["rank_sets"])["ant"]
    assert (rank["rank"], rank["rank_low"], rank["p_best"]) == (1, None, None)
    assert "too few clusters" in rank["reason"]
    assert found["fit_diagnostics"][0]["replicates"] == 0
    assert found["fit_diagnostics"][0]["reason"] == "no interval: 9 clusters, 10 needed"


def test_a_judge_without_a_usable_vote_has_rows_without_numbers() -> None:
    rows = [unvoted(row, "missing") for row in pair_outcomes(THETA, 5)]
    found = computed(rows)
    row = by_model(found["ratings"])["ant"]
    assert (row["standing"], row["status"], row["theta"]) == ("unjudged", "undefined", None)
    assert (row["n_battles"], row["n_missing"], row["reason"]) == (0, 10, "no judged pair")
    assert [len(found[name]) for name in STAGE.tables] == [3, 3, 3, 1]


def test_no_rows_give_empty_tables() -> None:
    assert all(not rows for rows in computed([]).values())


def test_the_same_inputs_give_the_same_tables() -> None:
    outcomes = table(pair_outcomes(THETA, 30))
    one, two = (STAGE.compute(inputs(outcomes, judged_contract())).tables for _ in range(2))
    for name in STAGE.tables:
        assert one[name].equals(two[name])
        assert isinstance(one[name], pa.Table)


def in_one_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same pairs, shown in one order by design: half of them model_a first."""
    kept = []
    for k, row in enumerate(rows):
        own, lost = ("score_a_first", "score_a_second")[:: 1 if k % 2 else -1]
        changed = {lost: None, "score_a": row[own], "half_counts": None, "category": "single_order"}
        kept.append(row | changed | {"n_orders": 1, "n_votes": 1, "n_votes_first": k % 2})
    return kept


def test_a_pair_shown_once_by_design_is_a_whole_battle_without_a_seat() -> None:
    rows = in_one_order(pair_outcomes(THETA, 60))
    found = computed(rows)
    ratings = by_model(found["ratings"])
    assert all((row["n_battles"], row["n_missing"]) == (120, 0) for row in ratings.values())
    assert found["fit_diagnostics"][0]["order_effect"] is None
    assert "order effect not identifiable" in found["fit_diagnostics"][0]["reason"]
    battles = battles_of_pairs(pairs_of_table(table(rows)), by_order=True)
    assert battles.weight.tolist() == [1.0] * 180
    assert not battles.seated.any()


def test_every_vote_is_a_battle_where_the_contract_weighs_votes() -> None:
    rows = pair_outcomes(THETA, 30)
    crowd = {"score_a_first": 0.75, "score_a_second": 0.0, "n_votes": 5, "n_votes_first": 4}
    rows[0] |= crowd | {"score_a": 0.375, "category": "mixed", "half_counts": None}
    pairs = pairs_of_table(table(rows))
    battles = battles_of_pairs(pairs, by_order=False, by_vote=True)
    assert battles.weight.sum() == 89 * 2 + 5
    assert not battles.seated.any()
    assert battles_of_pairs(pairs, by_order=True, by_vote=True).seated.all()
    # Vote by vote: three for a and one for b in the first order, one for b in the second.
    first, second, score, weight = [], [], [], []
    for row in rows:
        votes = (row["n_votes_first"], row["n_votes"] - row["n_votes_first"])
        for taken, number in zip((row["score_a_first"], row["score_a_second"]), votes, strict=True):
            first.append(row["model_a"])
            second.append(row["model_b"])
            score.append(taken)
            weight.append(number)
    expected = fit_bradley_terry(pair_counts(encode_battles(first, second, score, weight=weight)))
    asked = {"order_effect": False, "weigh": "votes"}
    ratings = by_model(computed(rows, ranking=asked)["ratings"])
    found = [ratings[model]["theta"] for model in expected.models]
    np.testing.assert_allclose(found, expected.theta, atol=1e-9)


def test_errors_by_battle_and_by_leaving_out_stand_beside_the_clustered_one() -> None:
    few, many = (computed(pair_outcomes(THETA, 90, clusters=c)) for c in (15, 90))
    for row in by_model(few["ratings"]).values():
        assert row["se_jackknife"] == pytest.approx(row["se"], rel=0.2)
        assert row["se_battle"] > 0
        assert row["largest_cluster"].startswith("c00")
        assert 1 / 15 < row["largest_share"] < 1
    assert all(row["se_jackknife"] is None for row in by_model(many["ratings"]).values())
    (fit,) = few["fit_diagnostics"]
    assert fit["pearson_x2"] == pytest.approx(fit["deviance"], rel=0.1)
    assert 0 < fit["deviance_p"] <= 1
    assert 0 < fit["pearson_p"] <= 1


def test_other_accounts_of_ties_stand_beside_and_flips_never_enter_them() -> None:
    rng = np.random.default_rng(4)
    rows = []
    for item in range(150):
        for a, b in (("ant", "bee"), ("ant", "cat"), ("bee", "cat")):
            parts = list(davidson_probabilities(THETA[a] - THETA[b], 0.8).values())[:3]
            said = rng.choice([1.0, 0.5, 0.0], p=parts)
            rows.append(voted(item, a, b, said, said, 150))
    found = computed(rows)
    (fit,) = found["fit_diagnostics"]
    assert fit["davidson"] == pytest.approx(0.8, abs=0.2)
    assert fit["rao_kupper"] > 0
    ratings = by_model(found["ratings"])
    for model, theta in THETA.items():
        assert ratings[model]["theta_davidson"] == pytest.approx(theta, abs=0.3)
        # A half win is worth less than a logit of a decided vote.
        assert abs(ratings[model]["theta"]) <= abs(ratings[model]["theta_davidson"]) + 0.05
    flips = [voted(k, "ant", "bee", 1.0, 0.0, 150) for k in range(150, 250)]
    again = computed([*rows, *flips])
    assert again["fit_diagnostics"][0]["davidson"] == pytest.approx(fit["davidson"], abs=1e-9)
    none = computed([row for row in rows if row["category"] != "tie"])
    assert none["fit_diagnostics"][0]["davidson"] == 0.0
    ant = by_model(none["ratings"])["ant"]
    assert ant["theta_rao_kupper"] == pytest.approx(ant["theta"])
    assert by_model(none["ratings"])["ant"]["theta"] is not None


def test_a_judge_that_is_done_where_another_is_not_leaves_the_panel_as_it_is() -> None:
    rows = pair_outcomes(THETA, 40)

    def late(row: dict[str, Any], judge: str) -> dict[str, Any]:
        awaited = "cat" in (row["model_a"], row["model_b"])
        return (unvoted(row, "pending") if awaited else row) | {"judge": judge}

    others = [late(row, judge) for judge in ("kindly", "panel") for row in rows]
    done = computed([*rows, *others])
    both_late = computed([*others, *(late(row, "stern") for row in rows)])
    panel = by_model(done["ratings"], "panel")
    assert panel.keys() == {"ant", "bee"}
    assert panel == by_model(both_late["ratings"], "panel")
    assert by_model(done["ratings"], "stern").keys() == THETA.keys()
