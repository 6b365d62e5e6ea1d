"""Files of a checkpoint as samples: every row is accounted for, the right attempt counts."""

import gzip
import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.ingest import rejects
from eval_pipeline.ingest.benchmark_files import benchmark_files
from eval_pipeline.ingest.generations import read_generations
from eval_pipeline.ingest.rejects import REASONS
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.ingest.conftest import lines_of, sample


def accounts(read):
    return {row["file"]: row for row in read.ingest_files.to_pylist()}


def counted(read):
    return {(row["item_id"], row["draw"]): row for row in read.generations.to_pylist()}


def test_the_tables_have_the_shapes_of_the_registry(read_rows):
    read = read_rows([sample(), b"{"], draws_per_item=2)
    for name in ("generations", "rejected_lines", "ingest_files", "missing_draws"):
        assert getattr(read, name).schema == TABLES[name].schema


def test_no_files_and_empty_files_give_empty_tables(read_rows):
    assert read_generations([], ["a"]).generations.equals(TABLES["generations"].empty())
    read = read_rows(b"")
    assert read.generations.equals(TABLES["generations"].empty())
    assert accounts(read)["b.jsonl"]["lines"] == 0


def test_a_reject_has_its_place_its_reason_and_its_start(read_rows):
    read = read_rows(
        b'\xef\xbb\xbf{"item_id":"a","draw":0,"text":"x"}\r\n\n{"\x1b[31m' + b"y" * 500
    )
    (reject,) = read.rejected_lines.to_pylist()
    assert (reject["file"], reject["line"], reject["byte_offset"]) == ("b.jsonl", 3, 41)
    assert reject["reason"] == "truncated"
    assert reject["detail"].startswith("the last line has no line end, and ")
    assert reject["excerpt"].startswith('{"\\x1b[31myyy')
    assert len(reject["excerpt"]) == 200


def test_blank_lines_are_no_rows_but_keep_their_numbers(read_rows):
    read = read_rows(b"\n" + lines_of([sample()]) + b" \t\r\n\n" + lines_of([sample("b")]))
    assert read.generations["line"].to_pylist() == [2, 5]
    assert accounts(read)["b.jsonl"]["lines"] == 2


def test_the_last_attempt_counts_whatever_the_order(read_rows):
    rows = [
        sample(text="third", attempt=3),
        sample(text="first", status="infra_error", attempt=1),
        sample(text="second", attempt=2),
        sample("b", text="only", attempt=7),
    ]
    for order in (rows, rows[::-1]):
        read = read_rows(order)
        found = counted(read)
        assert (found["a", 0]["text"], found["a", 0]["attempts"]) == ("third", 3)
        assert (found["b", 0]["text"], found["b", 0]["attempts"]) == ("only", 1)
        account = accounts(read)["b.jsonl"]
        assert (account["accepted"], account["superseded"], account["rejected"]) == (4, 2, 0)


def test_without_attempt_numbers_a_second_row_is_a_duplicate(read_rows, reasons):
    assert reasons([sample(text="1"), sample(text="2")]) == ["duplicate"]
    assert reasons([sample(attempt=2), sample()]) == ["duplicate"]
    assert reasons([sample(attempt=2), sample(attempt=2)]) == ["duplicate"]
    assert reasons([sample(), sample(attempt=1)]) == ["duplicate"]
    assert counted(read_rows([sample(text="1"), sample(text="2")]))["a", 0]["text"] == "1"


def test_a_row_without_attempt_is_the_first_attempt(read_rows):
    read = read_rows([sample(text="first"), sample(text="second", attempt=2)])
    assert counted(read)["a", 0]["text"] == "second"
    assert counted(read)["a", 0]["attempts"] == 2


def test_a_top_up_supersedes_rows_of_the_base_file(tmp_path):
    base = tmp_path / "b.jsonl.gz"
    base.write_bytes(gzip.compress(lines_of([sample(status="infra_error"), sample("b")])))
    (tmp_path / "b.part-2.jsonl").write_bytes(lines_of([sample(text="new", attempt=2)]))
    (tmp_path / "b.part-10.jsonl").write_bytes(lines_of([sample("b", 1), sample("b", 1)]))
    (tmp_path / "bb.jsonl").write_bytes(lines_of([sample("c")]))
    files = benchmark_files(tmp_path, "b")
    assert [path.name for path in files] == ["b.jsonl.gz", "b.part-2.jsonl", "b.part-10.jsonl"]
    read = read_generations(files, ["a", "b"])
    assert counted(read)["a", 0]["file"] == "b.part-2.jsonl"
    assert accounts(read)["b.jsonl.gz"]["superseded"] == 1
    assert accounts(read)["b.part-10.jsonl"]["rejected"] == 1
    assert [file.path for file in read.files] == [path.name for path in files]


