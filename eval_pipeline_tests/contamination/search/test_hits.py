"""Rows of evidence: complete, sorted, with the text of both sides."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.contamination.index.entries import FieldEntry, entries_of
from eval_pipeline.contamination.index.segment import write_segment
from eval_pipeline.contamination.search.canary import EVERY_ITEM
from eval_pipeline.contamination.search.shard import scan_shard
from eval_pipeline.contamination.text.excerpts import EXCERPT
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.verdict.items import flagged_documents, item_rows
from eval_pipeline.warehouse.schemas import TABLES

FIRST = "A robe takes two bolts of blue fiber and half that much white fiber, how many in total?"
SECOND = "Ann walks nine miles to the old mill every day, and back again over the long bridge."
ENTRIES = entries_of([Field("a", "question", FIRST), Field("b", "question", SECOND)])
GUID = "1c9d2f4e-0a3b-4c5d-8e6f-7a8b9c0d1e2f"


def shard(folder: Path, *texts: str) -> Path:
    path = folder / "s.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
    return path


@pytest.fixture(params=["reference", "kernel"])
def scan(request, tmp_path):
    """Rows of a shard by each engine, as `contamination_hits` has them."""

    def rows(
        path: Path,
        canaries: Mapping[str, str] | None = None,
        entries: Sequence[FieldEntry] = ENTRIES,
    ) -> list[dict[str, Any]]:
        index = write_segment(tmp_path / "index", entries, canaries or {})
        found = scan_shard(path, index.folder, request.param)
        return [{"corpus": "web@1", "shard": path.name, **row} for row in found.to_pylist()]

    return rows


def test_a_leak_is_shown_with_the_text_around_it(tmp_path, scan):
    text = f"Some words before. {FIRST.upper()} And some words after it. " + "z " * 200
    (row,) = scan(shard(tmp_path, "nothing here", text))
    assert (row["document"], row["item_id"], row["match_type"]) == (1, "a", "exact")
    assert row["excerpt_document"].startswith("Some words before. A ROBE")
    assert row["excerpt_document"].endswith("after it. z z z…")
    assert row["excerpt_item"] == FIRST
    TABLES["contamination_hits"].from_rows([row])


def test_the_largest_overlap_is_kept_even_if_it_is_small(tmp_path, scan):
    words = [f"w{n}" for n in range(60)]
    entries = entries_of([Field("a", "question", " ".join(words))])
    texts = [" ".join(words[i : i + size]) for i, size in ((0, 5), (9, 7), (30, 6))]
    (row,) = scan(shard(tmp_path, *texts), entries=entries)
    assert (row["document"], row["hits"]) == (1, 3)
    assert {r["status"] for r in item_rows(entries, [row], 1)} == {"clean"}
    assert flagged_documents([row]) == set()


def test_canaries_have_rows_and_a_verdict_of_their_own(tmp_path, scan):
    rows = scan(shard(tmp_path, f"x {GUID}", f"{GUID} {GUID}"), {GUID: EVERY_ITEM})
    assert [(r["document"], r["match_type"], r["item_id"]) for r in rows] == [
        (0, "canary", "*"),
        (1, "canary", "*"),
    ]
    verdicts = item_rows(ENTRIES, rows, 1)
    assert [(v["item_id"], v["field"], v["status"], v["n_documents"]) for v in verdicts] == [
        ("*", "canary", "contaminated", 2),
        ("a", "question", "clean", 0),
        ("b", "question", "clean", 0),
    ]
    TABLES["contamination_items"].from_rows(verdicts)


def test_the_order_of_documents_and_items_changes_no_verdict(tmp_path, scan):
    texts = [FIRST, "to the old mill every day, and back again over", "nothing", f"so {SECOND}"]
    verdicts = []
    for order, entries in ((texts, ENTRIES), (texts[::-1], ENTRIES[::-1])):
        rows = scan(shard(tmp_path, *order), entries=entries)
        assert rows == sorted(rows, key=lambda r: (r["document"], r["item_id"]))
        verdicts.append(item_rows(ENTRIES, rows, 1))
    assert verdicts[0] == verdicts[1]
    assert [v["status"] for v in verdicts[0]] == ["contaminated", "contaminated"]


def test_text_that_is_no_unicode_is_still_searched(tmp_path, scan):
    path = tmp_path / "s.jsonl"
    path.write_text('{"text": "' + FIRST.replace("white", "\\ud800white") + '"}')
    (row,) = scan(path)
    assert (row["match_type"], "much ?white" in row["excerpt_document"]) == ("exact", True)
    TABLES["contamination_hits"].from_rows([row])


def test_an_excerpt_is_found_in_any_line(tmp_path, scan):
    text = f"one two\n\nthree four five\nsix {FIRST[:40]}\n{FIRST[41:]}\nseven\neight nine ten"
    (row,) = scan(shard(tmp_path, text))
    assert row["excerpt_document"] == text
    (row,) = scan(shard(tmp_path, "w " * 20 + "\n" + FIRST + "\n" + "x " * 20))
    assert row["excerpt_document"] == "…" + "w " * 8 + "\n" + FIRST + "\n" + "x " * 7 + "x…"


def test_an_excerpt_is_bounded(tmp_path, scan):
    long = " ".join(f"w{n}" for n in range(500))
    (row,) = scan(shard(tmp_path, long), entries=entries_of([Field("a", "question", long)]))
    assert len(row["excerpt_document"]) <= EXCERPT + 2
    assert row["longest_span"] == 500


def test_a_short_item_is_never_clean_where_it_stands(golden_vectors, tmp_path, scan):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB145"]
    given = case["minimal_input"]
    entries = entries_of([Field("i", "question", given["item"])])
    rows = scan(shard(tmp_path, given["corpus"]), entries=entries)
    (verdict,) = item_rows(entries, rows, 1)
    assert verdict["status"] == case["right_behaviour"]["status"]
