"""The golden vectors of judging and agreement."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from eval_pipeline_tests.golden_judging import INSTRUMENTS


def agrees(got: Any, expected: Any, tolerance: float) -> bool:
    """Whether an answer is the expected one; extra keys in it are fine."""
    if isinstance(expected, Mapping):
        return all(agrees(got[key], value, tolerance) for key, value in expected.items())
    if isinstance(expected, list):
        pairs = zip(got, expected, strict=True)
        return all(agrees(mine, theirs, tolerance) for mine, theirs in pairs)
    if isinstance(expected, bool | str) or expected is None:
        return bool(got == expected)
    return not isinstance(got, bool) and math.isclose(got, expected, rel_tol=0, abs_tol=tolerance)


def test_every_golden_vector_of_the_room_is_met(golden_vectors: Callable[[str], Any]) -> None:
    cases = [
        case for case in golden_vectors("instruments.json") if case["instrument"] in INSTRUMENTS
    ]
    assert {case["instrument"] for case in cases} == set(INSTRUMENTS)
    for case in cases:
        instrument, expected = INSTRUMENTS[case["instrument"]], case["expected"]
        if isinstance(expected, Mapping) and "raises" in expected:
            with pytest.raises(ValueError, match=r"."):
                instrument(**case["inputs"])
            continue
        got = instrument(**case["inputs"])
        assert agrees(got, expected, case["tolerance"] or 0.0), (case["id"], got, expected)
