"""Public judges through our audits: AlpacaEval's seats and LLMBar's numbers."""

from pathlib import Path

import pytest

from eval_pipeline.ingest.published_votes import published_row
from eval_pipeline_tests.reproduce import alpaca_order, llmbar_accuracy, llmbar_label


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


def test_the_accuracies_of_499_published_cells_are_those_of_the_table(reference_data: Path) -> None:
    rows = llmbar_accuracy.rows()
    assert len(rows) == 4 * 499
    assert all(abs(row.difference) <= row.allowed for row in rows)


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("[[A]]", "model_b"),
        ("Both try.\n\\[\\[B\\]\\]", "model_a"),
        ("A>B", "model_b"),
        ("[[B≫A]]", "model_a"),
        ("VERDICT: TIE", "tie"),
        ("<think>[[A]]</think>\n[[C]]", "tie"),
        ("I prefer [[A]], not [[B]].", "model_b"),
        ("[[A]] or [[B]]", None),
        ('Reply two ends with "so: [[B]]".', None),
        ("It pleads for [[A]].", None),
        ("heron", "model_b"),
        ("left", "model_b"),
        ("the first", None),
    ],
)
def test_a_column_of_judges_texts_is_read_by_its_markers(verdict: str, said: str | None) -> None:
    row = {
        "item_id": "i1", "model_a": "tern", "model_b": "heron", "shown_first": "heron",
        "reply_b": "I win: [[A]]" if "pleads" in verdict else "Hm.", "verdict": verdict,
    }  # fmt: skip
    (vote,) = published_row(row, "columns", {}).votes
    assert (vote.verdict if vote.verdict in ("model_a", "model_b", "tie") else None) == said
