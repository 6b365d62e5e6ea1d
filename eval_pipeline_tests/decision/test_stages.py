"""The stages from scores to decisions, run as they are, on tables written by hand."""

import json
import subprocess
import sys
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.ledgers import accept
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import (
    contamination_delta,
    decisions,
    metric_estimates,
    paired_comparisons,
)
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.recorded import items_table, scores_table

SKILLS = {"tern@1": 0.5, "tern@2": 0.52, "tern@3": 0.8}
ITEMS = [f"i{n:03}" for n in range(150)]
TOPICS = {name: {"topic": "xy"[n % 2]} for n, name in enumerate(ITEMS)}
LEAKED = ITEMS[:30]


def contract(**changes):
    whole = {
        "contract": "sums",
        "version": 1,
        "question": {"text": "?", "primary_endpoint": {"metric": "pass_at_k", "k": 1}},
        "targets": {"families": ["tern"]},
        "task": {"benchmark": "sums@1", "population": "sums", "slices": ["topic"]},
        "prompt": {"template": "plain"},
        "decoding": {"temperature": 0.8, "max_tokens": 64},
        "budget": {"draws_per_item": 2},
        "unit": {},
        "aggregation": {},
        "failures": dict.fromkeys(
            ("parser_failure", "model_refusal", "timeout", "permission_denied"), "wrong"
        )
        | {"infra_error": "exclude", "invalid_sample": "exclude"},
        "decision": {
            "rule": "superior",
            "guardrails": [{"metric": "refusal_rate", "at_most": 0.1}],
        },
        "evaluator": {"kind": "verifier", "reason": "numbers", "uncovered": "style"},
        "verification": {"verifier": "numeric@1", "extraction": "last_number@1"},
        "metrics": [{"name": "pass_at_k", "k": [1, 2]}, {"name": "majority_vote", "k": 2}],
        "contamination": {"corpora": ["web@1"]},
        "statistics": {"seed": 1},
    }
    return Contract.model_validate({**whole, **changes})


def marks(skill, seed):
    rng = generator(seed, "marks")
    difficulty = rng.random(len(ITEMS)) * 0.4 - 0.2
    right = rng.random((len(ITEMS), 2)) < np.clip(skill + difficulty, 0, 1)[:, None]
    return {
        item: "".join("+" if r else "-" for r in draws)
        for item, draws in zip(ITEMS, right, strict=True)
    }


def stamped(name, parts):
    """The parts of each checkpoint below each other, as a stage of contract scope gets them."""
    tables = [
        part.append_column("checkpoint", pa.array([checkpoint] * part.num_rows, pa.string()))
        for checkpoint, part in sorted(parts.items())
    ]
    return pa.concat_tables(tables)


def manifest():
    parts = {}
    for n, name in enumerate(SKILLS, start=1):
        facts = {"date": f"2026-01-0{n}", "parent": f"tern@{n - 1}" if n > 1 else None}
        rows = [{"field": f, "value": v} for f, v in {**facts, "family": "tern"}.items()]
        parts[name] = TABLES["run_manifest"].from_rows(rows)
    return stamped("run_manifest", parts)


def verdicts():
    rows = [
        {
            "item_id": item,
            "field": "question",
            "status": "contaminated" if item in LEAKED else "clean",
            "n_documents": 0,
            "max_ratio": 0.0,
            "max_span": 0,
            "rule": "exact@1",
            "reason": "",
        }
        for item in ITEMS
    ]
    return TABLES["contamination_items"].from_rows(rows)


def inputs(stated, root, tables, checkpoint=None):
    def reader(table):
        return lambda columns=None: table if columns is None else table.select(list(columns))

    return StageInputs(stated, root, {n: reader(t) for n, t in tables.items()}, checkpoint)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "contracts").mkdir()
    return DataRoot(tmp_path)


@pytest.fixture(scope="module")
def scores():
    return {name: scores_table(marks(s, n)) for n, (name, s) in enumerate(SKILLS.items())}


@pytest.fixture(scope="module")
def items():
    return items_table(ITEMS, slices=TOPICS)


def chain(stated, root, items, scores):
    """All four tables, as dicts of rows by table name."""
    estimated = {}
    for name, part in scores.items():
        made = inputs(stated, root, {"items": items, "verifier_scores": part}, name)
        computed = metric_estimates.STAGE.compute(made)
        for check in metric_estimates.STAGE.checks:
            assert check.finds(made, computed) is None
        estimated[name] = computed.tables["metric_estimates"]
    tables = {
        "items": items,
        "run_manifest": manifest(),
        "verifier_scores": stamped("verifier_scores", scores),
        "metric_estimates": stamped("metric_estimates", estimated),
        "contamination_items": verdicts(),
    }
    notes = {}
    for stage in (contamination_delta, paired_comparisons, decisions):
        computed = stage.STAGE.compute(inputs(stated, root, tables))
        tables |= computed.tables
        notes |= computed.notes
        assert not computed.files
    return {name: table.to_pylist() for name, table in tables.items()}, notes


