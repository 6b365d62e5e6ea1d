"""Public judges through our audits: AlpacaEval's seats and LLMBar's numbers."""

from pathlib import Path

from eval_pipeline_tests.reproduce import alpaca_order, llmbar_label


def test_the_seat_that_nobody_recorded_is_recovered_and_moves_the_judge(
    reference_data: Path,
) -> None:
    assert all(abs(row.difference) <= row.allowed for row in alpaca_order.rows())
    effect = alpaca_order.position_effect(alpaca_order.annotations())
    assert effect.high < 0  # the judge favours the second seat
    assert abs(effect.value + (0.119 - 0.0376) / 2) < 0.002


def test_every_published_accuracy_and_kappa_is_reproduced(reference_data: Path) -> None:
    rows = llmbar_label.rows()
    assert all(abs(row.difference) <= row.allowed for row in rows)
    assert sum("missing left out" in row.name for row in rows) == 118
    assert sum("Cohen's" in row.name for row in rows) == 485
