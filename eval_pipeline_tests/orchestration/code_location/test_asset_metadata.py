"""What the Dagster UI is given of a table: readable, and harmless whatever stands in it."""

import base64
import re
import unicodedata
from html.parser import HTMLParser

import pyarrow as pa
import pytest

from eval_pipeline.orchestration.code_location.asset_metadata import (
    HEAD_COLUMNS,
    HEAD_ROWS,
    HEADS,
    column_schema,
    figure_metadata,
    markdown_list,
    markdown_table,
    plain,
    table_metadata,
    text,
)
from eval_pipeline.orchestration.code_location.figures import FIGURES, figures_of
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.reporting.attacks import ATTACKS
from eval_pipeline_tests.reporting.markdown import live


def hidden(shown: str) -> set[str]:
    return {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_is_more_than_a_cell_of_its_table(attack: str) -> None:
    shown = markdown_table(("reply", "n"), [(attack, 1), (attack, 2)])
    lines = shown.split("\n")
    assert len(lines) == 4  # header, rule, two rows
    for line in lines[2:]:
        reply, number = re.split(r"(?<!\\)\|", line)[1:-1]
        assert not live(reply + number)
    assert not hidden(shown.replace("\n", ""))


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_leaves_its_paragraph_or_its_line(attack: str) -> None:
    assert "\n" not in plain(attack)
    assert not live(plain(attack))
    assert not hidden(plain(attack) + text(attack))
    assert markdown_list([attack, attack]).value.count("\n") == 1


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_in_a_name_stays_text_in_the_figure(attack: str) -> None:
    row = {"metric": attack, "value": 0.5, "ci_low": 0.4, "ci_high": 0.6}
    figures = figures_of("metric_estimates", pa.Table.from_pylist([row]))
    (shown,) = figure_metadata(figures).values()
    encoded = re.fullmatch(
        r"!\[figure\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)\)", shown.value
    )
    assert encoded is not None
    elements = Elements()
    elements.feed(base64.b64decode(encoded.group(1)).decode())
    assert not elements.names & {"script", "img", "a", "foreignobject", "iframe", "object"}
    assert not [name for name in elements.attributes if name.startswith("on")]


class Elements(HTMLParser):
    """Names of all elements and attributes of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)


def test_the_head_shows_the_rows_of_the_whole_and_leaves_out_what_the_key_says() -> None:
    rows = [
        {"contract": "c", "version": 1, "metric": f"m{i}", "slice": of, "policy": "primary"}
        for i in range(9)
        for of in ("topic=a", "all")
    ]
    metadata = table_metadata(pa.Table.from_pylist(rows))
    assert metadata["dagster/row_count"] == 18
    head = metadata["head"].value.split("\n")
    assert head[0] == "| metric | slice | policy |"
    assert len(head) == 2 + HEAD_ROWS
    assert not [line for line in head if "topic" in line]


def test_wide_tables_and_long_texts_are_cut() -> None:
    wide = {f"c{i:02}": "x" * 500 for i in range(30)}
    head = table_metadata(pa.Table.from_pylist([wide]))["head"].value
    assert head.split("\n")[0].count("|") == HEAD_COLUMNS + 1
    assert max(map(len, head.split("\n")[2].split("|"))) < 70


def test_rows_are_counted_by_status() -> None:
    rows = [{"item_id": str(i), "status": "ok" if i else "timeout"} for i in range(4)]
    counts = table_metadata(pa.Table.from_pylist(rows))["by status"].value
    assert counts.split("\n")[2:] == ["| ok | 3 |", "| timeout | 1 |"]


def test_nothing_and_none_are_shown_as_they_are() -> None:
    empty = table_metadata(TABLES["metric_estimates"].empty())
    assert empty["dagster/row_count"] == 0
    assert markdown_table(("value",), [(None,), (0.0,)]).split("\n")[2:] == ["|  |", "| 0.0000 |"]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_column_of_every_table_is_described(name: str) -> None:
    schema = column_schema(TABLES[name])
    assert [column.name for column in schema.columns][:2] == ["contract", "version"]
    assert all(column.description for column in schema.columns)


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_figures_stand_beside_tables_that_exist_and_draw_columns_that_exist(name: str) -> None:
    columns = {column.name for column in TABLES[name].columns}
    assert {FIGURES[name].value, "ci_low", "ci_high"} <= columns
    assert figures_of(name, TABLES[name].empty()) == {}


def test_a_rating_without_a_licence_is_set_off_in_its_figure() -> None:
    row = {"judge": "j", "model": "m", "theta": 0.1, "ci_low": 0.0, "ci_high": 0.2}
    licensed = figures_of("ratings", pa.Table.from_pylist([{**row, "quarantined": False}]))
    refused = figures_of("ratings", pa.Table.from_pylist([{**row, "quarantined": True}]))
    assert "#d55e00" not in licensed["strengths"].lower()
    assert "#d55e00" in refused["strengths"].lower()


@pytest.mark.parametrize("name", HEADS)
def test_the_head_of_a_wide_table_shows_columns_that_exist(name: str) -> None:
    columns = {column.name for column in TABLES[name].columns}
    assert set(HEADS[name]) <= columns
    assert set(table_metadata(TABLES[name].empty(), HEADS[name])) >= {"head", "by gone"}


def test_the_leaderboard_is_drawn_and_a_quarantine_stands_on_its_axis() -> None:
    row = {
        "checkpoint": "owl@step1",
        "place": 1,
        "quantity": "win_rate",
        "value": 0.5,
        "ci_low": 0.4,
        "ci_high": 0.6,
        "confidence": 0.95,
        "status": "ok",
        "metric": "win_rate",
        "n_total": 3,
        "terms": "so",
        "read_from": "metric_estimates",
        "quarantined": True,
        "quarantine_scope": "board",
        "quarantine_reason": "why",
        "draft": False,
        "remarks": [],
        "twins": [],
        "rejected": 0.0,
        "gone": True,
    }
    (drawn,) = figures_of("leaderboard", TABLES["leaderboard"].from_rows([row])).values()
    sound = {**row, "quarantined": False, "quarantine_scope": None}
    (plainly,) = figures_of("leaderboard", TABLES["leaderboard"].from_rows([sound])).values()
    assert "QUARANTINED: win_rate" in drawn
    assert "QUARANTINED" not in plainly
    assert "owl@step1 (gone)" in drawn
    assert figures_of("leaderboard", TABLES["leaderboard"].empty()) == {}
