"""Text that tries to be something else reaches no terminal and no spreadsheet."""

import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest

from eval_pipeline_tests.cli.calling import Called, called, succeeded
from eval_pipeline_tests.cli.project import BASE, hostile_id, put
from eval_pipeline_tests.reporting.attacks import ATTACKS

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def hidden(text: str) -> set[str]:
    return {c for c in text if c != "\n" and unicodedata.category(c) in HIDDEN}


def assert_harmless(found: Called, allowed: frozenset[str] = frozenset()) -> None:
    assert hidden(found.stdout) - allowed == set()
    assert hidden(found.stderr) == set()


CALLS = [
    ("ls",),
    ("ls", "hostile"),
    ("ls", "--json"),
    ("plan", "--all"),
    ("why", "ok", "--contract", "hostile", "--limit", "0"),
    ("why", "ok", "--contract", "hostile", "--limit", "0", "--json"),
    ("why", "invalid_json"),
    ("why", "judge_unknown"),
    ("why", "\x1b[2J"),
    ("query", "SELECT item_id, question, answer FROM items WHERE contract = 'hostile'"),
    ("query", "SELECT * FROM generations WHERE contract = 'hostile'", "--limit", "0"),
    ("query", "SELECT * FROM generations WHERE contract = 'hostile'", "--json"),
    ("query", "SELECT * FROM generations WHERE contract = 'hostile'", "--csv"),
    ("query", 'SELECT 1 AS "\x1b[2J=1\u202e"'),
    ("query", 'SELECT * FROM "\x1b[2J"'),
    ("trace", "hostile", "--checkpoint", BASE),
    ("gate", "hostile", "\x1b[2J"),
    ("diff", "hostile", "sums"),
    ("\x1b[2J",),
]


@pytest.mark.parametrize(
    "call", CALLS, ids=lambda call: " ".join(call)[:50].encode("unicode_escape").decode()
)
def test_no_hidden_character_is_printed(finished: Path, call: tuple[str, ...]) -> None:
    tab = frozenset("\t") if "--csv" in call else frozenset[str]()  # text in a cell may hold tabs
    assert_harmless(called(finished, *call), tab)


def test_an_attack_stays_readable_in_the_terminal(finished: Path) -> None:
    shown = succeeded(finished, "why", "ok", "--contract", "hostile", "--limit", "0").stdout
    assert "<script>alert(1)</script>" in shown
    assert "[bold red]rich markup[/bold red]" in shown
    assert "\\x1b[2J\\x1b[31mred\\x1b[0m" in shown
    assert ":skull:" in shown


@pytest.mark.parametrize("i", range(len(ATTACKS)))
def test_each_attack_is_traced_without_harm(finished: Path, i: int) -> None:
    call = ("trace", "hostile", "--checkpoint", BASE, "--item", hostile_id(i))
    assert_harmless(succeeded(finished, *call))
    told = succeeded(finished, *call, "--json")
    assert_harmless(told)
    assert told.json["item"]["question"] == ATTACKS[i]


def test_no_cell_of_csv_starts_a_formula(finished: Path) -> None:
    sql = """
        SELECT item_id, question, answer, question || answer AS "=1+1", [question] AS list
        FROM items WHERE contract = 'hostile'
    """
    shown = succeeded(finished, "query", sql, "--csv").stdout
    rows = list(csv.reader(io.StringIO(shown)))
    assert len(rows) == 1 + len(ATTACKS)
    for cell in (cell for row in rows for cell in row):
        assert not cell.lstrip(" \u00a0\u3000").startswith(FORMULA_STARTS), cell


def test_json_gives_back_the_very_text(finished: Path) -> None:
    sql = "SELECT item_id, text FROM generations WHERE contract = 'hostile'"
    rows = succeeded(finished, "query", sql, "--json").json
    assert {row["item_id"]: row["text"] for row in rows} == {
        hostile_id(i): attack for i, attack in enumerate(ATTACKS)
    }


def test_init_shows_hostile_rows_without_harm(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    rows = [{"question": a, "answer": a, "reply": a, "id": a, a[:30]: a} for a in ATTACKS]
    bad = [{"question": a, "answer": None, "reply": a} for a in ATTACKS]
    put(
        source,
        "".join(
            f"{json.dumps(row)}\n{attack!r}\n"
            for row, attack in zip([*rows, *bad], ATTACKS * 2, strict=True)
        ),
    )
    assert_harmless(called(tmp_path / "data", "init", "--from", str(source)))
    assert_harmless(succeeded(tmp_path / "other", "init", "--from", str(source), "--json"))
    twice = [{"question": a, "answer": "b", "reply": "c", "model": a} for a in ATTACKS]
    put(source, "".join(json.dumps(row) + "\n" for row in twice))
    assert_harmless(called(tmp_path / "third", "init", "--from", str(source)))
