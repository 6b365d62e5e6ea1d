"""Published grades of real answers are found again, flag by flag."""

from eval_pipeline_tests.reproduce import gsm8k


def test_every_published_flag_agrees(reference_data, monkeypatch):
    monkeypatch.setenv("EVAL_PIPELINE_REFERENCE_DATA", str(reference_data))
    for row in gsm8k.rows():
        assert abs(row.difference) <= row.allowed, row
