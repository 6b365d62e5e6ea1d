"""Recorded public verdicts in both orders, through the swap report."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from eval_pipeline.judging.audits.swap_report import swap_findings
from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes
from eval_pipeline_tests.reproduce.llmbar import (
    judge_votes,
    missing_counted_as_agreeing,
    rows,
)


@pytest.fixture(scope="module")
def pairs(reference_data: Path) -> JudgedPairs:
    path = reference_data / "judges" / "llmbar_verdicts_both_orders.parquet"
    return combine_votes(judge_votes(pq.read_table(path)))


def test_all_published_agreements_are_reproduced(pairs: JudgedPairs) -> None:
    found = rows()
    assert len(found) == 499 + 54
    assert all(abs(row.difference) <= row.allowed for row in found)


def test_two_missing_verdicts_are_missing_and_never_agree(pairs: JudgedPairs) -> None:
    assert len(pairs) == 40413
    assert missing_counted_as_agreeing(pairs) == (121, 54)
    assert np.isnan(pairs.score[pairs.category == "missing"]).all()
    assert (pairs.category == "single_order").sum() == 106


def test_the_swap_report_of_a_cell_agrees_with_its_raw_verdicts(
    reference_data: Path, pairs: JudgedPairs
) -> None:
    raw = pq.read_table(
        reference_data / "judges" / "llmbar_verdicts_both_orders.parquet",
        filters=[
            ("dataset", "=", "LLMBar/Natural"),
            ("judge", "=", "PaLM2"),
            ("strategy", "=", "Vanilla"),
        ],
    ).to_pylist()
    found = {
        one.audit: one.estimate
        for one in swap_findings(
            pairs.where(pairs.judge == "LLMBar/Natural PaLM2 Vanilla"), confidence=0.95
        )
    }
    both = [row for row in raw if "nan" not in (row["winner_ab"], row["winner_ba"])]
    flips = sum(row["winner_ab"] != row["winner_ba"] for row in both)
    first = sum(row["winner_ab"] == "1" for row in both) / len(both)
    second = sum(row["winner_ba"] == "1" for row in both) / len(both)
    assert found["flip_rate"].value == pytest.approx(flips / len(both))
    assert found["position_effect"].value == pytest.approx((first - second) / 2)
    assert found["position_effect"].n_clusters == len(both)
