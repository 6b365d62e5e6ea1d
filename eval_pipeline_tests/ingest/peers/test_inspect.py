"""Inspect: epochs, errors, grades, and members packed in each way."""

import json
import zipfile
import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from eval_pipeline.ingest.peers.archive import ZSTANDARD
from eval_pipeline_tests.ingest.peers.made import (
    entries,
    faults,
    inspect_log,
    inspect_sample,
    numbers,
    put_json,
    replies,
)

TWO_EPOCHS = [inspect_sample(item, epoch, "C") for item in ("wren", "owl") for epoch in (1, 2)]


def test_epochs_are_draws(tmp_path: Path) -> None:
    found = replies(put_json(tmp_path / "log.json", inspect_log(TWO_EPOCHS, 1.0)))
    assert [(one.item_id, one.draw) for one in found] == [
        ("wren", 0),
        ("wren", 1),
        ("owl", 0),
        ("owl", 1),
    ]
    first = found[0]
    assert (first.references, first.text, first.finish_reason) == (
        ("wren",),
        "ANSWER: wren",
        "stop",
    )
    assert (first.tokens_in, first.tokens_out, first.latency_ms) == (7, 3, 250.0)


def test_a_failed_call_is_infra_error_and_no_wrong_answer(tmp_path: Path) -> None:
    samples = [inspect_sample("wren", 1, "C"), inspect_sample("owl", 1, None)]
    found = entries(put_json(tmp_path / "log.json", inspect_log(samples, 1.0)))
    _, failed = replies(tmp_path / "log.json")
    assert (failed.status, failed.text, failed.said) == ("infra_error", None, {})
    assert failed.detail == "RateLimitError: slow down"
    assert faults(found) == []


def test_a_run_that_failed_has_its_samples_and_no_number(tmp_path: Path) -> None:
    samples = [inspect_sample(item, 1, None) for item in ("wren", "owl")]
    path = put_json(tmp_path / "log.json", inspect_log(samples, None))
    assert [one.status for one in replies(path)] == ["infra_error"] * 2
    assert numbers(path) == []


def test_a_log_without_samples_is_refused(tmp_path: Path) -> None:
    path = put_json(tmp_path / "log.json", inspect_log([], None))
    with pytest.raises(ValueError, match=r"log\.json holds no sample \(its run ended as error\)"):
        entries(path)


def test_grades_letters_numbers_and_maps(tmp_path: Path) -> None:
    samples = [inspect_sample(str(i), 1, grade) for i, grade in enumerate("CIPN")]
    samples.append({**inspect_sample("m", 1, "C"), "scores": {"two": {"value": {"a": 1, "b": 0}}}})
    samples.append({**inspect_sample("t", 1, "C"), "scores": {"match": {"value": "maybe"}}})
    found = replies(put_json(tmp_path / "log.json", inspect_log(samples, None)))
    assert [one.said.get("match") for one in found] == [1.0, 0.0, 0.5, 0.0, None, None]
    assert found[4].said == {"two.a": 1.0, "two.b": 0.0}


def test_attachments_are_put_back(tmp_path: Path) -> None:
    one = inspect_sample("wren", 1, "C") | {
        "input": "attachment://abc",
        "attachments": {"abc": "the long text"},
    }
    (found,) = replies(put_json(tmp_path / "log.json", inspect_log([one], 1.0)))
    assert found.question == "the long text"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD])
def test_an_archive_holds_what_the_json_holds(tmp_path: Path, method: int) -> None:
    log = inspect_log(TWO_EPOCHS, 1.0)
    plain = replies(put_json(tmp_path / "log.json", log))
    path = tmp_path / "log.eval"
    members = {f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in log.pop("samples")}
    write_archive(path, {"header.json": log, **members}, method)
    found = replies(path)
    assert {(one.item_id, one.draw, one.text) for one in found} == {
        (one.item_id, one.draw, one.text) for one in plain
    }
    assert all(one.said == {"match": 1.0} for one in found)
    assert found[0].place.startswith("log.eval:samples/")
    assert faults(entries(path)) == []


def write_archive(path: Path, members: dict[str, object], method: int) -> None:
    """A zip whose members are packed so; what zipfile cannot pack is packed beforehand."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in members.items():
            content = json.dumps(value).encode()
            if method != ZSTANDARD:
                archive.writestr(name, content, method)
                continue
            packed = pa.compress(content, "zstd", asbytes=True)
            archive.writestr(name, packed, zipfile.ZIP_STORED)
            info = archive.getinfo(name)
            info.compress_type, info.file_size = method, len(content)
            info.CRC = zlib.crc32(content)
