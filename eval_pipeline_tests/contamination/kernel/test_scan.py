"""The kernel against the reference: the same rows, whatever the text."""

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.masks import Spread, masked_entries
from eval_pipeline.contamination.index.segment import write_segment
from eval_pipeline.contamination.search.shard import scan_shard, summary_of
from eval_pipeline.contamination.search.spread import shard_counts
from eval_pipeline.contamination.text.buffers import text_buffers
from eval_pipeline.contamination.text.digests import field_digests, text_digests
from eval_pipeline.contamination.text.exact import text_digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.folding import (
    ALONE,
    DIGIT,
    IGNORED,
    LETTER,
    OTHER,
    SEPARATOR,
    SEVERAL,
    SPACE,
    code_classes,
    text_folding,
)
from eval_pipeline.contamination.text.normalise import CODE, TEXT, folded
from eval_pipeline_tests.contamination.engines import by_kernel, by_reference

# marks, full width, CJK, emoji with joiners, ligatures, NUL, right-to-left, Hangul both ways,
# fractions and Arabic ligatures that fold to several words, long words, code
PIECES = (
    "a b c d e f g h i j k l 1 2 3.14 x_y ' \u0000 ́ é é Ａ ｂ ２ 日 本 語 ก า ﬁ ﷺ ½ ㍿ 1月 "
    "가 가 ß İ ſ 👩‍🔬 \u200b \u00ad עב سل ² ٣ == := += ( ) . … — ™ " + "w" * 80
).split(" ")
TEXTS = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " ", "\n", ".", "\u3000"])),
    max_size=60,
).map(lambda pieces: "".join(map("".join, pieces)))
NAMES = ("question", "answer", "code")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), TEXTS), min_size=1, max_size=6),
    st.lists(TEXTS, max_size=4),
    st.randoms(use_true_random=False),
)
def test_both_engines_give_the_same_rows(items, documents, random):
    fields = [Field(f"i{n // 3}", name, text) for n, (name, text) in enumerate(items)]
    fields = list({(f.item_id, f.name): f for f in fields}.values())
    entries = entries_of(fields)
    grams = sorted({(e.field.normaliser.name, g) for e in entries for g in e.positions})
    common = {gram: (60, 3) for gram in grams if random.random() < 0.1}
    entries = masked_entries(entries, Spread(100, 3, common))
    whole = [text for _, text in items]
    mixed = " and then ".join(random.sample(whole, len(whole)))
    cut = mixed[random.randrange(len(mixed) + 1) :]
    documents = [*documents, mixed, cut, mixed.upper() + cut, f"{cut} {mixed} {cut}"]
    assert by_kernel(entries, documents) == by_reference(entries, documents)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_digests_of_whole_texts_are_those_of_the_reference(texts):
    expected = [text_digest(text) for text in texts]
    assert text_digests(pa.array(texts, pa.large_string())) == expected
    fields = [Field(str(n), NAMES[n % 3], text) for n, text in enumerate(texts)]
    assert field_digests(fields, True) == field_digests(fields, False)
    for text, digest in zip(texts, expected, strict=True):
        words = TEXT.words(text)
        assert (digest is None) == (not words)
        assert text_digest("  ".join(words).upper().lower()) == text_digest(" ".join(words).lower())


def test_a_document_longer_than_the_buffer_is_read_on():
    words = [f"w{n}" for n in range(400)]
    item, filler = " ".join(words), " ".join(f"f{n % 977} é" for n in range(12_000))
    entries = entries_of(
        [Field("a", "question", item), Field("a", "answer", "owl"), Field("b", "question", "x y z")]
    )
    documents = [
        f"{filler} {item} {filler} owl",
        f"{filler} {' '.join(words[:150])} gap {' '.join(words[150:])} {filler} x y, z",
        f"{' '.join(words[200:])} {filler} {' '.join(words[:200])} is owl",
        "x " * 20_000 + "y z",
    ]
    found = by_kernel(entries, documents)
    assert found == by_reference(entries, documents)
    assert [r["match_type"] for r in found if r["field"] == "question"] == [
        "exact",
        "ngram",
        "short_exact",
        "ngram",
        "short_exact",
    ]


def test_one_repeated_token_is_no_leak_and_costs_little():
    items = ["a a a a a a a a a b c d e f", "a " * 3000, "b a b a b a b a b a c c c c c c c"]
    entries = entries_of([Field(str(n), "question", text) for n, text in enumerate(items)])
    documents = ["a " * 20_000, "a " * 20_000 + "b c d e f", "b a " * 9_000 + "c " * 9_000]
    assert by_kernel(entries, documents) == by_reference(entries, documents)


def test_a_leak_in_another_dress_is_found_whole():
    item = "A robe takes two bolts of blue fiber, and half that much white fiber: how many in all"
    letters = {ord("a") + i: 0x1D41A + i for i in range(26)} | {ord("A"): 0x1D400}
    dressed = [
        "\u200b".join(item),
        "\u00ad".join(item),
        "".join(f"{character}\u0301" for character in item),
        item.replace(" ", " \u200f\u202b"),
        f"\ufeff\u202e{item}\ud800",
        item.translate(letters),
        item.translate({i: i + 0xFEE0 for i in range(0x21, 0x7F)}),
        item.replace(" ", "_\0").upper(),
    ]
    documents = [text.encode("utf-8", "replace").decode() for text in dressed]
    entries = entries_of([Field("a", "question", item), Field("b", "question", item)])
    found = by_kernel(entries, documents)
    assert found == by_reference(entries, documents)
    assert [(r["document"], r["item_id"], r["match_type"]) for r in found] == [
        (n, item, "exact") for n in range(len(documents)) for item in "ab"
    ]


