"""What `validate` finds before a run, beside what a run would say itself."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval_pipeline.contamination.corpus.shard_files import shards
from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.inspection import inspect
from eval_pipeline_tests.integration.roots import json_lines
from eval_pipeline_tests.integration.three_contracts import (
    land_answers,
    manifest,
    sums_of,
    three_contracts,
    variant,
    write_contract,
)


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return three_contracts(tmp_path)


def disk(root: DataRoot) -> Iterator[tuple[str, int, int]]:
    for folder, _, files in os.walk(root.path):
        for name in files:
            facts = (Path(folder) / name).stat()
            yield f"{folder}/{name}", facts.st_size, facts.st_mtime_ns


def test_a_sound_project_has_no_fault_and_nothing_is_written(root: DataRoot) -> None:
    before = sorted(disk(root))
    found = inspect(root, hash_files=True)
    assert found.faults == []
    assert found.notes == []
    assert found.checked == {
        "contracts": 3,
        "item files": 2,
        "checkpoints": 2,
        "checkpoint files": 6,
        "vote files": 1,
    }
    assert sorted(disk(root)) == before
    assert not root.warehouse.exists()


def test_extra_keys_are_named_by_file(root: DataRoot) -> None:
    reply = {"draw": 0, "text": "3"}
    files = {
        "sums.jsonl": json_lines(
            [{**reply, "item_id": "sum-00", "logits": [1], "ha\x1b[31msh": 2}]
        ),
        "sums.part-1.jsonl": json_lines([{**reply, "item_id": "sum-01", "seconds": 1}]),
    }
    land_answers(root, "extra", "2026-01-03", files=files)
    item = {"item_id": "new", "question": "?", "answer": "1", "size": "small", "author": "Ann"}
    with root.items("sums@1").open("a") as file:
        file.write(json_lines([item]))
    notes = inspect(root, hash_files=True).notes
    assert notes == [
        "benchmarks/sums/v1/items.jsonl: extra keys kept: author",
        "checkpoints/extra/sums.jsonl: extra keys kept: ha\\x1b[31msh, logits",
        "checkpoints/extra/sums.part-1.jsonl: extra keys kept: seconds",
    ]


def test_rows_that_would_be_rejected_are_counted_by_contract(root: DataRoot) -> None:
    rows = '{"item_id": "sum-00", "draw": 0, "text": "3"}\nno json\n{"item_id": "x", "draw": 0}\n'
    land_answers(root, "rejects", "2026-01-03", files={"sums.jsonl": rows})
    assert inspect(root, hash_files=True).notes == [
        f"checkpoints/rejects/sums.jsonl: {contract} would reject 2 rows "
        "(invalid_json 1, missing_key 1)"
        for contract in ("leaks/v1", "sums/v1")
    ]
    assert inspect(root, hash_files=False).notes == []


def test_files_that_nothing_reads_are_noted(root: DataRoot) -> None:
    land_answers(root, "stray", "2026-01-03", files={"sum.jsonl": sums_of("stray")})
    elsewhere = root.judgments("arbiter", "talks", "nobody")
    elsewhere.write_text("")
    assert inspect(root, hash_files=False).notes == [
        "checkpoints/stray/sum.jsonl is read by nothing: no contract has such a benchmark",
        "judgments/arbiter/talks/nobody.jsonl is read by nothing: no contract asks this judge "
        "about such a checkpoint",
    ]


def test_bytes_are_held_against_the_marker_only_where_asked(root: DataRoot) -> None:
    path = root.checkpoint("late") / "talks.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Water", b"water"))
    assert inspect(root, hash_files=False).faults == []
    (fault,) = inspect(root, hash_files=True).faults
    assert fault.startswith("checkpoint late: talks.jsonl is not the file that _SUCCESS states")


def test_a_missing_corpus_is_a_fault(root: DataRoot) -> None:
    variant(root, "leaks", "unsearched", {"web@1": "wide_web@2"})
    assert inspect(root, hash_files=False).faults == [
        "corpora/wide_web/v2 has no shards, and unsearched/v1 searches wide_web@2: "
        "put *.parquet or *.jsonl[.gz] there"
    ]


def test_a_shard_that_is_a_link_is_a_fault_and_is_not_followed(root: DataRoot) -> None:
    shard = root.corpus("web@1") / "shard.jsonl"
    elsewhere = shard.rename(root.path / "elsewhere.jsonl")
    shard.symlink_to(elsewhere)
    (fault,) = inspect(root, hash_files=False).faults
    assert fault.startswith("corpus shard web/v1/shard.jsonl is a link")
    with pytest.raises(ValueError, match=r"web/v1/shard\.jsonl is a link"):
        shards(root.corpus("web@1"))


def test_labels_that_are_missing_or_cannot_be_read_are_faults(root: DataRoot) -> None:
    asked = "bars: {flip_excess: 0.5}\n  annotations: [people, raters]"
    write_contract(root, "talks", {"bars: {flip_excess: 0.5}": asked})
    folder = root.annotations("people").parent
    folder.mkdir()
    root.annotations("people").symlink_to(root.items("talks@1"))
    linked, missing = inspect(root, hash_files=False).faults
    assert "people.jsonl: is a symbolic link: put the file itself there" in linked
    assert missing == (
        "annotations/raters.jsonl is not there: add it, or take raters out of the "
        "annotations that talks/v1 names"
    )


def test_votes_that_cannot_be_read_are_a_fault(root: DataRoot) -> None:
    path = root.judgments("arbiter", "talks", "late")
    path.rename(path.with_name("late.jsonl.gz"))
    (fault,) = inspect(root, hash_files=False).faults
    assert "late.jsonl.gz: damaged or no gzip file" in fault


def test_a_judge_that_taught_a_checkpoint_is_refused(root: DataRoot) -> None:
    folder = root.checkpoint("late")
    taught = manifest("ash", "2026-01-02").replace("{}", "{judges: [arbiter]}")
    (folder / "checkpoint.yaml").write_text(taught)
    write_success(folder)
    (fault,) = inspect(root, hash_files=False).faults
    assert fault == (
        "checkpoint late was trained on judge arbiter, which may not evaluate it in talks/v1: "
        "name another there, or put late into targets.exclude"
    )


def test_every_fault_of_a_contract_and_of_its_items_is_said_at_once(root: DataRoot) -> None:
    asked = {
        "unit: {of_analysis: item}": "unit: {of_analysis: item, clustered_by: template}",
        "slices: [size]": "slices: [sise]",
    }
    write_contract(root, "sums", asked)
    write_contract(root, "leaks", {"numeric@1": "numerics@1", "last_number@1": "last_digit@1"})
    faults = inspect(root, hash_files=False).faults
    assert [fault.split(";")[0] for fault in faults] == [
        "contracts/leaks/v1.yaml:23: verification.extraction: is last_digit@1, which is none",
        "contracts/leaks/v1.yaml:23: verification.verifier: is numerics@1, which is none",
        "contracts/sums/v1.yaml: task.slices: names 'sise', which no item has",
        "contracts/sums/v1.yaml: unit.clustered_by: names 'template', which no item has",
    ]
    assert "did you mean numeric@1 or numeric@2?" in faults[1]


def test_a_broken_ledger_hides_nothing_else(root: DataRoot) -> None:
    root.accepted.write_text("- {contract: sums}\n")
    root.contracts_lock.write_text("{}\n")
    root.corpus("web@1").joinpath("shard.jsonl").unlink()
    faults = inspect(root, hash_files=False).faults
    assert any(fault.startswith("contracts/accepted.yaml:1: [0].") for fault in faults)
    assert any(fault.startswith("contracts/contracts.lock:1: is no record") for fault in faults)
    assert any(fault.startswith("corpora/web/v1 has no shards") for fault in faults)


def test_a_reference_that_the_verifier_cannot_read_is_a_fault_of_its_item(root: DataRoot) -> None:
    items = root.items("sums@1")
    first, *others = items.read_text(encoding="utf-8").splitlines()
    row = json.loads(first) | {"answer": "no number"}
    items.write_text("\n".join([json.dumps(row), *others]) + "\n", encoding="utf-8")
    (fault,) = inspect(root, hash_files=False).faults
    assert fault.startswith(f"{items.relative_to(root.path).as_posix()}: item {row['item_id']!r}")
    assert "its answer 'no number' is no single number" in fault
