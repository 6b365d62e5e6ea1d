"""The golden vectors of the lab."""

from collections.abc import Callable
from typing import Any

import pytest

from eval_pipeline_tests.golden.answers.lab import INSTRUMENTS


def test_every_golden_vector_of_the_room_is_met(golden_vectors: Callable[[str], Any]) -> None:
    cases = [
        case for case in golden_vectors("instruments.json") if case["instrument"] in INSTRUMENTS
    ]
    assert {case["instrument"] for case in cases} == set(INSTRUMENTS)
    for case in cases:
        got = INSTRUMENTS[case["instrument"]](**case["inputs"])
        assert got == pytest.approx(case["expected"], rel=0, abs=case["tolerance"]), case["id"]
