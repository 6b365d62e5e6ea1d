"""Published per-item flags of four models on 1,319 items, taken through estimate and comparison."""

from itertools import pairwise

import pyarrow.parquet as pq
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from eval_pipeline.metrics.comparisons.rows import (
    ComparisonTerms,
    comparison_rows,
    item_differences,
)
from eval_pipeline.metrics.estimates.row import Design
from eval_pipeline.metrics.estimates.rows import estimate_rows
from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline_tests.metrics.recorded import recorded

PUBLISHED = {
    "6b_finetuning": 21.68,
    "6b_verification": 39.04,
    "175b_finetuning": 34.72,
    "175b_verification": 56.25,
}


@pytest.fixture(scope="module")
def flags(reference_data):
    table = pq.read_table(reference_data / "math" / "gsm8k_openai_solutions.parquet")
    rows = table.select(["model", "item_id", "published_correct"]).to_pylist()
    return {
        model: {r["item_id"]: r["published_correct"] for r in rows if r["model"] == model}
        for model in {r["model"] for r in rows}
    }


def marks(flags):
    return {item: "+" if right else "-" for item, right in flags.items()}


def test_accuracies_are_the_published_ones(flags):
    design = Design(("accuracy",), 1, 0.95, "item_id", None, ())
    found = {
        model: estimate_rows(*recorded(marks(right)), design)[-2] for model, right in flags.items()
    }
    assert {row["policy"] for row in found.values()} == {"primary"}
    assert {model: round(100 * row["value"], 2) for model, row in found.items()} == PUBLISHED
    assert {row["n_items"] for row in found.values()} == {1319}


def test_paired_tests_agree_with_mcnemar(flags):
    models = sorted(flags)
    terms = ComparisonTerms(0.95, "holm", None, ())
    for one, other in pairwise(models):
        items, candidate = recorded(marks(flags[one]))
        _, baseline = recorded(marks(flags[other]))
        values = [
            item_values(METRICS["accuracy"], None, items, samples, draws_per_item=1)
            for samples in (candidate, baseline)
        ]
        (row,) = comparison_rows(items, item_differences(*values), terms)
        won, lost = len(row["items_won"]), len(row["items_lost"])
        theirs = mcnemar([[0, won], [lost, 0]], exact=False, correction=False)
        assert row["difference"] == pytest.approx((won - lost) / 1319)
        # McNemar's variance is that under no difference; ours is that of the difference found
        rescaled = theirs.statistic / (1 - theirs.statistic / 1319) * 1318 / 1319
        assert (row["difference"] / row["se"]) ** 2 == pytest.approx(rescaled)
        assert (row["p_value"] < 0.05) == (theirs.pvalue < 0.05)
