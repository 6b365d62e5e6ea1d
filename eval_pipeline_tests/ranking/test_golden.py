"""The golden vectors of Bradley-Terry, Elo and length control."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from eval_pipeline_tests.golden_ranking import INSTRUMENTS


def off_by_more(got: Any, expected: Any, tolerance: float) -> list[str]:
    """Where an answer differs from the expected one; extra keys in the answer are fine."""
    if isinstance(expected, dict):
        return [
            f"{k}: {d}" for k, v in expected.items() for d in off_by_more(got[k], v, tolerance)
        ]
    if isinstance(expected, list):
        if len(got) != len(expected):
            return [f"{len(got)} values instead of {len(expected)}"]
        return [d for g, e in zip(got, expected, strict=True) for d in off_by_more(g, e, tolerance)]
    if isinstance(expected, bool | str) or expected is None:
        return [] if got == expected else [f"{got!r} instead of {expected!r}"]
    if isinstance(got, bool) or not math.isclose(got, expected, rel_tol=0, abs_tol=tolerance):
        return [f"{got!r} instead of {expected!r}"]
    return []


def test_every_golden_vector_of_the_room_is_met(golden_vectors: Callable[[str], Any]) -> None:
    cases = [c for c in golden_vectors("instruments.json") if c["instrument"] in INSTRUMENTS]
    assert {c["instrument"] for c in cases} == set(INSTRUMENTS)
    for case in cases:
        instrument, expected = INSTRUMENTS[case["instrument"]], case["expected"]
        if isinstance(expected, dict) and "raises" in expected:
            assert expected["raises"] == "ValueError"
            with pytest.raises(ValueError, match=r"."):
                instrument(**case["inputs"])
            continue
        wrong = off_by_more(instrument(**case["inputs"]), expected, case["tolerance"] or 0.0)
        assert not wrong, f"{case['id']}: {wrong}"
