"""Audits of scores: kappas against their definitions, planted biases found, gaps said."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from eval_pipeline.judging.audits.kappas import score_kappa
from eval_pipeline.judging.audits.score_audits import over_others
from eval_pipeline.judging.licences.licence import licence_rows
from eval_pipeline.judging.scoring.scored_replies import combine_people, combine_scores, with_due
from eval_pipeline.lab.planted import MARKERS
from eval_pipeline.metrics.agreement.formula import confusion, weighted_kappa
from eval_pipeline.metrics.agreement.kappas import kappa_estimate
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.judging.scored import RUBRIC, Scored, audits, judge_scores, scored

GOOD, BIASED = (one.name for one in MARKERS)
points = st.integers(1, 5)


@pytest.fixture(scope="module")
def made() -> Scored:
    return scored(7)


@given(st.lists(st.tuples(points, points), min_size=2, max_size=30))
def test_two_judges_with_a_score_each_have_cohens_weighted_kappa(pairs):
    x, y = np.array(pairs, dtype=np.float64).T
    found = score_kappa((x - y) ** 2, (x, x**2), (y, y**2)).value
    labels = [str(point) for point in range(1, 6)]
    table = confusion([str(int(v)) for v in x], [str(int(v)) for v in y], labels)
    assert found == pytest.approx(weighted_kappa(table, "quadratic").coefficient, nan_ok=True)


@given(st.lists(st.lists(points, min_size=2, max_size=4), min_size=2, max_size=8))
def test_people_among_themselves_are_compared_pair_by_pair(replies):
    """By definition: every ordered pair of people on a reply, against every pair by chance."""
    mean = np.array([np.mean(one) for one in replies])
    square = np.array([np.mean(np.square(one)) for one in replies])
    variance = np.array([np.var(one, ddof=1) for one in replies])
    found = score_kappa(2 * variance, (mean, square), (mean, square)).value
    apart = np.mean(
        [
            np.mean([(a - b) ** 2 for i, a in enumerate(one) for j, b in enumerate(one) if i != j])
            for one in replies
        ]
    )
    chance = np.mean(
        [
            np.mean([(a - b) ** 2 for a in one for b in two])
            for one, two in product(replies, replies)
        ]
    )
    expected = 1 - apart / chance if chance > 1e-12 else math.nan
    assert found == pytest.approx(expected, nan_ok=True)


def test_the_interval_of_a_kappa_is_that_of_leaving_out_clusters():
    rng = np.random.default_rng(3)
    base = rng.integers(1, 6, 400).astype(np.float64)
    x, y = (np.clip(base + rng.integers(-1, 2, 400), 1, 5) for _ in range(2))
    codes = np.repeat(np.arange(100), 4)

    def kappa(kept):
        a, b = x[kept], y[kept]
        return score_kappa((a - b) ** 2, (a, a**2), (b, b**2))

    whole = kappa(np.ones(400, dtype=bool))
    left = np.array([kappa(codes != c).value for c in range(100)])
    jackknife = math.sqrt(99 / 100 * np.sum((left - left.mean()) ** 2))
    assert kappa_estimate(whole, codes, 100, 0.95).se == pytest.approx(jackknife, rel=0.03)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.none() | points),
        min_size=1,
        max_size=20,
    )
)
def test_what_others_say_is_the_mean_of_the_other_groups(rows):
    reply = np.array([r for r, _, _ in rows])
    group = np.array([g for _, g, _ in rows], dtype=object)
    values = np.array([math.nan if v is None else v for _, _, v in rows], dtype=np.float64)
    expected = []
    for r, g, _ in rows:
        others = [v for one, other, v in rows if one == r and other != g and v is not None]
        expected.append(np.mean(others) if others else math.nan)
    np.testing.assert_allclose(over_others(values, reply, group), expected)


def test_a_reply_nobody_scored_is_missing_and_never_low(made: Scored) -> None:
    kept = made.scores.filter(pc.not_equal(made.scores["item_id"], "i000"))
    replies = with_due(combine_scores(kept, "all", RUBRIC), [GOOD], made.due, 2)
    lost = replies.where((replies.item_id == "i000") & (replies.judge == GOOD))
    assert lost.status.tolist() == ["missing"] * 4
    assert np.isnan(lost.mean).all()
    assert lost.asked.tolist() == [2] * 4
    everyone = combine_people(made.people, "all", RUBRIC)
    assert set(everyone.usable.tolist()) == {3}


def test_planted_biases_are_found_and_decide_the_licence(made: Scored) -> None:
    found = audits(made.evidence())
    for planted in made.planted:
        if planted.table == "judge_audits":
            row = found[planted.where["judge"], "all", planted.where["audit"]]
            assert row["ci_low"] <= planted.value <= row["ci_high"]
    licences = {row["judge"]: row for row in licence_rows(list(found.values()))}
    assert licences[GOOD]["outcome"] == "licensed"
    assert licences[BIASED]["outcome"] == "refused"
    assert "score_offset" in licences[BIASED]["failed_audits"]
    assert "without a bar: score_repeat_spread, score_agreement" in licences[GOOD]["reason"]
    # repeats share all but the drawn-afresh part of an opinion, so the spread is small and not 0
    assert 0 < found[GOOD, "all", "score_repeat_spread"]["estimate"] < 0.3
    assert found[GOOD, "criterion=clear", "score_agreement"]["bar"] is None
    assert found[BIASED, "all", "score_at_ceiling"]["estimate"] > 0.02


def test_without_people_nothing_is_proven_and_nothing_refused(made: Scored) -> None:
    found = audits(made.evidence(TABLES["annotation_scores"].empty()))
    row = found[BIASED, "all", "score_offset"]
    assert (row["status"], row["outcome"]) == ("undefined", "undecided")
    assert row["reason"] == "no scored reply has scores of people"
    licences = {row["judge"]: row for row in licence_rows(list(found.values()))}
    assert licences[BIASED]["outcome"] == "not_enough_labels"
    assert found[BIASED, "all", "score_self_preference_over_panel"]["status"] == "undefined"
    third = audits(made.evidence(TABLES["annotation_scores"].empty()), {GOOD: "wren"})
    panel = third[BIASED, "all", "score_self_preference_over_panel"]
    assert panel["ci_low"] > 0.1  # seen without people, and described only
    assert panel["outcome"] == "descriptive"


@pytest.mark.parametrize(
    ("change", "audit", "reason"),
    [
        ("one judge", "score_agreement", "no other judge scored its replies"),
        ("one score", "judge_human_kappa", "no scored reply has the scores of two people"),
        ("no repeat", "score_repeat_spread", "no reply was scored twice"),
        ("one value", "score_agreement", "only one value occurs: chance explains it"),
    ],
)
def test_what_cannot_be_told_is_undefined_with_its_reason(
    made: Scored, change: str, audit: str, reason: str
) -> None:
    scores, people = made.scores, made.people
    if change == "one judge":
        scores = scores.filter(pc.equal(scores["judge"], GOOD))
    elif change == "one score":
        people = people.filter(pc.equal(people["rater"], people["rater"][0]))
    elif change == "no repeat":
        scores = scores.filter(pc.equal(scores["repeat"], 0))
    else:
        rows = scores.filter(pc.equal(scores["status"], "ok"))
        at = rows.column_names.index("score")
        scores = rows.set_column(at, "score", pa.array([3.0] * rows.num_rows))
    evidence = Scored(scores, people, made.n_chars, ()).evidence()
    row = audits(evidence)[GOOD, "all", audit]
    assert (row["status"], row["reason"]) == ("undefined", reason)


def test_half_a_rubric_and_a_failed_call_are_counted(made: Scored) -> None:
    rows = [row for row in made.scores.to_pylist() if row["judge"] == GOOD]
    for row in rows:
        if row["item_id"] < "i012":
            row |= {"status": "judge_unknown", "score": None}
    evidence = Scored(judge_scores(rows), made.people, made.n_chars, ()).evidence()
    row = audits(evidence)[GOOD, "all", "missing_rate"]
    assert row["outcome"] == "outside"
    assert row["estimate"] == pytest.approx(12 / 300, abs=0.012)


@pytest.mark.slow
def test_intervals_of_planted_biases_cover_at_their_rate() -> None:
    n = 200
    held: Counter[str] = Counter()
    for seed in range(n):
        made = scored(seed, n_items=150)
        found = audits(made.evidence())
        for planted in made.planted:
            if planted.table == "judge_audits":
                row = found[planted.where["judge"], "all", planted.where["audit"]]
                held[planted.name] += row["ci_low"] <= planted.value <= row["ci_high"]
    low, high = (binom.ppf(p, n, 0.95) for p in (0.005, 0.995))
    assert {name: count for name, count in held.items() if not low <= count <= high} == {}
