"""The golden vectors of Bradley-Terry, Elo and length control, and the published scores."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.diagnostics import deviance
from eval_pipeline.ranking.uncertainty import cluster_covariance
from eval_pipeline_tests.golden.answers.ranking import INSTRUMENTS
from eval_pipeline_tests.golden.runner import run
from eval_pipeline_tests.reproduce.llmfao import crowd_battles


def test_every_golden_vector_of_the_room_is_met(golden_vectors: Callable[[str], Any]) -> None:
    cases = [c for c in golden_vectors("instruments.json") if c["instrument"] in INSTRUMENTS]
    assert {c["instrument"] for c in cases} == set(INSTRUMENTS)
    results = [run(case, INSTRUMENTS[case["instrument"]]) for case in cases]
    assert not [result for result in results if result.complaint]


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
