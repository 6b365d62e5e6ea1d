"""What is left to choose from: guardrails first, then quality, cost and latency."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.decision.tradeoff import Offer, mean_costs, placed

NAN = math.nan


def offer(name, quality, cost=NAN, tokens=NAN, latency=NAN, violated=False):
    return Offer(name, quality, math.nan, math.nan, cost, tokens, latency, violated)


def standings(*offers, higher=True):
    return {name: one.standing for name, one in placed(offers, higher_is_better=higher).items()}


def test_the_golden_frontier_comes_out(golden_vectors):
    (case,) = [c for c in golden_vectors("instruments.json") if c["id"] == "stat.pareto"]
    offers = [
        offer(c["id"], c["q"], cost=c["cost"], latency=c["lat"], violated=c["safe"] < 0.95)
        for c in case["inputs"]["cands"]
    ]
    found = standings(*offers)
    for standing, names in case["expected"].items():
        assert sorted(name for name, one in found.items() if one == standing) == names


def test_tokens_stand_in_for_a_price_that_one_checkpoint_lacks():
    offers = [offer("a", 0.7, cost=1.0, tokens=50), offer("b", 0.6, tokens=80)]
    found = placed(offers, higher_is_better=True)
    assert found["b"].standing == "dominated"
    assert found["b"].reason == "another is no worse in quality and tokens, and better in one"


def test_what_cannot_be_placed_says_why():
    found = placed([offer("a", NAN, latency=3), offer("b", 0.5)], higher_is_better=True)
    assert found["a"].reason == "its quality is unknown"
    assert found["b"].reason == "neither cost nor latency is recorded of every checkpoint"
    assert {one.standing for one in found.values()} == {"unplaced"}
    assert placed([], higher_is_better=True) == {}


def test_where_lower_is_better_the_lower_one_leads():
    found = standings(offer("a", 0.1, latency=5), offer("b", 0.2, latency=5), higher=False)
    assert found == {"a": "frontier", "b": "dominated"}


sides = st.integers(0, 3).map(float)


@given(st.lists(st.tuples(sides, sides, sides), min_size=1, max_size=7))
def test_a_checkpoint_is_dominated_just_where_another_is_no_worse_and_once_better(rows):
    offers = [offer(str(i), q, cost=c, latency=t) for i, (q, c, t) in enumerate(rows)]
    found = standings(*offers)
    gains = [(q, -c, -t) for q, c, t in rows]
    for i, one in enumerate(gains):
        beaten = any(
            all(x >= y for x, y in zip(other, one, strict=True)) and other != one for other in gains
        )
        assert found[str(i)] == ("dominated" if beaten else "frontier")


@pytest.mark.parametrize("quality", [0.9, NAN])
def test_a_violated_guardrail_disqualifies_whatever_the_quality(quality):
    assert standings(offer("a", quality, latency=1, violated=True)) == {"a": "disqualified"}


def test_means_are_over_the_samples_that_record_the_measure():
    found = mean_costs(["b", "a", "b", "a"], {"latency_ms": [1.0, NAN, 3.0, NAN]})
    assert found["b"] == {"latency_ms": 2.0}
    assert math.isnan(found["a"]["latency_ms"])
