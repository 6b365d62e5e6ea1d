"""Our verdicts beside recorded ones: counts that add up, kappa against its definition."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.agreement.formula import cohen_kappa
from eval_pipeline.verification.audits.agreement import (
    NOTHING_SHARED,
    ONE_SIDED,
    agreement_row,
    agreement_rows,
    recorded_rows,
    relation,
)
from eval_pipeline.verification.recorded import RecordedVerdicts
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.schemas.vocabulary import VERDICT_RELATIONS

READER = RecordedVerdicts("passed", "the authors")
scores = st.sampled_from([None, 0.0, 0.25, 0.5, 1.0])


def pair(i: int, ours: float | None, recorded: float | None, limit: float | None = None) -> Any:
    """Our row, and what the raw row holds."""
    row = {
        "item_id": f"i-{i:03d}",
        "draw": 0,
        "cluster_id": f"c-{i // 2}",
        "status": "parser_failure" if ours is None else "ok",
        "detail": None,
        "extracted": None,
        "verdict": ours,
        "explanation": "so",
    }
    return row, None if recorded is None else f'{{"passed":{recorded}}}'


def compared(
    pairs: list[tuple[float | None, float | None]], threshold: float | None = None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    made = [pair(i, *one) for i, one in enumerate(pairs)]
    extras = {(row["item_id"], row["draw"]): extra for row, extra in made}
    rows = recorded_rows([row for row, _ in made], extras, READER, threshold)
    return rows, agreement_row(rows, READER, threshold, 0.95)


@pytest.mark.parametrize(
    ("ours", "recorded", "threshold", "expected"),
    [
        (1.0, 1.0, None, "agrees"),
        (0.0, 0.0, None, "agrees"),
        (1.0, 0.0, None, "differs"),
        (None, 1.0, None, "only_recorded"),
        (0.0, None, None, "only_ours"),
        (None, None, None, "neither"),
        (1.0, 0.5, None, "between"),
        (1.0, 0.5, 0.5, "agrees"),
        (1.0, 0.5, 0.6, "differs"),
        (0.3, 0.2, 0.25, "differs"),
    ],
)
def test_how_two_verdicts_stand(
    ours: float | None, recorded: float | None, threshold: float | None, expected: str
) -> None:
    assert relation(ours, recorded, threshold) == expected


@given(st.lists(st.tuples(scores, scores), max_size=40), st.sampled_from([None, 0.25, 0.5, 1.0]))
def test_counts_add_up_and_the_row_is_one_of_the_table(
    pairs: list[tuple[float | None, float | None]], threshold: float | None
) -> None:
    rows, whole = compared(pairs, threshold)
    TABLES["recorded_verdicts"].from_rows(rows)
    TABLES["verdict_agreement"].from_rows([whole])
    assert {row["relation"] for row in rows} <= set(VERDICT_RELATIONS)
    apart = sum(whole[f"n_{name}"] for name in ("only_ours", "only_recorded", "neither", "between"))
    assert whole["n_compared"] + apart == whole["n_samples"] == len(pairs)
    cells = ("both_right", "only_ours_right", "only_recorded_right", "both_wrong")
    assert sum(whole[cell] for cell in cells) == whole["n_compared"]
    assert whole["only_ours_right"] + whole["only_recorded_right"] == sum(
        row["relation"] == "differs" for row in rows
    )


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0])), min_size=1))
def test_kappa_is_that_of_the_two_by_two_table(pairs: list[tuple[float, float]]) -> None:
    _, whole = compared(list(pairs))
    table = [[0, 0], [0, 0]]
    for ours, recorded in pairs:
        table[int(ours)][int(recorded)] += 1
    expected = cohen_kappa(table)
    assert whole["agreement"] == pytest.approx(expected.observed)
    assert whole["kappa"] == pytest.approx(expected.coefficient, nan_ok=True, abs=1e-12)
    if whole["kappa_low"] == whole["kappa_low"]:
        assert whole["kappa_low"] <= whole["kappa"] <= whole["kappa_high"]
    else:
        assert whole["kappa_reason"]


def test_what_does_not_vary_has_no_kappa_or_no_interval_and_says_so() -> None:
    _, none = compared([(1.0, None), (None, 0.0)])
    assert math.isnan(none["agreement"])
    assert none["agreement_reason"] == none["kappa_reason"] == NOTHING_SHARED
    _, same = compared([(1.0, 1.0)] * 40)
    assert same["agreement"] == 1.0
    assert math.isnan(same["kappa"])
    assert "chance explains it" in same["kappa_reason"]
    _, one = compared([(1.0, 1.0), (1.0, 0.0)] * 20)
    assert (one["kappa"], one["kappa_reason"]) == (0.0, ONE_SIDED)


def test_clusters_widen_the_interval_of_kappa() -> None:
    """Two samples of one cluster that say the same are worth one."""
    pairs: list[tuple[float | None, float | None]] = []
    for i in range(80):
        ours = float(i % 2)
        pairs += [(ours, 1.0 - ours if i % 5 == 0 else ours)] * 2
    rows, clustered = compared(pairs)
    alone = [{**row, "cluster_id": row["item_id"]} for row in rows]
    free = agreement_row(alone, READER, None, 0.95)
    assert clustered["kappa"] == free["kappa"]
    wide, narrow = (row["kappa_high"] - row["kappa_low"] for row in (clustered, free))
    assert wide / narrow == pytest.approx(math.sqrt(2), rel=0.03)


def test_means_of_both_stand_on_the_same_samples() -> None:
    _, whole = compared([(1.0, 0.0), (1.0, 1.0), (None, 1.0), (0.0, None)])
    assert (whole["ours"], whole["recorded"]) == (1.0, 0.5)
    assert (whole["recorded_all"], whole["n_recorded"]) == (pytest.approx(2 / 3), 3)


def test_steps_of_a_chain_stand_apart_and_hold_what_was_read_by_them() -> None:
    rows, whole = compared([(1.0, 1.0), (1.0, 0.0), (0.0, 0.0), (None, 1.0), (1.0, None)] * 6)
    details = ["boxed", "last_number; strict", "boxed; wrong", "no_step", "last_number"] * 6
    stepped = [{**row, "ours_detail": d} for row, d in zip(rows, details, strict=True)]
    first, *steps = agreement_rows(stepped, READER, None, 0.95, by_step=True)
    assert first["slice"] == "all"
    assert first["n_samples"] == whole["n_samples"]
    assert [row["slice"] for row in steps] == ["step=boxed", "step=last_number"]
    boxed, last = steps
    assert (boxed["agreement"], boxed["n_compared"]) == (1.0, 12)
    assert (last["agreement"], last["n_compared"], last["n_only_ours"]) == (0.0, 6, 6)
    assert sum(row["n_samples"] for row in steps) == 24
    TABLES["verdict_agreement"].from_rows([first, *steps])
    assert len(agreement_rows(stepped, READER, None, 0.95)) == 1
