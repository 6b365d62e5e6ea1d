"""Tests of the row types, and what writes them: `python -m eval_pipeline_tests.rows`."""
