"""Exit codes and reasons of `gate`."""

import datetime
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.cli.gate import expired
from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.decision.gate import gate
from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.digest import table_digest
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.pointer import write_pointer
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, WORSE, manifest, put, write_success


@pytest.mark.parametrize(
    ("contract", "checkpoint", "code", "reason_code"),
    [
        ("sums@1", BETTER, 0, "non_inferior"),
        ("sums@1", WORSE, 10, "inferior"),
        ("sums@2", BETTER, 11, "undecided"),
        ("sums@1", BASE, 12, "is_reference"),
        ("hostile", BASE, 12, "draft"),
        ("preferences", BETTER, 12, "quarantine"),
    ],
)
def test_the_exit_code_says_what_was_decided(
    finished: Path, contract: str, checkpoint: str, code: int, reason_code: str
) -> None:
    asked = called(finished, "gate", contract, checkpoint, "--json")
    assert asked.code == asked.json["exit_code"] == code
    assert asked.json["reason_code"] == reason_code
    shown = called(finished, "gate", contract, checkpoint)
    assert shown.code == code
    assert f"({reason_code})" in shown.stdout
    assert asked.json["reason"] in " ".join(shown.stdout.split())


def test_a_decision_whose_inputs_have_changed_is_stale(own: Path) -> None:
    items = own / "benchmarks" / "sums" / "v1" / "items.jsonl"
    assert called(own, "gate", "sums@1", BETTER).code == 0
    folder = own / "checkpoints" / BETTER
    put(folder / "checkpoint.yaml", manifest("2026-02-02"))
    write_success(folder)
    asked = called(own, "gate", "sums@1", BETTER, "--json")
    assert (asked.code, asked.json["reason_code"]) == (12, "stale")
    assert "is stale" in asked.json["reason"]
    put(items, items.read_text().replace("1 + 2", "1 plus 2"))
    for call in (("gate", "sums@1", BETTER), ("run", "--contract", "sums@1")):
        assert "contract sums v1 was changed after results" in called(own, *call).stderr


def _forge_a_ship(root: Path) -> None:
    """A part that says ship, under its own digest, and a pointer that leads to it."""
    warehouse = Warehouse(root / "warehouse")
    place = Place("decisions", "sums", 1)
    pointer = warehouse.pointer(place)
    assert pointer is not None
    table = pq.read_table(pointer.part(warehouse.tables), partitioning=None)
    outcome = table.schema.field("outcome")
    forged = pa.array(["ship"] * table.num_rows, outcome.type)
    table = table.set_column(table.schema.get_field_index("outcome"), outcome, forged)
    digest = table_digest(table)
    part = replace(pointer, digest=digest, file=f"part-{digest}.parquet")
    pq.write_table(table, part.part(warehouse.tables))
    write_pointer(warehouse.tables, part)


def test_a_forged_decision_never_ships(own: Path) -> None:
    assert called(own, "gate", "sums@1", WORSE).code == 10
    _forge_a_ship(own)
    said = refused(own, "gate", "sums@1", WORSE)
    assert "decisions of sums/v1 are not believed" in said
    assert "is not what lineage says" in said


def test_a_decision_on_a_forged_estimate_never_ships(own: Path) -> None:
    (part,) = (own / "warehouse" / "tables" / "metric_estimates").glob(
        f"contract=sums/version=1/checkpoint={BETTER}/part-*.parquet"
    )
    table = pq.read_table(part)
    lower = pa.array([0.0] * table.num_rows)
    pq.write_table(table.set_column(table.schema.get_field_index("value"), "value", lower), part)
    assert "not believed" in refused(own, "gate", "sums@1", BETTER)


def test_what_was_never_computed_is_blocked(own: Path) -> None:
    text = (own / "contracts" / "sums" / "v1.yaml").read_text()
    put(own / "contracts" / "sums" / "v3.yaml", text.replace("version: 1", "version: 3"))
    asked = called(own, "gate", "sums", BETTER, "--json")
    assert (asked.code, asked.json["reason_code"]) == (12, "not_run")