def test_scores_become_decisions(root, items, scores):
    tables, _ = chain(contract(), root, items, scores)
    found = {row["checkpoint"]: row for row in tables["decisions"]}
    assert [found[name]["outcome"] for name in SKILLS] == ["reference", "not_enough_data", "ship"]
    assert found["tern@3"]["reference"] == "tern@1"
    assert found["tern@3"]["difference"] > 0.2
    assert found["tern@2"]["n_needed"] > 150
    (rail,) = json.loads(found["tern@3"]["guardrails"])
    assert rail["verdict"] == "satisfied"


def test_every_metric_asked_for_is_estimated_with_its_slices(root, items, scores):
    tables, _ = chain(contract(), root, items, scores)
    own = [row for row in tables["metric_estimates"] if row["checkpoint"] == "tern@1"]
    assert {row["metric"] for row in own} >= {"pass@1", "pass@2", "majority@2", "refusal_rate"}
    assert {row["slice"] for row in own} == {"all", "topic=x", "topic=y"}
    assert all(row["status"] == "ok" for row in own)


def test_each_is_compared_with_its_reference_and_its_parent(root, items, scores):
    tables, _ = chain(contract(), root, items, scores)
    found = {
        (row["checkpoint"], row["baseline"], row["role"]) for row in tables["paired_comparisons"]
    }
    assert found == {
        ("tern@2", "tern@1", "reference"),
        ("tern@2", "tern@1", "parent"),
        ("tern@3", "tern@1", "reference"),
        ("tern@3", "tern@2", "parent"),
    }


def test_an_accepted_checkpoint_becomes_the_reference_of_later_ones(root, items, scores):
    accept(root, "sums", 1, "tern@2", "a person", date(2026, 1, 3))
    tables, notes = chain(contract(), root, items, scores)
    found = {row["checkpoint"]: row["reference"] for row in tables["decisions"]}
    assert found == {"tern@1": None, "tern@2": "tern@1", "tern@3": "tern@2"}
    order = ["tern@1", "tern@2", "tern@3"]
    assert notes == paired_comparisons.STAGE.facts(root, contract(), None, order)


def test_a_line_that_changes_no_reference_of_this_contract_changes_nothing(root):
    def told():
        order = ["tern@1", "tern@2", "tern@3"]
        return paired_comparisons.STAGE.facts(root, contract(), None, order)

    accept(root, "sums", 1, "tern@1", "a person", date(2026, 1, 2))
    before = told()
    accept(root, "other", 1, "tern@2", "a person", date(2026, 1, 3))
    accept(root, "sums", 2, "tern@2", "a person", date(2026, 1, 3))
    accept(root, "sums", 1, "tern@3", "a person", date(2026, 1, 4))  # nothing comes after it
    assert told() == before
    accept(root, "sums", 1, "tern@2", "a person", date(2026, 1, 5))
    assert told() != before


def test_an_unreadable_list_leaves_the_plan_standing_and_fails_the_cell(root, items, scores):
    root.accepted.parent.mkdir(parents=True, exist_ok=True)
    root.accepted.write_text("- {contract: sums}\n")
    told = paired_comparisons.STAGE.facts(root, contract(), None, ["tern@1"])
    assert told["references"].startswith("unknown: contracts/accepted.yaml:1")
    with pytest.raises(ContractFaults):
        chain(contract(), root, items, scores)


def test_a_reference_without_scores_is_said_and_not_enough_data(root, items, scores):
    stated = contract(targets={"families": ["tern"], "reference": "heron@9"})
    tables, _ = chain(stated, root, items, scores)
    row = tables["decisions"][0]
    assert (row["outcome"], row["reason_code"]) == ("not_enough_data", "no_interval")
    assert row["reason"] == "tern@1 shares no scores with heron@9 under sums/v1"


def test_leaks_are_shown_as_a_difference_in_score(root, items, scores):
    leaked = {
        name: scores_table({i: "++" if i in LEAKED else m for i, m in marks(0.4, 9).items()})
        for name in scores
    }
    tables, _ = chain(contract(), root, items, leaked)
    rows = [row for row in tables["contamination_delta"] if row["metric"] == "pass@1"]
    assert len(rows) == 3
    for row in rows:
        assert (row["n_all"], row["n_clean"]) == (150, 120)
        assert row["ci_low"] > 0.05


