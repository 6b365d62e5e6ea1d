"""The golden vectors of judging and agreement."""

from collections.abc import Callable
from typing import Any

from eval_pipeline_tests.golden.answers.judging import INSTRUMENTS
from eval_pipeline_tests.golden.runner import run


def test_every_golden_vector_of_the_room_is_met(golden_vectors: Callable[[str], Any]) -> None:
    cases = [one for one in golden_vectors("instruments.json") if one["instrument"] in INSTRUMENTS]
    assert {case["instrument"] for case in cases} == set(INSTRUMENTS)
    results = [run(case, INSTRUMENTS[case["instrument"]]) for case in cases]
    assert [result for result in results if result.complaint] == []
