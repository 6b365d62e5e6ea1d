"""How judges, juries and contracts stand, from their licences and what was cast."""

from datetime import date
from typing import Any

import pytest

from eval_pipeline.judging.awaited import awaited_words, pending
from eval_pipeline.judging.standing import (
    Jury,
    judge_standings,
    licensed,
    panel_of,
    quarantines,
    reason_of,
    run_out,
)

PAIRS = Jury("pairs", ("stern", "kindly"), primary=True)
MARKS = Jury("scores", ("marks",), primary=False)


def licence(judge: str, outcome: str = "licensed", **rest: Any) -> dict[str, Any]:
    whole = {"judge": judge, "slice": "all", "outcome": outcome, "reason": f"{judge} is {outcome}"}
    return {**whole, "reaudit_by": None, "suspended_on": None, **rest}


def awaits(judge: str, checkpoint: str, n_cast: int, **rest: Any) -> dict[str, Any]:
    row = {"judge": judge, "checkpoint": checkpoint, "form": "pairs", "n_due": 100}
    return {**row, "n_cast": n_cast, "n_unanswered": 0, "pending": n_cast < 98, **rest}


@pytest.mark.parametrize(
    ("row", "awaited", "today", "state"),
    [
        (licence("stern"), [], None, "licensed"),
        (licence("stern", "refused"), [], None, "refused"),
        (licence("stern", "not_enough_labels"), [], None, "not_enough_labels"),
        (licence("stern", "refused", suspended_on="2026-01-01"), [], None, "suspended"),
        (licence("stern", reaudit_by="2026-05-31"), [], date(2026, 5, 31), "licensed"),
        (licence("stern", reaudit_by="2026-05-31"), [], date(2026, 6, 1), "run_out"),
        (licence("stern", reaudit_by="2026-05-31"), [], None, "licensed"),
        (licence("stern", "refused", reaudit_by="2026-05-31"), [], date(2026, 6, 1), "refused"),
        (licence("stern", "not_enough_labels"), [awaits("stern", "a", 0)], None, "votes_pending"),
        (
            licence("stern", "not_enough_labels"),
            [awaits("stern", "a", 0), awaits("stern", "b", 99)],
            None,
            "not_enough_labels",
        ),
        (licence("stern"), [awaits("stern", "a", 0), awaits("stern", "b", 99)], None, "licensed"),
    ],
)
def test_a_judge_has_one_state(
    row: dict[str, Any], awaited: list[dict[str, Any]], today: date | None, state: str
) -> None:
    assert judge_standings([row], awaited, today)["stern"].state == state


def test_a_licence_on_a_slice_is_none_over_all_items() -> None:
    rows = [licence("stern", "refused"), licence("stern", slice="topic=law")]
    assert licensed(rows) == ()


def test_the_panel_is_the_licensed_or_all_of_them_quarantined() -> None:
    one = panel_of(PAIRS.judges, [licence("kindly"), licence("stern", "refused")])
    assert (one.members, one.quarantined) == (("kindly",), False)
    none = panel_of(PAIRS.judges, [licence("marks")])
    assert (none.members, none.quarantined) == (("kindly", "stern"), True)
    assert none.words == "all judges, none of them licensed"


def test_a_guardrails_jury_takes_the_decision_and_leaves_the_board() -> None:
    found = quarantines([PAIRS, MARKS], [licence("stern"), licence("marks", "refused")])
    assert reason_of(found, "board") is None
    assert reason_of(found, "decision") == (
        "no judge of single replies holds a licence: a guardrail rests on it"
    )


def test_the_primary_jury_takes_both() -> None:
    found = quarantines([PAIRS, MARKS], [licence("stern", "refused"), licence("marks")])
    assert (
        reason_of(found, "board")
        == reason_of(found, "decision")
        == ("no judge of pairs holds a licence")
    )


def test_one_licence_that_ran_out_is_one_too_many() -> None:
    rows = [licence("kindly"), licence("stern", reaudit_by="2026-05-31")]
    said = run_out(judge_standings(rows, (), date(2026, 6, 1)).values())
    assert said is not None
    assert said.startswith("stern was to be audited again by 2026-05-31")
    assert run_out(judge_standings(rows, (), date(2026, 5, 1)).values()) is None


def test_what_is_awaited_is_said_of_a_checkpoint_and_of_nobody_else() -> None:
    rows = [awaits("stern", "new", 40), awaits("kindly", "new", 100), awaits("stern", "old", 100)]
    assert awaited_words(rows, "new") == "60 of 100 votes of stern are not cast yet"
    assert awaited_words(rows, "new", judges=["kindly"]) is None
    assert awaited_words(rows, "old") is None
    assert pending(rows, "pairs") == {("stern", "new")}
    assert pending(rows, "scores") == set()
    undrawn = [awaits("stern", "new", 40, n_unanswered=30)]
    assert awaited_words(undrawn, "new") == (
        "60 of 100 votes of stern are not cast yet (30 replies are not drawn yet)"
    )
