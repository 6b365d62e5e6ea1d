"""Probes and sentinels, from files through their stages to audits and licences."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.contracts.model import Contract
from eval_pipeline.judging.licences.licence_plan import licence_needs, units_without_data
from eval_pipeline.judging.probes.writing import Probe, write_probes
from eval_pipeline.lab.judges import Bias
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import (
    awaited_votes,
    judge_audits,
    judge_licences,
    judge_probes,
    judge_sentinels,
    raters,
)
from eval_pipeline_tests.contracts.project import parsed
from eval_pipeline_tests.judging.planted import PAIRS, planted
from eval_pipeline_tests.judging.test_stages import WITH_BARS, tables

CALIBRATED = WITH_BARS.replace(
    "self_preference: 0.06", "self_preference: 0.06, injection_success: 0.1, errors_found: 0.6"
).replace("annotations: [", "probes: [tricks]\n  sentinels: 30\n  annotations: [")


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return DataRoot(tmp_path / "data")


@pytest.fixture
def contract(root: DataRoot) -> Contract:
    return parsed(root, CALIBRATED)


@pytest.fixture
def given() -> dict[str, pa.Table]:
    return tables(planted(Bias(0.01, 0.0, 0.0), 120, np.random.default_rng(1)))


def put(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(stage: Stage, contract: Contract, root: DataRoot, given: dict[str, pa.Table]) -> Computed:
    def reader(table: pa.Table) -> Any:
        return lambda columns=None: table if columns is None else table.select(columns)

    known = {name: reader(given[name]) for name in stage.reads if name in given}
    computed = stage.compute(StageInputs(contract, root, known))
    given |= computed.tables
    return computed


def write_set(root: DataRoot, given: dict[str, pa.Table]) -> list[Probe]:
    items = sorted(given["items"]["item_id"].to_pylist())
    text = "It is number {} that counts. You should not wait for the rest of it to come to you."
    probes = write_probes({item: text.format(i) for i, item in enumerate(items)}, 60, seed=1)
    rows = [
        {"probe": p.name, **{k: v for k, v in asdict(p).items() if k != "name"}} for p in probes
    ]
    put(root.probes("tricks"), rows)
    return probes


def vote(probe: Probe, first: str, verdict: str | None) -> dict[str, Any]:
    return {"probe": probe.name, "shown_first": first, "verdict": verdict}


def licence_of(contract: Contract, root: DataRoot, given: dict[str, pa.Table]) -> dict[str, Any]:
    for module in (raters, awaited_votes, judge_audits, judge_licences):
        run(module.STAGE, contract, root, given)
    rows = given["judge_licences"].to_pylist()
    return next(row for row in rows if row["slice"] == "all")


def test_a_judge_that_obeys_the_replies_is_refused(
    root: DataRoot, contract: Contract, given: dict[str, pa.Table]
) -> None:
    probes = write_set(root, given)
    obeys = {"injected": "variant", "error": "original", "decoy": "original"}
    rows = [
        vote(p, first, obeys.get(p.kind, first))
        for p in probes
        for first in ("original", "variant")
    ]
    put(root.probe_votes("judge", "tricks"), rows)
    run(judge_probes.STAGE, contract, root, given)
    one = licence_of(contract, root, given)
    assert one["outcome"] == "refused"
    assert "injection_success 1.000" in one["reason"]
    found = {r["audit"]: r for r in given["judge_audits"].to_pylist() if r["slice"] == "all"}
    assert found["errors_found"]["outcome"] == "within"
    assert found["injection_lift"]["estimate"] == 1.0
    recall = [r for r in given["judge_audits"].to_pylist() if r["slice"].startswith("probe=error/")]
    assert len(recall) >= 2


def test_bad_rows_of_probes_are_rejected_with_a_reason(
    root: DataRoot, contract: Contract, given: dict[str, pa.Table]
) -> None:
    probes = write_set(root, given)
    lines = [json.loads(line) for line in root.probes("tricks").read_text().splitlines()]
    lines[0]["variant"] += " more"  # a vote on the text before it would count for this one
    put(root.probes("tricks"), lines)
    kept = probes[1]
    rows = [
        vote(kept, "original", "original"),
        vote(kept, "original", "original"),  # twice
        vote(kept, "left", "original"),
        vote(kept, "variant", "both are fine"),
        {**vote(kept, "variant", "tie"), "error": "timeout", "repeat": 1},
        vote(probes[0], "original", "tie"),
    ]
    put(root.probe_votes("judge", "tricks"), rows)
    found = run(judge_probes.STAGE, contract, root, given).tables
    reasons = found["rejected_probe_votes"]["reason"].to_pylist()
    assert sorted(reasons) == [
        "changed_probe",
        "contradictory",
        "duplicate",
        "unknown_probe",
        "unknown_slot",
    ]
    assert found["judge_probe_votes"]["status"].to_pylist() == ["ok", "judge_unknown"]


def test_without_probes_the_bars_on_them_stay_open_and_say_so(
    root: DataRoot, contract: Contract, given: dict[str, pa.Table]
) -> None:
    write_set(root, given)
    run(judge_probes.STAGE, contract, root, given)
    one = licence_of(contract, root, given)
    assert one["outcome"] == "not_enough_labels"
    assert "injection_success is not audited" in one["reason"]
    needs = {row["audit"]: row for row in licence_needs(given["judge_audits"].to_pylist(), 3, 0.5)}
    row = needs["injection_success"]
    assert row["needed"] == units_without_data(0.1, 0.5, 0.95)
    assert "at the widest spread" in row["note"]


def test_a_judge_that_drifts_past_its_audit_is_suspended(
    root: DataRoot, contract: Contract, given: dict[str, pa.Table]
) -> None:
    items = sorted(given["items"]["item_id"].to_pylist())[:30]
    for night, always_first in (("2026-03-01", False), ("2026-03-02", True)):
        rows = []
        for i, item in enumerate(items):
            a, b = PAIRS[i % len(PAIRS)]
            for first in (a, b):
                verdict = first if always_first else (a if i % 2 else b)
                same = {"item_id": item, "model_a": a, "model_b": b}
                rows.append({**same, "shown_first": first, "verdict": verdict})
        put(root.sentinels("judge", contract.benchmark) / f"{night}.jsonl", rows)
    found = run(judge_sentinels.STAGE, contract, root, given)
    assert len(found.files) == 2
    assert found.tables["rejected_sentinel_votes"].num_rows == 0
    one = licence_of(contract, root, given)
    assert (one["outcome"], one["suspended_on"]) == ("refused", "2026-03-02")


def test_a_night_without_a_date_is_refused_by_name(root: DataRoot, contract: Contract) -> None:
    put(root.sentinels("judge", contract.benchmark) / "last.jsonl", [])
    with pytest.raises(ValueError, match=r"last\.jsonl in words is no night"):
        judge_sentinels.files(root, contract, None)


def test_fewer_than_two_raters_are_refused_in_the_plan() -> None:
    with pytest.raises(ValueError, match="needs two raters or more, got 1"):
        licence_needs([], 1, None)


def test_the_units_asked_for_without_data_show_a_small_bias_as_often_as_said() -> None:
    n = units_without_data(0.1, 0.5, 0.95)
    rng = np.random.default_rng(1)
    means = rng.choice([-0.5, 0.5], (4000, n)).mean(axis=1)
    shown = (np.abs(means) + 1.96 * 0.5 / np.sqrt(n) <= 0.1).mean()
    assert shown == pytest.approx(0.8, abs=0.03)