def test_an_acceptance_is_recorded_only_for_what_ships(own: Path) -> None:
    ledger = own / "contracts" / "accepted.yaml"
    asked = called(own, "gate", "sums@1", WORSE, "--accept", "--by", "R. Wren")
    assert asked.code == 10
    assert "not accepted" in asked.stderr
    assert not ledger.exists()
    assert succeeded(own, "gate", "sums@1", BETTER, "--accept", "--by", "R. Wren").code == 0
    assert f'checkpoint: "{BETTER}"' in ledger.read_text()
    assert 'by: "R. Wren"' in ledger.read_text()
    kept = ledger.read_text()
    asked = called(own, "gate", "sums@1", BETTER, "--accept", "--by", "T. Robin")
    assert (asked.code, ledger.read_text()) == (0, kept)  # nothing is held against it yet
    assert "stands in accepted.yaml already" in asked.stderr


def test_accept_and_by_go_together(finished: Path) -> None:
    for extra in (["--accept"], ["--by", "R. Wren"]):
        assert "--by NAME" in refused(finished, "gate", "sums", BETTER, *extra, code=2)


def test_an_unknown_checkpoint_names_the_nearest(finished: Path) -> None:
    assert f"did you mean {BETTER}" in refused(finished, "gate", "sums", "beter@1")


@pytest.mark.parametrize(
    ("outcome", "reason_code", "marks", "blocked_by"),
    [
        ("ship", "superior", {}, "licence_expired"),
        ("reject", "not_superior", {}, "licence_expired"),
        ("ship", "superior", {"quarantined": True}, "quarantine"),
        ("blocked", "no_rule", {}, "no_rule"),
    ],
)
def test_a_licence_that_has_run_out_blocks_what_rests_on_it(
    outcome: str, reason_code: str, marks: dict[str, bool], blocked_by: str
) -> None:
    row = {"checkpoint": BETTER, "outcome": outcome, "reason_code": reason_code, "reason": "so"}
    answer = gate({**row, "draft": False, "quarantined": False, **marks}, expired="owl is late")
    assert (answer.exit_code, answer.reason_code) == (12, blocked_by)
    if blocked_by == "licence_expired":
        assert answer.reason == "owl is late"


def test_licences_are_asked_for_where_a_judge_decides(own: Path) -> None:
    found = evaluation("test", DataRoot(own))
    one = chosen(found.world, "preferences")
    (licence,) = found.warehouse.read("judge_licences", *one.home).table().to_pylist()
    kept = {name: licence[name] for name in TABLES["judge_licences"].schema.names}
    late = {**kept, "outcome": "licensed", "reaudit_by": "2026-03-01"}
    found.warehouse.publish(
        "judge_licences",
        TABLES["judge_licences"].from_rows([late]),
        contract="preferences",
        version=1,
        identity="c1:0",
        stage="judge_licences",
        key="0",
        run_id="test",
    )
    assert expired(found, one, datetime.date(2026, 3, 1)) is None
    assert "owl was to be audited" in str(expired(found, one, datetime.date(2026, 3, 2)))
    assert expired(found, chosen(found.world, "sums"), datetime.date(2026, 3, 2)) is None


def test_unit_exclusions_and_judges_stand_beside_the_decision(finished: Path) -> None:
    told = called(finished, "gate", "sums@1", BETTER, "--json").json
    assert told["unit"].startswith("item, clustered by ")
    assert told["excluded"].endswith(" samples")
    assert told["judges"] is None
    asked = called(finished, "gate", "preferences", BETTER)
    assert "no judge of pairs holds a licence" in " ".join(asked.stdout.split())
    assert "win_rate minus one half" in asked.stdout
    assert "excluded" in asked.stdout
    shown = succeeded(finished, "plan", "size", "--contract", "sums@1", "--detect", "0.1").stdout
    assert "95% intervals (cr1_t), unit item" in " ".join(shown.split())


def test_what_cannot_be_audited_or_compared_says_why(finished: Path) -> None:
    said = refused(finished, "audit", "export", "preferences", "--checkpoint", BETTER)
    assert "has no verifier" in said
    assert "eval-pipeline label" in said
    alone = succeeded(finished, "plan", "size", "--contract", "hostile", "--detect", "0.1").stdout
    assert "one checkpoint, and a comparison needs two" in " ".join(alone.split())
