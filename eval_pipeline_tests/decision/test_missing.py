"""Nothing ships that the missing could reverse."""

import pytest

from eval_pipeline.decision.rule import holds_at_worst


@pytest.mark.parametrize(
    ("rule", "margin", "bounds", "higher_is_better", "holds"),
    [
        ("superior", 0.0, (0.01, 0.2), True, True),
        ("superior", 0.0, (-0.3, 0.5), True, False),
        ("superior", 0.0, (-0.2, -0.01), False, True),
        ("non_inferior", 0.02, (-0.01, 0.5), True, True),
        ("non_inferior", 0.02, (-0.03, 0.5), True, False),
        ("non_inferior", 0.02, (-0.5, 0.03), False, False),
        ("equivalent", 0.05, (-0.04, 0.04), True, True),
        ("equivalent", 0.05, (-0.04, 0.06), True, False),
    ],
)
def test_the_bar_must_be_cleared_at_the_worst_of_the_missing(
    rule, margin, bounds, higher_is_better, holds
):
    assert holds_at_worst(rule, margin, *bounds, higher_is_better=higher_is_better) is holds
