"""A published accuracy is found again under both failure policies."""

from eval_pipeline_tests.reproduce import mmlu_pro


def test_both_policies_give_the_published_accuracy(reference_data, monkeypatch):
    monkeypatch.setenv("EVAL_PIPELINE_REFERENCE_DATA", str(reference_data))
    for row in mmlu_pro.rows():
        assert abs(row.difference) <= row.allowed, row
