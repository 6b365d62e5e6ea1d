"""Markup of raw corpora: a reader of the page and the search see the same words."""

import json
import time

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contamination.corpus.batch import UnreadLines
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.near_duplicates.sketches import hashed
from eval_pipeline.contamination.text.buffers import text_buffers
from eval_pipeline.contamination.text.digests import text_digests
from eval_pipeline.contamination.text.exact import text_digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.markup import unmarked, unmarked_code
from eval_pipeline.contamination.text.markup_kernel import as_read
from eval_pipeline.contamination.text.normalise import CODE, TEXT
from eval_pipeline.contamination.verdict.items import item_rows
from eval_pipeline_tests.contamination.engines import by_kernel, by_reference, shard_by_reference

ITEM = "A baker fills nine trays with eight rolls and sells all but five before noon, so how much?"
MARKS = [
    "<",
    ">",
    "</",
    "/>",
    "&",
    ";",
    "=",
    '"',
    "'",
    "b",
    "p",
    "script",
    "style",
    "span",
    "x-y",
    "foo",
    "on",
    "disabled",
    "href",
    "class",
    "amp",
    "lt",
    "gt",
    "nbsp",
    "eacute",
    "copy",
    "notit",
    "nGt",
    "fjlig",
    "#39",
    "#x1F600",
    "#128",
    "#0",
    "#xD800",
    "#99999999",
    "#999999999",
    "a",
    "1",
    "é",
    "日",
    "<!--",
    "-->",
    "<!D",
    "<?xml",
    "<![CDATA[",
    "&amp;",
    "&#39;",
    "<b>",
    "</b>",
    "<p>",
    "<i",
    'class="x">',
    "</script>",
    "<script>",
    "<style>",
    "</STYLE\t>",
    "<br/>",
    "\n",
]
PAGES = st.lists(
    st.tuples(st.sampled_from(MARKS), st.sampled_from(["", "", " "])), max_size=14
).map(lambda pieces: "".join(map("".join, pieces)))
READ = (  # what stands in a page, and what its reader sees
    ("&nbsp;", " "),
    ("&#160;", " "),
    ("&amp;", "&"),
    ("&quot;", '"'),
    ("&#39;", "'"),
    ("&eacute;", "é"),
    ("&eacute", "é"),
    ("&#233;", "é"),
    ("&#xE9;", "é"),
    ("&#x65E5;", "日"),
    ("&shy;", "\u00ad"),
    ("<b>", ""),
    ("</B>", ""),
    ("<a href='x?a=1&amp;b=2' title=\"more > less\">", ""),
    ("<font color=red>", ""),
    ("<input disabled value=3>", " "),
    ("<br/>", " "),
    ("<BR />", " "),
    ('<p class="a b"\nid=c>', " "),
    ("</td><td>", " "),
    ("</w:t>", " "),
    ('<w:t xml:space="preserve">', " "),
    ("<script type='x'>var a = '<b>'; if (a < 1 && b) {}</script >", " "),
    ("<STYLE>p > a {color: red}</style>", " "),
    ("<!-- a <b> comment -->", ""),
    ("<!DOCTYPE html>", " "),
    (" a < b and c > d ", " a < b and c > d "),
    ("a<b and c>d", "a<b and c>d"),
    ("x<y", "x<y"),
    ("List<String>", "List<String>"),
    ("AT&T ", "AT&T "),
    ("R&D;", "R&D;"),
    ("&unknown;", "&unknown;"),
    (" word ", " word "),
    ("noon,", "noon,"),
)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("A&nbsp;baker&nbsp;fills", "a baker fills"),
        ("<b>A</b> <b>baker</b> <b>fills</b>", "a baker fills"),
        ("<b>A</b><b>baker</b>", "a baker"),
        ("<b>b</b>aker", "baker"),
        ("one<br>two<p>three</p>four<td>five", "one two three four five"),
        ("caf&eacute; &amp; na&iuml;ve don&#39;t don&rsquo;t", "cafe naive dont dont"),
        ("&amp;lt;b&amp;gt; is text", "lt b gt is text"),
        ("1 &lt; 2 &gt 0", "1 2 0"),
        ("&copy2020 &notit; &hearts &hearts;", "2020 it hearts"),
        ("a < b and c > d", "a b and c d"),
        ("if x<y and y>z", "if x y and y z"),
        ("if a<b and c>d", "if a b and c d"),
        ("<script>var hidden = 1</script>shown", "shown"),
        ("<script>never closed", "never closed"),
        ("<!-- gone -->here <!-- never closed", "here never closed"),
        ("H<sub>2</sub>O 10<sup>2</sup>", "h2o 102"),
        ("<john@example.com> <name> </name>", "john example com name"),
        ("&#0; &#xD800; &#1114112; &#150; &#8364;", ""),
    ],
)
def test_a_page_is_read_as_its_reader_sees_it(page: str, words: str):
    assert TEXT.words(page) == words.split()


@given(st.lists(st.sampled_from(READ), max_size=12))
def test_markup_reads_as_what_it_stands_for(pieces):
    page = " x ".join(raw for raw, _ in pieces)
    assert TEXT.words(page) == TEXT.words_shown(" x ".join(seen for _, seen in pieces))