def test_one_file_in_two_forms_is_refused(tmp_path):
    for name in ("b.jsonl", "b.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match=r"b\.jsonl and b\.jsonl\.gz are one file in two forms"):
        read_generations(benchmark_files(tmp_path, "b"), ["a"])


def test_the_names_of_other_files_are_not_taken_for_generations(tmp_path):
    for name in (
        "b.json",
        "b.jsonl.bak",
        "b.part-x.jsonl",
        "b.part-1",
        "xb.jsonl",
        "b.jsonl.part-1",
    ):
        (tmp_path / name).write_bytes(b"")
    assert benchmark_files(tmp_path, "b") == []
    assert benchmark_files(tmp_path / "absent", "b") == []


def test_draws_beyond_the_budget_are_rejected_and_lacking_ones_listed(read_rows):
    read = read_rows(
        [
            sample("a", 0),
            sample("a", 1, status="infra_error"),
            sample("a", 2),
            sample("b", 1, status="timeout"),
        ],
        item_ids=["b", "a"],
        draws_per_item=2,
        retried=["infra_error"],
    )
    assert read.rejected_lines["reason"].to_pylist() == ["beyond_budget"]
    assert read.missing_draws.to_pylist() == [
        {"item_id": "a", "draw": 1, "reason": "retry"},
        {"item_id": "b", "draw": 0, "reason": "absent"},
    ]


def test_a_retried_draw_that_succeeded_is_not_missing(read_rows):
    rows = [sample(status="infra_error", attempt=1), sample(attempt=2)]
    read = read_rows(rows, item_ids=["a"], draws_per_item=1, retried=["infra_error"])
    assert read.missing_draws.num_rows == 0


def test_without_a_budget_no_draw_is_missing(read_rows):
    assert read_rows([sample(draw=1000)]).missing_draws.num_rows == 0


def test_a_cut_gzip_file_keeps_its_rows_and_counts_the_cut(read_rows):
    rows = [sample("a", n, text=str(n**9)) for n in range(200)]
    read = read_rows(gzip.compress(lines_of(rows))[:-300], name="b.jsonl.gz")
    account = accounts(read)["b.jsonl.gz"]
    assert read.rejected_lines["reason"].to_pylist() == ["cut_gzip"]
    assert 0 < account["accepted"] < 200
    assert account["lines"] == account["accepted"] + 1


def test_unknown_keys_are_kept_and_named(read_rows):
    read = read_rows([sample(seed=1, id="x"), sample("b", seed=2), b'{"item_id":"c","lost":1}'])
    assert read.extra_keys == {"id": 1, "seed": 2}
    assert read.generations["extra"].to_pylist() == ['{"id":"x","seed":1}', '{"seed":2}']


def test_a_file_of_nothing_but_rejects_is_refused_in_the_end(read_rows, monkeypatch):
    monkeypatch.setattr(rejects, "MAX_REJECTED", 100)
    with pytest.raises(ValueError, match=r"b\.jsonl, line 101: more than 100 rows are rejected"):
        read_rows(b"x\n" * 1000)


def test_many_batches_are_one_table_in_file_order(read_rows):
    rows = [sample("a", n, text=f"t{n}") for n in range(20_000)]
    read = read_rows(rows[::-1])
    assert read.generations["draw"].to_pylist() == list(range(20_000))[::-1]
    assert read.generations["line"].to_pylist() == list(range(1, 20_001))
    assert read.generations.column("text").num_chunks < 10


fragments = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([b"\xef\xbb\xbf", b"\r", b"\0", b"{}", b"null", b'{"item_id":"a"', b" "]),
    st.builds(
        sample,
        st.sampled_from(["a", "b", "no such item", 1, None]),
        st.sampled_from([0, 1, 2, -1, 0.5, "0"]),
        st.sampled_from(["x", None, "\ud800", "<think>"]),
        attempt=st.sampled_from([None, 1, 2, 0]),
        status=st.sampled_from([None, "ok", "timeout", "?"]),
        more=st.sampled_from([None, 1, [{"k": 2**70}]]),
    ).map(lambda row: json.dumps(row).encode()),
)


@settings(deadline=None)
@given(st.lists(fragments, max_size=20), st.booleans(), st.sampled_from([None, 1]))
def test_accepted_and_rejected_are_the_lines_read(tmp_path_factory, parts, ended, budget):
    content = b"\n".join(parts) + b"\n" * ended
    path = tmp_path_factory.mktemp("generations") / "b.jsonl"
    path.write_bytes(content)
    read = read_generations([path], ["a", "b"], budget)
    (account,) = read.ingest_files.to_pylist()
    bom = content.startswith(b"\xef\xbb\xbf")
    rows = [line for line in content[3 * bom :].split(b"\n") if line.strip(b" \t\r")]
    assert account["lines"] == len(rows) == account["accepted"] + account["rejected"]
    assert account["rejected"] == read.rejected_lines.num_rows
    assert account["accepted"] - account["superseded"] == read.generations.num_rows
    assert pa.compute.sum(read.generations["attempts"]).as_py() in (account["accepted"], None)
    places = [*read.generations["line"].to_pylist(), *read.rejected_lines["line"].to_pylist()]
    assert len(set(places)) == len(places)
    assert set(read.rejected_lines["reason"].to_pylist()) <= REASONS.keys()
    assert all(text.isprintable() for text in read.rejected_lines["excerpt"].to_pylist())
    keys = list(
        zip(*(read.generations[key].to_pylist() for key in ("item_id", "draw")), strict=True)
    )
    assert len(set(keys)) == len(keys)


rows_as_written = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.integers(0, 3)),
    st.fixed_dictionaries(
        {
            "text": st.text(st.characters(exclude_categories=["Cs"])).filter(
                lambda t: "<think>" not in t
            )
        },
        optional={
            "tokens_in": st.integers(0, 2**63 - 1),
            "latency_ms": st.floats(0, 1e15) | st.integers(0, 2**53),
            "confidence": st.floats(0, 1),
            "token_logprobs": st.lists(st.floats(-1e9, 0), max_size=3),
            "reasoning": st.text(st.characters(exclude_categories=["Cs"])),
            "note": st.integers(),
        },
    ),
    max_size=6,
)


@settings(deadline=None)
@given(rows_as_written)
def test_what_was_written_comes_back_bit_for_bit(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("generations") / "b.jsonl"
    path.write_bytes(lines_of([sample(*key, **row) for key, row in written.items()]))
    found = counted(read_generations([path], ["a", "b", "c"]))
    assert found.keys() == written.keys()
    for key, row in written.items():
        note = row.pop("note", None)
        assert {name: found[key][name] for name in row} == row
        assert found[key]["extra"] == (None if note is None else f'{{"note":{note}}}')