def test_drafts_decide_nothing(root, items, scores):
    tables, _ = chain(contract(status="draft"), root, items, scores)
    assert {row["outcome"] for row in tables["decisions"]} == {"blocked"}
    assert {row["reason_code"] for row in tables["decisions"]} == {"draft"}


def test_an_unknown_decision_rule_blocks_and_the_confidence_is_said(root, items, scores):
    stated = contract(decision={"unknown": "not published"})
    computed = metric_estimates.STAGE.compute(
        inputs(stated, root, {"items": items, "verifier_scores": scores["tern@1"]}, "tern@1")
    )
    assert computed.notes["confidence"] == "0.95: the contract's decision is unknown"
    tables, _ = chain(stated, root, items, scores)
    assert {row["reason_code"] for row in tables["decisions"]} == {"is_reference", "no_rule"}


JUDGED = {
    "question": {"text": "?", "primary_endpoint": {"metric": "win_rate"}},
    "verification": None,
    "contamination": None,
    "metrics": [],
    "judging": {"judges": [{"name": "stern", "family": "owl"}], "bars": {}},
    "length_control": {"baseline": "tern@1"},
    "decision": {"rule": "superior"},
    "evaluator": {"kind": "judge", "reason": "taste", "uncovered": "truth"},
}


def judged(root, items, licence):
    outcomes = TABLES["pair_outcomes"].from_rows(
        [
            {
                "judge": judge,
                "item_id": item,
                "cluster_id": item,
                "model_a": "tern@1",
                "model_b": "tern@3",
                "category": "consistent_b" if n % 4 else "consistent_a",
                "score_a": 0.0 if n % 4 else 1.0,
                "n_orders": 2,
                "n_votes": 2,
                "quarantined": licence != "licensed",
            }
            for judge in ("panel", "stern")
            for n, item in enumerate(ITEMS)
        ]
    )
    licences = TABLES["judge_licences"].from_rows(
        [
            {"judge": "stern", "slice": "all", "outcome": licence, "reason": "", **rest}
            for rest in [
                {
                    c.name: "" if c.type == pa.string() else 0
                    for c in TABLES["judge_licences"].columns
                    if not c.nullable and c.name not in ("judge", "slice", "outcome", "reason")
                }
            ]
        ]
    )
    tables = {
        "items": items,
        "run_manifest": manifest(),
        "pair_outcomes": outcomes,
        "judge_licences": licences,
        "awaited_votes": TABLES["awaited_votes"].empty(),
    }
    for stage in (paired_comparisons, decisions):
        tables |= stage.STAGE.compute(inputs(contract(**JUDGED), root, tables)).tables
    return {row["checkpoint"]: row for row in tables["decisions"].to_pylist()}


def test_a_licensed_panel_decides_on_the_win_rate_above_one_half(root, items):
    found = judged(root, items, "licensed")
    assert found["tern@3"]["outcome"] == "ship"
    assert found["tern@3"]["difference"] == pytest.approx(112 / 150 - 0.5)
    assert found["tern@2"]["reason"] == "tern@2 was never judged against tern@1 under sums/v1"


@pytest.mark.parametrize("licence", ["refused", "not_enough_labels"])
def test_a_judge_without_a_licence_ships_nothing(root, items, licence):
    found = judged(root, items, licence)
    assert found["tern@3"]["outcome"] == "blocked"
    assert found["tern@3"]["reason_code"] == "quarantine"
    assert found["tern@3"]["quarantined"]


def test_metric_versions_are_part_of_the_stage():
    found = metric_estimates.STAGE.instruments(contract())
    assert found["pass@2"] == "pass_at_k@1"
    assert found["refusal_rate"] == "refusal_rate@1"
    assert paired_comparisons.STAGE.instruments(contract()) == {"pass@1": "pass_at_k@1"}
    assert set(contamination_delta.STAGE.instruments(contract())) == {
        "pass@1",
        "pass@2",
        "majority@2",
    }


def test_stages_are_wanted_where_their_tables_are():
    stated, by_judge = contract(), contract(**JUDGED)
    wanted = {
        stage.STAGE.name: (stage.STAGE.wanted(stated), stage.STAGE.wanted(by_judge))
        for stage in (metric_estimates, paired_comparisons, decisions, contamination_delta)
    }
    assert wanted == {
        "metric_estimates": (True, True),
        "paired_comparisons": (True, True),
        "decisions": (True, True),
        "contamination_delta": (True, False),
    }


def test_planning_loads_no_statistics():
    code = (
        "import sys; from eval_pipeline.orchestration.stages import "
        "metric_estimates, paired_comparisons, decisions, contamination_delta; "
        "print(sorted({'scipy', 'pandas', 'numba', 'dagster', 'statsmodels'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
