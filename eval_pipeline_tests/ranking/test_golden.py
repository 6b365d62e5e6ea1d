"""The golden vectors of Bradley-Terry, Elo and length control, and the published scores."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.diagnostics import deviance
from eval_pipeline.ranking.uncertainty import cluster_covariance
from eval_pipeline_tests.golden_ranking import INSTRUMENTS
from eval_pipeline_tests.reproduce.llmfao import crowd_battles


def off_by_more(got: Any, expected: Any, tolerance: float) -> list[str]:
    """Where an answer differs from the expected one; extra keys in the answer are fine."""
    if isinstance(expected, dict):
        return [f"{k}: {d}" for k, v in expected.items() for d in off_by_more(got[k], v, tolerance)]
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


def test_the_crowd_of_59_models(golden_vectors: Callable[[str], Any], reference_data: Path) -> None:
    golden = golden_vectors("ranking.json")["bt_llmfao"]["theta_centered"]
    battles = crowd_battles(reference_data)
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts)
    assert set(fit.models) == set(golden)
    np.testing.assert_allclose(fit.theta, [golden[m] for m in fit.models], atol=1e-12)
    found = deviance(fit, counts)
    assert found.df == 869
    assert found.p_value > 0.001  # strengths on a line describe the crowd
    assert battles.n_clusters == 13
    one_by_one = crowd_battles(reference_data)
    clustered = np.sqrt(np.diag(cluster_covariance(fit, battles).covariance))
    alone = type(battles)(**{**one_by_one.__dict__, "cluster": np.arange(8931), "n_clusters": 8931})
    by_battle = np.sqrt(np.diag(cluster_covariance(fit, alone).covariance))
    # Battles on one prompt move together: errors by battle are half of what they should be.
    assert (clustered / by_battle).mean() == pytest.approx(1.9, abs=0.15)
