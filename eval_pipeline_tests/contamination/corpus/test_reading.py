"""Shards: every document is read, and what is none is counted."""

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.contamination.corpus import parquet_texts
from eval_pipeline.contamination.corpus import reading as corpus
from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.corpus.reading import batches, documents, first_documents, parts
from eval_pipeline.contamination.corpus.shard_files import shards

LINES = b'{"text": "one"}\r\n\nnot json\n{"text": 3}\n["text"]\n{"text": "two", "id": 7}'
READ = [(0, "one"), (5, "two")]


def read(path: Path) -> tuple[list[tuple[int, str]], UnreadLines]:
    unread = UnreadLines()
    return list(documents(path, unread)), unread


def test_lines_keep_their_numbers_and_bad_ones_are_counted(tmp_path):
    folder = tmp_path / "web" / "v1"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(LINES)
    with gzip.open(folder / "a.jsonl.gz", "wb") as file:
        file.write(LINES)
    for name in ("a.jsonl", "a.jsonl.gz"):
        found, unread = read(folder / name)
        assert found == READ
        assert (unread.count, unread.first.split(":")[0]) == (3, f"web/v1/{name}, line 3")


def test_parquet_rows_are_documents(tmp_path):
    table = pa.table({"id": [1, 2, 3], "text": pa.array(["one", None, "two"], pa.large_string())})
    folder = tmp_path / "web" / "v1"
    folder.mkdir(parents=True)
    pq.write_table(table, folder / "a.parquet")
    found, unread = read(folder / "a.parquet")
    assert found == [(0, "one"), (2, "two")]
    assert (unread.count, unread.first) == (1, "web/v1/a.parquet, row 2: null `text`")


def test_a_shard_that_ends_early_is_refused(tmp_path):
    packed = gzip.compress(LINES * 100)
    (tmp_path / "a.jsonl.gz").write_bytes(packed[:-20])
    (tmp_path / "b.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "c.parquet").write_bytes(b"PAR1 no parquet")
    (tmp_path / "d.jsonl.gz").touch()
    for path in shards(tmp_path):
        with pytest.raises(ValueError, match=rf"corpus shard .*{path.name} cannot be read"):
            read(path)


def test_a_shard_without_text_is_refused(tmp_path):
    pq.write_table(pa.table({"body": ["x"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"text": [1]}), tmp_path / "b.parquet")
    for path in shards(tmp_path):
        with pytest.raises(ValueError, match="no string column `text`"):
            read(path)


def test_a_line_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "MAX_LINE", 100)
    with gzip.open(tmp_path / "a.jsonl.gz", "wb") as file:
        file.write(b'{"text": "' + b"x" * 10_000)
    with pytest.raises(ValueError, match="line 1 is longer than 100 bytes"):
        read(tmp_path / "a.jsonl.gz")


def test_shards_are_sorted_files_of_known_forms(tmp_path):
    for name in ("b.jsonl", "a.parquet", "c.jsonl.gz", "readme.md", "d.json"):
        (tmp_path / name).touch()
    assert [p.name for p in shards(tmp_path)] == ["a.parquet", "b.jsonl", "c.jsonl.gz"]
    assert shards(tmp_path / "absent") == []


def test_a_shard_that_is_no_file_itself_is_named(tmp_path):
    (tmp_path / "b.jsonl").touch()
    for kind, make in (
        ("link", lambda path: path.symlink_to("b.jsonl")),
        ("folder", Path.mkdir),
        ("pipe or device", os.mkfifo),
    ):
        make(path := tmp_path / "a.jsonl")
        with pytest.raises(ValueError, match=rf"corpus shard .*a\.jsonl is a {kind}, not the file"):
            shards(tmp_path)
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def test_every_form_of_a_parquet_string_is_read(tmp_path):
    texts = ["one", None, "two", "one"]
    forms = {
        "plain": pa.array(texts),
        "large": pa.array(texts, pa.large_string()),
        "view": pa.array(texts, pa.string_view()),
        "dictionary": pa.array(texts).dictionary_encode(),
    }
    for name, column in forms.items():
        nested = pa.array([{"text": "no", "body": "x" * 99}] * 4)
        table = pa.table({"meta": nested, "text": column, "a": [1, 2, 3, 4]})
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=3)
        found, unread = read(tmp_path / f"{name}.parquet")
        assert (found, unread.count) == ([(0, "one"), (2, "two"), (3, "one")], 1), name
        assert sum(parquet_texts.sizes(tmp_path / f"{name}.parquet")) < 600
    pq.write_table(pa.table({"text": [{"text": "x"}]}), tmp_path / "nested.parquet")
    with pytest.raises(ValueError, match="no string column `text`"):
        read(tmp_path / "nested.parquet")


def test_a_dictionary_of_long_texts_is_unpacked_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_texts, "AT_MOST", 2**20)
    pq.write_table(pa.table({"text": ["x" * 100_000] * 1000}), tmp_path / "a.parquet")
    sizes = [batch.texts.nbytes for batch in batches(tmp_path / "a.parquet", UnreadLines(), 10**6)]
    assert sum(sizes) > 10**8
    assert max(sizes) < 3 * 2**20


def test_parts_of_a_parquet_file_hold_all_of_it_once(tmp_path):
    texts = [f"{n} " + "x" * n for n in range(40)]
    pq.write_table(pa.table({"text": texts}), path := tmp_path / "a.parquet", row_group_size=7)
    for size in (1, 200, 10**6):
        some = parts(path, size)
        assert (some == [None]) == (size == 10**6)
        found = [
            (number, text)
            for groups in some
            for batch in batches(path, UnreadLines(), groups=groups)
            for number, text in zip(batch.numbers, batch.texts.to_pylist(), strict=True)
        ]
        assert found == list(enumerate(texts))
    (tmp_path / "b.jsonl").touch()
    (tmp_path / "c.parquet").touch()
    assert parts(tmp_path / "b.jsonl", 1) == parts(tmp_path / "c.parquet", 1) == [None]


def test_the_first_documents_stop_at_the_limit(tmp_path):
    for shard in ("a", "b", "c"):
        lines = [json.dumps({"text": f"{shard}{n}"}) for n in range(3)]
        (tmp_path / f"{shard}.jsonl").write_text("\n".join(lines))
    pairs = [("web@1", path) for path in shards(tmp_path)]
    texts, used = first_documents(pairs, {("web@1", "a.jsonl", 1)}, 3)
    assert texts == ["a0", "a2", "b0"]
    assert [p.name for p in used] == ["a.jsonl", "b.jsonl"]
