"""A form is told by structure; what has none is refused in one line."""

import gzip
import os
from pathlib import Path

import pytest

from eval_pipeline_tests.ingest.peers.made import (
    entries,
    inspect_log,
    inspect_sample,
    lm_eval_run,
    put_json,
    replies,
)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"question,answer\n1,2\n",
        b'{"question": 1}\n{"question": 2}\n',
        b"[]",
        b"[" * 100_000,
        b"null",
        b"\xff\xfe\x00",
        b"PK\x05\x06" + bytes(18),
    ],
)
def test_a_file_that_nobody_knows_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "strange.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"strange\.json") as refused:
        entries(path)
    assert "\n" not in str(refused.value)


def test_the_name_does_not_matter(tmp_path: Path) -> None:
    path = put_json(tmp_path / "notes.txt", inspect_log([inspect_sample("wren", 1, "C")], 1.0))
    assert [one.item_id for one in replies(path)] == ["wren"]


def test_a_file_of_two_forms_asks_which(tmp_path: Path) -> None:
    log = inspect_log([inspect_sample("wren", 1, "C")], 1.0)
    path = put_json(tmp_path / "both.json", {**log, "testCases": [], "metricsScores": []})
    with pytest.raises(ValueError, match=r"may be deepeval or inspect: say which with --form"):
        entries(path)
    assert len(entries(path, form="inspect")) == 2


def test_a_form_that_is_named_is_the_only_one(tmp_path: Path) -> None:
    path = put_json(tmp_path / "log.json", inspect_log([], None))
    with pytest.raises(ValueError, match=r"log\.json is no helm file"):
        entries(path, form="helm")
    with pytest.raises(
        ValueError, match=r"form 'word' is not known: bigcode, chat_answers, deepeval"
    ):
        entries(path, form="word")


def test_packed_lines_are_read_and_cut_ones_refused(tmp_path: Path) -> None:
    samples, results = lm_eval_run(tmp_path)
    packed = samples.with_name(samples.name + ".gz")
    packed.write_bytes(gzip.compress(samples.read_bytes()))
    assert len(replies(packed, results)) == 4
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(ValueError, match="is damaged"):
        entries(packed, results)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises((ValueError, OSError)):
        entries(tmp_path / "pipe.json")