@settings(max_examples=300, deadline=None)
@given(st.lists(PAGES, min_size=1, max_size=4))
def test_the_kernel_folds_as_the_definition(pages: list[str]):
    data, offsets = text_buffers(pa.array(pages, pa.large_string()))
    for of_code, fold, normaliser in ((False, unmarked, TEXT), (True, unmarked_code, CODE)):
        folded = as_read(data, offsets, of_code)
        for page, first, last in zip(pages, offsets[:-1], offsets[1:], strict=True):
            shown = folded[first:last].tobytes().decode()
            expected = fold(page)
            assert len(expected) == len(page)
            assert normaliser.words_shown(shown) == normaliser.words_shown(expected)
            if page.isascii() and expected.isascii():
                assert shown == expected
    assert text_digests(pa.array(pages, pa.large_string())) == [text_digest(p) for p in pages]
    fast, plain = hashed(pages, fast=True), hashed(pages, fast=False)
    assert np.array_equal(fast.words, plain.words)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(PAGES, st.just(ITEM), st.just(ITEM.replace(" ", "&nbsp;")),
                          st.just(f"<i>{ITEM[:-1]}&eacute;</i>")), max_size=4))  # fmt: skip
def test_both_engines_give_the_same_rows_of_pages(pieces: list[str]):
    fields = [
        Field("a", "question", ITEM),
        Field("a", "answer", "caf&eacute;"),
        Field("b", "question", f"{ITEM[:-1]}&eacute;"),
        Field("b", "code", "if a &lt; b and c &gt; d: return a + b * c"),
    ]
    entries = entries_of(fields)
    documents = [" ".join(pieces), "<p>".join(pieces), f"{' '.join(pieces)} &amp; caf&#233;"]
    documents.append("<pre>if a &lt; b <b>and</b> c &gt; d: return a + b * c</pre>")
    assert by_kernel(entries, documents) == by_reference(entries, documents)


DRESSES = {
    "entities between words": lambda text: text.replace(" ", "&nbsp;"),
    "numbers between words": lambda text: text.replace(" ", "&#32;"),
    "a tag a word": lambda text: " ".join(f"<b>{word}</b>" for word in text.split()),
    "spans without spaces": lambda text: "".join(f"<span>{w}</span>" for w in text.split()),
    "cells": lambda text: "".join(f"<td class='x' >{w}</td>" for w in text.split()),
    "breaks": lambda text: text.replace(" ", "<br />"),
    "attributes": lambda text: text.replace(
        " ", " <a href=\"https://example.org/?a=1&b=2\" data-x='some words'> </a> "
    ),
    "every letter": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "hexadecimal": lambda text: "".join(f"&#x{ord(c):X}" + ";" for c in text),
    "scripts between": lambda text: text.replace(" ", " <script>var w = 'words';</script> "),
    "comments inside": lambda text: "<!-- a comment -->".join(text),
    "a page": lambda text: f"<!DOCTYPE html><html><body><p>{text}</p></body></html>",
    "first letters": lambda text: " ".join(f"<em>{w[:1]}</em>{w[1:]}" for w in text.split()),
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_an_item_in_any_dress_is_found_whole_where_it_stands(dress, tmp_path):
    page = f"Some talk before &amp; more.\n{dress(ITEM)}\nSome talk after."
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": page}))
    entries = entries_of([Field("a", "question", ITEM)])
    rows = shard_by_reference("web@1", path, entries, UnreadLines())
    (row,) = rows
    assert row["match_type"] == "exact"
    assert item_rows(entries, rows, 1)[0]["status"] == "contaminated"
    in_page = page.encode()[row["document_start"] : row["document_end"]].decode()
    assert TEXT.words(in_page) == TEXT.words(ITEM)
    assert row["excerpt_document"].strip("…") in page
    assert by_kernel(entries, [page]) == by_reference(entries, [page])


def test_an_excerpt_ends_after_the_entity_that_its_last_word_ends_with():
    item = "How many seats has the oldest of all the small cafés in the village of Orvenné"
    page = f"{item.replace('é', '&eacute;')}&nbsp;and no more"
    (row,) = by_reference(entries_of([Field("a", "question", item)]), [page])
    assert page.encode()[: row["document_end"]].decode().endswith("Orvenn&eacute;")
    assert by_kernel(entries_of([Field("a", "question", item)]), [page]) == [row]


@pytest.mark.parametrize(
    "unit",
    ["<", "&", "<a b=", '<a b="', "<!--", "<script>", "<style><", "&#", "&a", "</", "<a ", "<p /",
     "<a b='c' ", "&#1", "<![CDATA", "<!d", "<b </b"],
)  # fmt: skip
def test_the_cost_of_hostile_markup_is_linear(unit: str):
    page = unit * (200_000 // len(unit))
    data, offsets = text_buffers(pa.array([page], pa.large_string()))
    as_read(data, offsets, False)
    began = time.process_time()
    for fold in (unmarked, unmarked_code):
        assert len(fold(page)) == len(page)
    as_read(data, offsets, False)
    assert time.process_time() - began < 5  # a square of it would be hours


def test_text_without_markup_is_not_copied():
    data, offsets = text_buffers(pa.array(["plain, 'words'"] * 9, pa.large_string()))
    assert as_read(data, offsets, False) is data
