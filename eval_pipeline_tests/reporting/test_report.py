"""The report escapes everything it is given, loads nothing, and says what must be said."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from eval_pipeline.reporting.report import report_html
from eval_pipeline.reporting.tables import ReportTables
from eval_pipeline.warehouse.schemas import TABLES, Table
from eval_pipeline_tests.reporting.attacks import ATTACKS

NOT_OURS = {"script", "iframe", "object", "embed", "form", "link", "base", "img", "video"}
BODY = {
    "contract": "words",
    "version": 1,
    "question": {"text": "Does it add?"},
    "task": {"benchmark": "words@1", "population": "sums"},
    "evaluator": {"kind": "verifier", "reason": "numbers", "uncovered": "style"},
}


class Elements(HTMLParser):
    """Every element and attribute of a page, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def filled(table: Table, text: str) -> dict[str, Any]:
    """A row in which every free text is `text`."""
    row: dict[str, Any] = {}
    for column in (*table.stamps, *table.columns):
        kind = str(column.type)
        if column.allowed:
            row[column.name] = column.allowed[0]
        elif kind == "string":
            row[column.name] = text
        elif kind.startswith("int"):
            row[column.name] = 2
        elif kind == "double":
            row[column.name] = 0.25
        elif kind == "bool":
            row[column.name] = True
        elif kind.startswith("map"):
            row[column.name] = [(text, text if kind == "map<string, string>" else 0.25)]
        else:
            row[column.name] = [text]
    return row


def tables(text: str) -> ReportTables:
    rows = {name: [filled(table, text)] for name, table in TABLES.items() if name != "report"}
    rows["contract"][0] |= {"body": json.dumps(BODY), "primary_endpoint": text}
    rows["decisions"][0]["guardrails"] = json.dumps(
        [{"metric": text, "at_most": 1, "verdict": text}]
    )
    rows["metric_estimates"][0] |= {"slice": "all", "policy": "primary"}
    step = {**rows["verdict_agreement"][0], "slice": f"step={text}"}
    rows["verdict_agreement"][0]["slice"] = "all"
    rows["verdict_agreement"].append(step)
    rows["judge_audits"][0]["slice"] = rows["judge_licences"][0]["slice"] = "all"
    rows["run_manifest"].append({**filled(TABLES["run_manifest"], text), "field": "date"})
    rows["status_counts"] = [{"checkpoint": text, "status": "timeout", "n": 3}]
    planted = [
        {
            "name": text,
            "planted": 1.0,
            "estimate": 0.9,
            "ci_low": 0.8,
            "ci_high": 1.1,
            "covered": True,
        }
    ]
    verification = {"verifier": "code@1", "extraction": text, "options": {text: text}}
    body = {**BODY, "prompt": {"unknown": text}, "verification": verification}
    notes = {"sandbox": text, "sandbox_level": "partial", "sandbox_lacks": text}
    rate = {"value": 0.1, "low": 0.0, "high": 0.4, "events": 1, "n": 10, "reason": None}
    audit = dict.fromkeys(("false_negative", "false_positive", "error"), rate)
    audit |= {"n": 10, "disputed": 1, "confidence": 0.95, "by": {text: 10}}
    standings = {text: ("refused", text)}
    return ReportTables(rows, body, planted, {}, {text: notes}, audit, standings)


@pytest.mark.filterwarnings("ignore:Glyph")  # figures label checkpoints, whose names are ASCII
@pytest.mark.parametrize("start", range(0, len(ATTACKS), 8))
def test_no_text_becomes_markup_anywhere_in_the_report(start: int) -> None:
    seen = Elements(report_html(tables("\n".join(ATTACKS[start : start + 8])))).seen
    assert not [tag for tag, _ in seen if tag in NOT_OURS]
    assert all((a["href"] or "").startswith("#") for tag, a in seen if tag == "a")
    assert not [name for _, attributes in seen for name in attributes if name.startswith("on")]
    plain = Elements(report_html(tables("plain"))).seen
    assert structure(seen) == structure(plain)


def structure(seen: list[tuple[str, dict[str, str | None]]]) -> list[str]:
    """The page's elements without those that draw letters."""
    return [tag for tag, _ in seen if tag not in ("path", "use", "g", "defs")]