def test_tables_of_code_points_are_the_normalisers():
    table, expansions = text_folding()
    classes = code_classes()
    kinds = {LETTER: "x", DIGIT: "1", OTHER: "+", SPACE: " "}
    for point in (*range(0x3400), *range(0x3400, sys.maxunicode + 1, 23)):
        character = chr(point)
        piece = int(table[point])
        pieces = [piece]
        if piece & SEVERAL and not piece & ALONE:
            start = piece & ~SEVERAL
            pieces = expansions[start + 1 : start + 1 + expansions[start]].tolist()
        text = "".join(
            " " if p == SEPARATOR
            else "" if p == IGNORED
            else f" {chr(p & ~ALONE)} " if p & ALONE
            else chr(p)
            for p in pieces
        )  # fmt: skip
        assert text.split() == folded(character).split(), f"U+{point:04X}"
        assert (text[:1] == " ", text[-1:] == " ") == (
            folded(character)[:1] == " ",
            folded(character)[-1:] == " ",
        )
        like = kinds[int(classes[point])]
        for around in ("a{}b", "1{}2", "1.{}"):
            words = [len(w) for w in CODE.words(around.format(character))]
            assert words == [len(w) for w in CODE.words(around.format(like))] or like == "+"


def test_engines_batches_and_forms_of_a_shard_give_the_same_table(tmp_path):
    item = "A robe takes two bolts of blue fiber and half that much white fiber, how many in all?"
    guid = "1c9d2f4e-0a3b-4c5d-8e6f-7a8b9c0d1e2f"
    texts = ["nothing", None, f"so {item} 42", "x " * 500, f"{guid.upper()} our own mark", "", "é"]
    entries = masked_entries(entries_of([Field("a", "question", item), Field("a", "answer", "42")]))
    index = write_segment(tmp_path / "index", entries, {guid: "*", "our own mark": "a"})
    pq.write_table(pa.table({"text": texts}), tmp_path / "a.parquet", row_group_size=3)
    lines = [json.dumps({"text": text}) for text in texts]
    (tmp_path / "b.jsonl").write_text("\n".join(lines))
    tables = [
        scan_shard(tmp_path / name, index.folder, engine, batch_bytes)
        for name in ("a.parquet", "b.jsonl")
        for engine in ("kernel", "reference")
        for batch_bytes in (1, 2**20)
    ]
    assert all(table.equals(tables[0]) for table in tables)
    kinds = [(r["document"], r["match_type"]) for r in tables[0].to_pylist()]
    assert kinds == [(2, "short_exact"), (2, "exact"), (4, "canary"), (4, "canary")]
    assert {summary_of(t)["documents"] for t in tables} == {6}
    assert {summary_of(t)["unread"] for t in tables} == {1}


def test_arrow_text_comes_in_one_form_so_that_kernels_are_compiled_once():
    owned = pa.array(["a", "b"], pa.large_string())
    for texts in (owned, owned[1:], owned[:0], pa.array([""], pa.large_string())):
        data, offsets = text_buffers(texts)
        assert not data.flags.writeable
        assert not offsets.flags.writeable


def test_the_sample_counts_documents_alike(tmp_path):
    texts = ["to be or not to be or not to be", "he asks to be or not to be", "code(a, b) + c"] * 3
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"text": t}) for t in texts))
    fields = [
        Field("a", "question", "to be or not to be that is the question"),
        Field("a", "code", "code(a, b) + c - d"),
        Field("b", "question", "to be or not"),
    ]
    documents, counts = shard_counts(tmp_path / "a.jsonl", fields, "kernel")
    assert (documents, counts) == shard_counts(tmp_path / "a.jsonl", fields, "reference")
    assert documents == 9
    assert counts["text_v2"] == {"to be or not to": 6, "be or not to be": 6}
    assert counts["code_v2"]["code ( a , b"] == 3


def test_a_document_of_many_megabytes_is_searched(tmp_path):
    item = "A robe takes two bolts of blue fiber and half that much white fiber, how many in all?"
    text = "lorem ipsum dolor sit amet " * 800_000 + item
    pq.write_table(pa.table({"text": [text]}), tmp_path / "a.parquet")
    index = write_segment(tmp_path / "index", entries_of([Field("a", "question", item)]), {})
    (row,) = scan_shard(tmp_path / "a.parquet", index.folder).to_pylist()
    assert (row["match_type"], row["document_end"]) == ("exact", len(text) - 1)


def test_a_stale_index_is_refused(tmp_path: Path):
    index = write_segment(tmp_path, entries_of([Field("a", "question", "one two three")]), {})
    manifest = index.folder / "manifest.json"
    said = manifest.read_text().replace("Unicode ", "Unicode 1")
    manifest.write_text(said)
    with pytest.raises(ValueError, match=r"index .* was made by .*Unicode 1.*: compute it again"):
        scan_shard(tmp_path / "none.jsonl", index.folder)
    with pytest.raises(ValueError, match="is no index"):
        scan_shard(tmp_path / "none.jsonl", tmp_path / "elsewhere")


def test_bytes_that_are_no_utf8_are_counted(tmp_path):
    values = pa.array([b"fine", b"caf\xe9", b"\xed\xa0\x80"], pa.binary())
    column = pa.StringArray.from_buffers(3, values.buffers()[1], values.buffers()[2])
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet")
    index = write_segment(tmp_path / "index", entries_of([Field("a", "question", "fine")]), {})
    for engine in ("kernel", "reference"):
        summary = summary_of(scan_shard(tmp_path / "a.parquet", index.folder, engine))
        assert (summary["documents"], summary["unread"]) == (1, 2)
        assert summary["first_unread"].startswith("row 2: not UTF-8")
