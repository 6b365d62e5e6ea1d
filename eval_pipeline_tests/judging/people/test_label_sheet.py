"""A rater sees no name, no pattern of sides, and what they say comes back as what they meant."""

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.people.label_sheet import DECOY, decoy_item, masked, sheet_rows, tells
from eval_pipeline.reporting.labelling.label_page import label_page

PLAN = [(f"i{i:02d}", "heron@1", "tern@1") for i in range(60)]
EVERY = 10**9


def test_all_raters_get_the_same_pairs_in_other_orders_and_on_other_sides() -> None:
    ann, bob = (sheet_rows(PLAN, rater, 40, seed=1, honeypots=5) for rater in ("ann", "bob"))
    pairs = [{(row.item_id, row.model_a, row.model_b) for row in rows} for rows in (ann, bob)]
    assert pairs[0] == pairs[1]
    assert [row.item_id for row in ann] != [row.item_id for row in bob]
    assert not {row.row for row in ann} & {row.row for row in bob}
    sides = [row.first_is_a for row in ann]
    assert 10 < sum(sides) < 35


def test_answers_are_read_back_whatever_the_size_of_the_sheet() -> None:
    every = {row.row: row for row in sheet_rows(PLAN, "ann", EVERY, seed=1, honeypots=EVERY)}
    for row in sheet_rows(PLAN, "ann", 10, seed=1, honeypots=3):
        assert every[row.row] == row


@given(st.sampled_from(["1", "2", "tie", " TIE ", "unsure"]), st.integers(0, 59))
def test_an_answer_names_the_model_that_stood_there(answer: str, place: int) -> None:
    row = sheet_rows(PLAN, "ann", 60, seed=2, honeypots=0)[place]
    label = row.label(answer)
    if answer == "1":
        assert label == ("model_a" if row.first_is_a else "model_b")
    elif answer == "2":
        assert label == ("model_b" if row.first_is_a else "model_a")
    else:
        assert label == {"tie": "tie", "unsure": None}[answer.strip().lower()]


def test_a_honeypot_knows_its_answer_and_shows_another_question() -> None:
    traps = [row for row in sheet_rows(PLAN, "ann", 20, seed=1) if row.honeypot]
    assert len(traps) == 2
    for row in traps:
        assert DECOY in (row.model_a, row.model_b)
        assert row.expected == ("model_a" if row.model_b == DECOY else "model_b")
        assert decoy_item(row.item_id, [item for item, _, _ in PLAN]) != row.item_id


def test_what_tells_the_maker_is_masked_and_nothing_else() -> None:
    names = tells({"heron@step1": "heron", "tern@step1": "tern"})
    text = "I am Heron, made as heron@step1; the pattern of a tern is no pattern."
    assert masked(text, names) == (
        "I am [name], made as [name]; the pattern of a [name] is no pattern."
    )


@pytest.mark.parametrize(
    ("planned", "rater", "n", "message"),
    [
        ([], "ann", 5, "no pair has the replies of both models"),
        (PLAN, " ", 5, "a rater needs a name"),
        (PLAN, "ann", 0, "n must be at least 1"),
    ],
)
def test_what_gives_no_sheet_is_refused(
    planned: list[tuple[str, str, str]], rater: str, n: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sheet_rows(planned, rater, n, seed=1)


def test_an_answer_in_other_words_is_refused() -> None:
    row = sheet_rows(PLAN, "ann", 1, seed=1)[0]
    with pytest.raises(ValueError, match="answer 'left' is none of 1, 2, tie, unsure"):
        row.label("left")


HOSTILE = "</div></script><script>document.title='broken'</script><img src=x onerror=alert(1)>"


def page() -> str:
    row = {"row": "r1", "question": HOSTILE, "reply_1": HOSTILE, "reply_2": "plain"}
    return label_page("Sheet", "ann", HOSTILE, [row], "key")


def test_no_reply_becomes_markup_in_the_page_and_nothing_is_loaded() -> None:
    text = page()
    assert len(re.findall(r"<script", text)) == 1
    assert "onerror=alert(1)>" not in text
    assert "default-src 'none'; script-src 'sha256-" in text.replace("&#x27;", "'")
    assert not re.findall(r"<(?:img|link|iframe|object|base|form)\b", text)


@pytest.mark.skipif(which("chromium") is None, reason="chromium is not installed")
def test_the_page_runs_its_own_script_under_its_policy_and_no_other(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    sheet.write_text(page(), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    ran = subprocess.run(
        [*command, f"--user-data-dir={tmp_path / 'profile'}", sheet.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "Pair 1 of 1, 0 answered" in ran.stdout
    assert "<title>Sheet</title>" in ran.stdout