def test_the_page_carries_a_policy_and_loads_nothing() -> None:
    seen = Elements(report_html(tables("x"))).seen
    policies = [a["content"] for tag, a in seen if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies
    assert "default-src 'none'" in (policies[0] or "")
    loads = [a for _, a in seen for name in a if name in ("src", "srcset", "action", "data")]
    assert not loads


def test_a_draft_and_a_judge_without_licence_say_so_on_the_face_of_the_page() -> None:
    given = tables("x")
    given.rows["contract"][0]["status"] = "draft"
    given.rows["leaderboard"][0]["quarantine_scope"] = "board"
    text = report_html(given)
    assert "DRAFT." in text
    assert ">QUARANTINED.<" in text
    assert "Without a licence: x (refused)." in text


def test_a_guardrails_jury_quarantines_the_decisions_and_not_the_board() -> None:
    text = report_html(tables("x"))
    assert "DECISIONS QUARANTINED." in text
    assert ">QUARANTINED.<" not in text


def test_a_licensed_judge_brings_no_banner() -> None:
    given = replace(tables("x"), standings={"x": ("licensed", "all audits are within")})
    given.rows["leaderboard"][0] |= {"quarantine_scope": None, "quarantine_reason": None}
    text = report_html(given)
    assert "QUARANTINED." not in text
    assert "Without a licence" not in text


def test_an_undefined_number_is_called_undefined_and_its_reason_is_shown() -> None:
    given = tables("x")
    given.rows["metric_estimates"][0] |= {"value": None, "reason": "no item has 8 draws"}
    text = report_html(given)
    assert "undefined" in text
    assert "no item has 8 draws" in text


def test_the_verifier_its_audit_and_its_sandbox_are_on_the_page() -> None:
    text = report_html(tables("x"))
    for said in ("10 verdicts checked by people (x 10)", "1 left out", "[0.0000, 0.4000]"):
        assert said in text
    for said in ("Sandbox level", "partial"):
        assert said in text
    unknown = {**vars(tables("x")), "audit": None, "worked": {"x": {}}}
    text = report_html(ReportTables(**unknown))
    assert "no person has checked its verdicts" in text
    assert "Sandbox level" not in text
    undefined = {"value": None, "reason": "no reply of the sample is wrong", "events": 0, "n": 0}
    unknown["audit"] = {**(tables("x").audit or {}), "false_positive": undefined}
    assert "no reply of the sample is wrong" in report_html(ReportTables(**unknown))


def test_the_same_rows_give_the_same_bytes() -> None:
    assert report_html(tables("x")) == report_html(tables("x"))


def test_sections_without_tables_are_left_out() -> None:
    only = ReportTables({"contract": [tables("x").rows["contract"][0]]}, BODY)
    text = report_html(only)
    assert "Decisions" not in text
    assert "Identity" in text


def test_a_judged_difference_is_named_and_a_count_says_why_it_has_no_interval() -> None:
    judged = tables("words")
    for name in ("decisions", "paired_comparisons"):
        judged.rows[name][0] |= {"metric": "win_rate", "slice": "all"}
    judged.rows["judge_audits"][0] |= {"audit": "missing_rate", "reason": None, "ci_low": None}
    page = report_html(judged)
    assert page.count("win_rate minus one half") >= 3
    assert "win_rate, candidate minus baseline" not in page
    assert "counted over every planned vote" in page


def test_what_stands_beside_a_decision_is_marked_in_its_row() -> None:
    given = tables("words")
    noted = {"remarks": ["worse than <its> parent"], "leak_note": "leaked items <flatter> it"}
    board = [{**given.rows["leaderboard"][0], **noted}]
    page = report_html(replace(given, rows={**given.rows, "leaderboard": board}))
    assert "leaked items &lt;flatter&gt; it" in page
    assert "worse than &lt;its&gt; parent" in page


def test_a_parent_that_is_the_reference_too_is_compared_once() -> None:
    whole = tables("a")
    row = {**filled(TABLES["paired_comparisons"], "tern"), "slice": "all", "role": "parent"}
    rows = {**whole.rows, "paired_comparisons": [row, {**row, "role": "reference"}]}
    page = report_html(replace(whole, rows=rows))
    assert page.count("(reference and parent)") == 2  # in the table, and in the list of items
    assert "(parent)" not in page


def test_ratings_and_chances_stand_with_their_intervals() -> None:
    whole = tables("a")
    rating = {
        **filled(TABLES["ratings"], "a"),
        "elo": 1042.0,
        "elo_low": 1030.0,
        "elo_high": 1054.0,
    }
    pair = {**filled(TABLES["contrasts"], "a"), "model_j": "b", "win_low": 0.5, "win_high": 0.75}
    models = [rating, {**rating, "model": "b", "elo_low": None, "elo_high": None}]
    page = report_html(replace(whole, rows={**whole.rows, "ratings": models, "contrasts": [pair]}))
    assert "[1030, 1054]" in page
    assert "no interval" in page
    assert "below it the interval of that pair alone" in page


def test_verdicts_that_were_recorded_say_so_and_who_graded_is_no_markup() -> None:
    given = tables("x")
    hostile = "<script>the authors</script>"
    pages = {}
    for grader in (hostile, None):
        board = [{**given.rows["leaderboard"][0], "recorded_by": grader}]
        pages[grader] = report_html(replace(given, rows={**given.rows, "leaderboard": board}))
    assert "nothing here judged the replies" in pages[hostile]
    assert not [tag for tag, _ in Elements(pages[hostile]).seen if tag in NOT_OURS]
    assert "nothing here judged the replies" not in pages[None]


def test_ours_and_the_publishers_stand_side_by_side_with_the_reason_where_one_is_undefined() -> (
    None
):
    given = tables("x")
    given.rows["verdict_agreement"][0] |= {"kappa": None, "kappa_low": None, "kappa_reason": "one"}
    given.totals["recorded_verdicts"] = 7
    text = report_html(given)
    assert "Ours and the publisher" in text
    assert "1 of 7 samples on which the two differ" in text
    assert "a score of 0.25 or more counts as right" in text
    without = {name: rows for name, rows in given.rows.items() if name != "verdict_agreement"}
    assert "Ours and the publisher" not in report_html(replace(given, rows=without))


@pytest.mark.parametrize(("share", "said"), [(0.0201, True), (0.02, False), (0.0, False)])
def test_a_share_that_nobody_judged_stands_beside_the_score(share: float, said: bool) -> None:
    given = tables("x")
    row = {**given.rows["leaderboard"][0], "parser_failure": share, "undecided": 0.0}
    rows = {**given.rows, "leaderboard": [row]}
    assert ("Draws not judged" in report_html(replace(given, rows=rows))) == said
