"""Results in the forms of other tools: each is read back, with what must be known to read it."""

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pyarrow.parquet as pq
import pytest
import yaml

from eval_pipeline.reporting.exports.forms import FORMS
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.ingest.peers.made import entries, faults, numbers, replies

CONTRACT, BEST = "arithmetic_words", "tern@step2000"
PUBLISHER = ("--organization", "Nest", "--relationship", "first_party")
MANY = sorted(name for name, form in FORMS.items() if not form.single)

# The required part of eval.schema.json of evaleval/every_eval_ever, version 0.2.1.
RECORD = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info",
        "eval_library", "evaluation_results",
    ],
    "properties": {
        "schema_version": {"const": "0.2.1"},
        "evaluation_id": {"type": "string", "pattern": "^.+/.+/[0-9]+$"},
        "retrieved_timestamp": {"type": "string", "pattern": "^[0-9]+$"},
        "source_metadata": {
            "type": "object",
            "required": ["source_type", "source_organization_name", "evaluator_relationship"],
            "properties": {
                "source_type": {"enum": ["documentation", "evaluation_run"]},
                "evaluator_relationship": {
                    "enum": ["first_party", "third_party", "collaborative", "other"]
                },
            },
        },
        "model_info": {"type": "object", "required": ["name", "id"]},
        "eval_library": {"type": "object", "required": ["name", "version"]},
        "evaluation_results": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["evaluation_name", "source_data", "metric_config", "score_details"],
                "properties": {
                    "metric_config": {
                        "type": "object",
                        "required": ["lower_is_better", "score_type", "min_score", "max_score"],
                    },
                    "score_details": {
                        "type": "object",
                        "required": ["score"],
                        "properties": {
                            "score": {"type": "number"},
                            "details": {
                                "type": "object",
                                "additionalProperties": {"type": "string"},
                            },
                        },
                    },
                },
            },
        },
        "detailed_evaluation_results": {
            "type": "object",
            "required": ["format", "file_path", "hash_algorithm", "checksum", "total_rows"],
        },
    },
}  # fmt: skip


@pytest.fixture
def rows(finished_bundle: Path) -> dict[str, dict[str, Any]]:
    board = succeeded(finished_bundle, "ls", CONTRACT, "--json").json
    return {row["checkpoint"]: row for row in board["rows"]}


def identity(root: Path) -> str:
    found: str = succeeded(root, "ls", CONTRACT, "--json").json["identity"]
    return found


def exported(root: Path, form: str, out: Path, *more: str) -> Path:
    succeeded(root, "export", form, CONTRACT, "--out", str(out), *PUBLISHER, *more)
    return out


def test_a_remark_has_the_verdict_first(finished_bundle: Path) -> None:
    text = succeeded(finished_bundle, "export", "markdown", CONTRACT).stdout
    lines = text.splitlines()
    assert len(lines) <= 60
    assert lines[0] == f"<!-- eval_pipeline {CONTRACT} {identity(finished_bundle)} -->"
    assert "SHIP" in lines[1]
    assert "REJECT" in lines[1]
    assert "95% interval" in text


def test_a_build_server_sees_a_case_a_decision(
    finished_bundle: Path, rows: dict[str, dict[str, Any]]
) -> None:
    text = succeeded(finished_bundle, "export", "junit", CONTRACT).stdout
    suite = ElementTree.fromstring(text)[0]
    failed = {
        case.attrib["name"].partition(":")[0]
        for case in suite.iter("testcase")
        if case.find("failure") is not None
    }
    assert failed == {name for name, row in rows.items() if row["outcome"] == "reject"}
    assert suite.attrib["failures"] == str(len(failed))
    assert identity(finished_bundle) in text


def test_a_spreadsheet_holds_the_numbers_and_no_formula(
    finished_bundle: Path, rows: dict[str, dict[str, Any]]
) -> None:
    text = succeeded(finished_bundle, "export", "csv", CONTRACT).stdout
    read = list(csv.DictReader(io.StringIO(text)))
    assert {one["checkpoint"]: float(one["value"]) for one in read} == {
        name: row["value"] for name, row in rows.items()
    }
    assert not [cell for one in read for cell in one.values() if cell[:1] in tuple("=+@")]


