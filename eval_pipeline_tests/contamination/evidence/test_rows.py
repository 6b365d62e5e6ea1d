"""Tests from log-probabilities: against scipy, by simulation, and with nothing to go on."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from eval_pipeline.contamination.evidence.log_probabilities import (
    difference,
    gap,
    min_k,
    one_sided_p,
    order_p,
    sharded_order_p,
)
from eval_pipeline.contamination.evidence.rows import evidence_rows
from eval_pipeline.warehouse.schemas import TABLES


def test_the_sharded_test_is_the_one_sided_t_test() -> None:
    x = np.random.default_rng(1).normal(0.4, 1, 25)
    expected = stats.ttest_1samp(x, 0, alternative="greater")
    found = sharded_order_p(x)
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert math.isnan(sharded_order_p([1.0]).p)
    assert sharded_order_p([0.5, 0.5]).reason == "all shards show the same difference"


def test_a_random_order_is_as_likely_to_come_out_anywhere() -> None:
    rng = np.random.default_rng(2)
    p = [order_p(float(x[0]), x[1:]).p for x in rng.normal(size=(3000, 20))]
    assert min(p) == 1 / 20
    assert np.mean(np.array(p) <= 0.1) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("bad", [[], [True, 1.0], [math.nan], ["x"], [[1.0]]])
def test_orders_that_are_no_numbers_are_refused(bad: list[object]) -> None:
    with pytest.raises(ValueError, match="permuted"):
        order_p(-1.0, bad)


def test_min_k_is_the_mean_of_the_least_likely_tokens() -> None:
    assert min_k([-1, -9, -2, -7, -3, -4, -5, -1, -1, -1]) == -8
    assert min_k([-3.0]) == -3
    assert math.isnan(min_k([]))
    with pytest.raises(ValueError, match=r"token 1: 0\.5 is above 0"):
        min_k([-1, 0.5])


def test_gaps_are_those_of_scipy_where_items_are_independent() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(0.3, 1, 40)
    found = gap(x, np.arange(40))
    assert one_sided_p(found) == pytest.approx(
        stats.ttest_1samp(x, 0, alternative="greater").pvalue
    )
    flagged = np.arange(40) < 15
    apart = difference(x, flagged, np.arange(40))
    assert apart.value == pytest.approx(x[flagged].mean() - x[~flagged].mean())
    assert not difference(x, np.zeros(40, bool), np.arange(40)).has_interval
    assert not gap(x[:5], np.arange(5)).has_interval


def sample(item: str, logprobs: list[float] | None = None, **extra: object) -> dict[str, object]:
    return {"item_id": item, "draw": 0, "token_logprobs": logprobs, "extra": json.dumps(extra)}


def items(n: int) -> list[dict[str, object]]:
    """n originals and a paraphrase of each."""
    rows = [{"item_id": f"o{i:02d}", "cluster_id": f"o{i:02d}", "extra": None} for i in range(n)]
    for i in range(n):
        extra = json.dumps({"paraphrase_of": f"o{i:02d}"})
        rows.append({"item_id": f"p{i:02d}", "cluster_id": f"p{i:02d}", "extra": extra})
    return rows


def test_a_memorised_benchmark_shows_in_every_test() -> None:
    rng = np.random.default_rng(4)
    samples, scores, verdicts = [], {}, {}
    for row in items(30):
        name, original = row["item_id"], row["item_id"].startswith("o")
        level = 0.5 if original else 2.0
        reply = (-rng.exponential(level, 40)).tolist()
        seen = [None, *(-rng.exponential(level, 20)).tolist()]
        order = {"canonical": -90 + rng.normal(), "permuted": (-100 + rng.normal(size=5)).tolist()}
        samples.append(sample(name, reply, question_logprobs=seen, order_logprobs=order))
        scores[name] = float(rng.random() < (0.9 if original else 0.4))
        verdicts[name] = "contaminated" if original else "clean"
    rows = evidence_rows(items(30), samples, verdicts, scores, "pass@1", 0.95)
    TABLES["contamination_evidence"].from_rows(rows)
    assert [(r["test"], r["subject"]) for r in rows] == [
        ("exchangeability", "order of the items"),
        ("min_k", "question"),
        ("min_k", "reply"),
        ("paraphrase_gap", "question"),
        ("paraphrase_gap", "reply"),
        ("paraphrase_gap", "score"),
    ]
    assert all(r["status"] == "ok" and r["p_value"] < 0.01 and r["value"] > 0 for r in rows)
    assert [r["grade"] for r in rows] == ["statistical"] + ["evidence"] * 5


def test_no_data_is_undefined_with_what_is_needed() -> None:
    plain = [{"item_id": "a", "cluster_id": "a", "extra": None}]
    rows = evidence_rows(plain, [sample("a")], {"a": "clean"}, {}, None, 0.95)
    TABLES["contamination_evidence"].from_rows(rows)
    assert {r["status"] for r in rows} == {"undefined"}
    assert all(r["reason"] for r in rows)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (sample("a", [0.5]), r"item a, draw 0: 0\.5 is no log-probability"),
        (sample("a", question_logprobs="x"), "question_logprobs must be a list"),
        (sample("a", question_logprobs=[-1, True]), "True is no log-probability"),
        (sample("a", order_logprobs={"canonical": 1}), "order_logprobs must be"),
        (sample("a", order_logprobs={"canonical": -1, "permuted": []}), "no permuted order"),
    ],
)
def test_log_probabilities_that_are_none_name_their_item(row: dict[str, object], says: str) -> None:
    plain = [{"item_id": "a", "cluster_id": "a", "extra": None}]
    with pytest.raises(ValueError, match=says):
        evidence_rows(plain, [row], {}, {}, None, 0.95)
