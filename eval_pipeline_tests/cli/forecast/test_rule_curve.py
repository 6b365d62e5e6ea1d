"""The operating curve of a judged contract promises no more than its recorded pairs."""

import shutil
from pathlib import Path

import pytest

from eval_pipeline_tests.cli.calling import succeeded


def test_judged_pairs_tell_the_spread_and_else_votes_count_as_one(own: Path) -> None:
    ask = ("lab", "curve", "--contract", "preferences", "--simulations", "400", "--json")
    learnt = succeeded(own, *ask).json
    assert "from the panel's scores of" in learnt["population"]
    rows = succeeded(
        own,
        "query",
        "SELECT se FROM paired_comparisons WHERE contract = 'preferences' AND slice = 'all' "
        "AND role = 'reference'",
        "--json",
    ).json
    recorded = rows["rows"][0]["se"] if isinstance(rows, dict) else rows[0]["se"]
    assert learnt["standard_error"] == pytest.approx(recorded, rel=0.4)  # of 13 items
    shutil.rmtree(own / "warehouse")
    assumed = succeeded(own, *ask).json
    assert "all votes on an item taken as one draw" in assumed["population"]
    assert assumed["draws"] == 1
    assert assumed["standard_error"] == pytest.approx(0.5 / assumed["items"] ** 0.5, rel=0.2)
