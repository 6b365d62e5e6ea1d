"""What is said beside a decision, and what is not."""

import pytest

from eval_pipeline.decision.headline import BoardEndpoint
from eval_pipeline.decision.remarks import drops, leak_note


def against(role="parent", low=-0.2, high=-0.1, **changes):
    return {
        "checkpoint": "tern@2",
        "baseline": "tern@1",
        "role": role,
        "slice": "all",
        "metric": "pass@1",
        "difference": -0.15,
        "ci_low": low,
        "ci_high": high,
        "confidence": 0.95,
    } | changes


def leaked(low=0.01, high=0.03, **changes):
    return {
        "checkpoint": "tern@2",
        "metric": "pass@1",
        "difference": 0.02,
        "ci_low": low,
        "ci_high": high,
        "confidence": 0.95,
        "n_all": 100,
        "n_clean": 90,
    } | changes


def said(comparisons=(), deltas=(), higher=True):
    endpoint = BoardEndpoint("pass@1", "verifier", higher)
    leak = leak_note("tern@2", endpoint, deltas)
    return [*drops("tern@2", endpoint, comparisons), *([leak] if leak else [])]


def test_a_drop_against_the_parent_and_a_flattered_score_are_said():
    assert said([against()], [leaked()]) == [
        "worse than its parent tern@1 by -0.1500 [-0.2000, -0.1000] at 95% in pass@1",
        "pass@1 on all 100 items is better than on the 90 clean ones by +0.0200 "
        "[+0.0100, +0.0300] at 95%: leaked items flatter it",
    ]


@pytest.mark.parametrize(
    ("comparisons", "deltas"),
    [
        ([against(high=0.01)], [leaked(low=-0.01)]),  # neither is shown
        ([against(low=None, high=None)], [leaked(low=None, high=None)]),
        ([against(role="reference")], [leaked(metric="pass@8")]),
        ([against(checkpoint="tern@3")], [leaked(checkpoint="tern@3")]),
        ([against(slice="topic=x")], []),
    ],
)
def test_what_is_not_shown_is_not_said(comparisons, deltas):
    assert said(comparisons, deltas) == []


def test_where_lower_is_better_a_rise_is_a_drop():
    assert said([against(low=0.1, high=0.2)], [leaked(low=-0.03, high=-0.01)], higher=False)
    assert not said([against()], [leaked()], higher=False)