def test_records_keep_their_schema_and_name_their_samples(
    finished_bundle: Path, rows: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    out = exported(finished_bundle, "every_eval_ever", tmp_path / "out", "--samples")
    for name, row in rows.items():
        record = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
        jsonschema.validate(record, RECORD)
        told = record["evaluation_results"][0]["score_details"]
        assert told["score"] == row["value"]
        assert told["uncertainty"]["confidence_interval"]["lower"] == row["ci_low"]
        assert told["details"]["contract_identity"] == identity(finished_bundle)
        beside = record["detailed_evaluation_results"]
        content = (out / beside["file_path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == beside["checksum"]
        assert content.count(b"\n") == beside["total_rows"]
        for line in content.splitlines():
            sample = json.loads(line)
            assert sample["messages"] is None
            assert sample["answer_attribution"] or sample["evaluation"]["score"] == 0.0


@pytest.mark.parametrize("form", ["hf_eval_results", "hf_model_index"])
def test_cards_hold_value_and_what_stands_beside_it(
    finished_bundle: Path, rows: dict[str, dict[str, Any]], tmp_path: Path, form: str
) -> None:
    out = exported(finished_bundle, form, tmp_path / "out")
    (path,) = [path for path in out.rglob("*.yaml") if BEST in str(path)]
    read = yaml.safe_load(path.read_text(encoding="utf-8"))
    if form == "hf_eval_results":
        (entry,) = read
        assert entry["value"] == rows[BEST]["value"]
        assert "verifyToken" not in entry
        assert identity(finished_bundle) in entry["notes"]
        return
    (model,) = read["model-index"]
    (result,) = model["results"]
    assert result["metrics"][0]["value"] == rows[BEST]["value"]
    assert result["metrics"][0]["args"]["contract_identity"] == identity(finished_bundle)
    assert {"type", "name"} <= result["dataset"].keys()


def test_the_harness_files_are_read_back_with_the_same_numbers(
    finished_bundle: Path, rows: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    out = exported(finished_bundle, "lm_eval", tmp_path / "out", "--samples", "--checkpoint", BEST)
    files = sorted((out / BEST).iterdir())
    found = entries(*files)
    assert not faults(found)
    (number,) = numbers(*files)
    assert (number.model, number.value, number.n) == (BEST, rows[BEST]["value"], 288)
    assert len({reply.item_id for reply in replies(*files)}) == 288


def test_without_samples_no_reply_leaves(finished_bundle: Path, tmp_path: Path) -> None:
    for form in MANY:
        out = exported(finished_bundle, form, tmp_path / form)
        assert not list(out.rglob("*.jsonl"))


def test_a_folder_of_tables_names_their_digests(finished_bundle: Path, tmp_path: Path) -> None:
    out = exported(finished_bundle, "parquet", tmp_path / "out")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for table in manifest["tables"]:
        content = (out / table["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == table["sha256"]
        assert pq.read_table(out / table["file"]).num_rows == table["rows"]
    assert manifest["contract_identity"] == identity(finished_bundle)


def test_who_publishes_is_asked(finished_bundle: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    line = refused(finished_bundle, "export", "every_eval_ever", CONTRACT, "--out", out)
    assert "--organization" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("pdf", CONTRACT), 2, "pdf"),
        (("csv", "nothing"), 1, "nothing"),
        (("csv", CONTRACT, "--checkpoint", "tern@step9"), 1, "tern@step9"),
        (("lm_eval", CONTRACT), 2, "--out"),
        (("csv", CONTRACT, "--samples"), 2, "no place for replies"),
        (("csv", CONTRACT, "--organization", "Nest"), 2, "go together"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else None,
)
def test_a_wrong_call_is_one_line(
    finished_bundle: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    assert said in refused(finished_bundle, "export", *arguments, code=code)


def test_nothing_that_is_there_is_replaced(finished_bundle: Path, tmp_path: Path) -> None:
    out = exported(finished_bundle, "csv", tmp_path / "out")
    before = (out / f"{CONTRACT}.csv").read_bytes()
    line = refused(finished_bundle, "export", "csv", CONTRACT, "--out", str(out))
    assert "is there already" in line
    assert (out / f"{CONTRACT}.csv").read_bytes() == before
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    assert "is a file" in refused(finished_bundle, "export", "csv", CONTRACT, "--out", str(file))


def test_a_draft_is_exported_only_as_such(finished: Path) -> None:
    assert "--draft" in refused(finished, "export", "csv", "hostile")
    done = called(finished, "export", "markdown", "hostile", "--draft")
    assert "DRAFT" in done.stdout
