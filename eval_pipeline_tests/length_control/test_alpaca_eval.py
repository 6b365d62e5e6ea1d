"""AlpacaEval's published annotations: raw rates exactly, length-controlled ones where recovered."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval_pipeline.length_control.model import LengthControlled, length_controlled_win_rate
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.length_control.alpaca import (
    BASELINE,
    Annotations,
    Reference,
    annotations,
    reference,
)


@pytest.fixture(scope="module")
def models(reference_data: Path) -> dict[str, Annotations]:
    return annotations(reference_data)


@pytest.fixture(scope="module")
def known(reference_data: Path) -> Reference:
    return reference(reference_data)


def fitted(rows: Annotations, known: Reference, **options: Any) -> LengthControlled:
    return length_controlled_win_rate(
        rows.length_difference,
        rows.preference,
        difficulty=known.difficulty[rows.instruction],
        cluster=rows.instruction,
        gamed=known.gamed,
        **options,
    )


def by_position(rows: Annotations, known: Reference) -> LengthControlled:
    """Difficulties by the row's number: after a gap all slip by one."""
    return length_controlled_win_rate(
        rows.length_difference,
        rows.preference,
        difficulty=known.difficulty[: len(rows.preference)],
        gamed=known.gamed,
    )


def test_raw_rates_are_the_published_ones(models: dict, known: Reference) -> None:
    published = [model for model in models if model in known.raw]
    assert len(published) == 57
    for model in published:
        raw = 100 * models[model].preference.mean()
        assert raw == pytest.approx(known.raw[model], abs=1e-8)


def test_every_golden_model_comes_out(
    models: dict, known: Reference, golden_vectors: Callable[[str], Any]
) -> None:
    golden = golden_vectors("ranking.json")["alpaca_eval_lc_published"]
    errors = []
    for model, expected in golden.items():
        rows = models[model]
        assert len(rows.preference) == expected["n"]
        # The reference joins by position, as was published; with all items both are the same.
        found = by_position(rows, known) if expected["n"] < 805 else fitted(rows, known)
        assert 100 * found.raw == pytest.approx(expected["raw_winrate"], abs=1e-8)
        ours = 100 * found.length_controlled
        assert ours == pytest.approx(expected["recovered_pipeline_lc_strict"], abs=1e-4)
        if expected["strictly_held_out"] and expected["n"] == 805:
            errors.append(abs(ours - expected["published_lc"]))
    assert len(errors) == 25
    assert np.mean(errors) <= 0.25


def test_the_error_is_that_of_the_fit_and_not_of_fitted_values(
    models: dict, known: Reference
) -> None:
    """The published error of the first is .667 points: that of its fitted probabilities."""
    expected = {
        "FuseChat-Llama-3.1-8B-Instruct": 1.42,
        "FuseChat-Gemma-2-9B-Instruct": 1.44,
        "NullModel": 0.80,
    }
    for model, se in expected.items():
        found = fitted(models[model], known, replicates=500, rng=generator(1, model))
        assert 100 * found.se_bootstrap == pytest.approx(se, rel=0.1)
        assert found.se_bootstrap == pytest.approx(found.se, rel=0.06)


def test_models_that_lack_instructions_are_joined_by_name(models: dict, known: Reference) -> None:
    by_name, by_place = [], []
    for model, rows in models.items():
        if model not in known.raw or model == BASELINE or len(rows.preference) == 805:
            continue
        published = known.length_controlled[model]
        by_name.append(abs(100 * fitted(rows, known).length_controlled - published))
        slipped = by_position(rows, known)
        by_place.append(abs(100 * slipped.length_controlled - published))
    assert len(by_name) == 6
    # The published numbers carry the slip: by position we come out where they did.
    assert np.mean(by_place) == pytest.approx(0.10, abs=0.02)
    assert max(by_place) <= 0.26
    assert np.mean(by_name) == pytest.approx(1.59, abs=0.05)
    assert max(by_name) == pytest.approx(2.67, abs=0.05)
