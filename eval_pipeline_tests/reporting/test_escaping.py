"""Hostile text is harmless on every surface, and still readable."""

import csv
import html
import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.reporting.escaping import (
    for_csv,
    for_html,
    for_markdown,
    for_terminal,
    shortened,
    visible,
)
from eval_pipeline.reporting.markup import Markup, data_table, tag
from eval_pipeline_tests.reporting.attacks import ATTACKS
from eval_pipeline_tests.reporting.markdown import live, read_as_markdown


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_opens_an_element_in_html(attack: str) -> None:
    shown = str(tag("td", attack, data_label=attack))
    inside = shown.removeprefix('<td data-label="').removesuffix("</td>")
    assert not re.search(r'[<>"\']', inside.replace('">', "", 1))


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_reaches_the_terminal_as_a_control(attack: str) -> None:
    shown = for_terminal(attack)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_starts_a_formula(attack: str) -> None:
    assert not for_csv(attack).lstrip(" \u00a0\u3000\n\t").startswith(("=", "+", "-", "@", "＝"))


ADDRESSES = (
    "http://127.0.0.1/x",
    "see HTTPS://a.example, or www.a.example",
    "x@a.example",
    "`://`",
    "\\://a@b.c",
)


@pytest.mark.parametrize("attack", [*ATTACKS, *ADDRESSES])
def test_no_attack_makes_a_link_an_image_or_a_cell_in_markdown(attack: str) -> None:
    shown = for_markdown(attack)
    assert "\n" not in shown
    assert not live(shown)


@given(st.text())
def test_markdown_is_read_back_as_what_is_visible(text: str) -> None:
    assert "".join(read_as_markdown(for_markdown(text))) == " ".join(visible(text, "").split())


@given(st.text())
def test_text_without_controls_is_unchanged_on_the_terminal(text: str) -> None:
    assert for_terminal(visible(text, keep="")) == visible(text, keep="")


@given(st.text())
def test_html_is_read_back_as_what_is_visible(text: str) -> None:
    assert html.unescape(for_html(text)) == visible(text)


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=1))
def test_csv_survives_a_spreadsheet_reader(cells: list[str]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(map(for_csv, cells))
    assert next(csv.reader(io.StringIO(buffer.getvalue()))) == list(map(for_csv, cells))


@pytest.mark.parametrize(
    "text",
    [
        "the answer is 5;=cmd|'/c calc'!A0;x",
        'x; "=1+1"',
        "x\n=1+1",
        "x\t@sum(1)",
        "x;\u3000＝1+1",
        ";" * 50_000 + "-1",
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_cell_begins_a_formula_whatever_the_reader_splits_at(text: str, separator: str) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(["a", for_csv(text), for_csv(text)])
    reader = csv.reader(io.StringIO(buffer.getvalue()), delimiter=separator)
    starts = ("=", "+", "-", "@", "＝")
    assert not [cell for row in reader for cell in row if cell.strip(' "\n').startswith(starts)]


def test_shortened_text_says_that_it_was_cut() -> None:
    assert shortened("a  b\nc", 10) == "a b c"
    assert shortened("abcdef", 4) == "abc…"


def test_only_markup_passes_unescaped() -> None:
    table = data_table([{"x": "<b>"}, {"x": Markup("<b>bold</b>")}], {"x": "<h>"})
    assert "&lt;b&gt;" in table
    assert "<b>bold</b>" in table
    assert "&lt;h&gt;" in table
