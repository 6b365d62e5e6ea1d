"""`compare --show`: the replies of both, side by side, items that moved first."""

from pathlib import Path

from eval_pipeline.cli.comparing.comparison import ItemComparison
from eval_pipeline.cli.comparing.replies import flips_first
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.cli.project import BASE, BETTER, ITEMS, WORSE

CALL = ("compare", BETTER, WORSE, "--contract", "sums@1")


def test_items_that_moved_come_first_then_ties(finished: Path) -> None:
    told = succeeded(finished, *CALL, "--show", "0", "--json").json
    shown = [(item["item_id"], item["moved"]) for item in told["shown"]]
    won, tied = told["rows"][0]["items_won"], told["items_tied"]
    assert shown == [*((item, "won") for item in won), *((item, "tied") for item in tied)]
    assert len(shown) == ITEMS
    first = told["shown"][0]
    assert first["question"] == "1 + 2 = ?"
    assert first["answer"] == "3"
    assert [draw["text"] for draw in first["a"]] == ["It is 3.", "It is 3."]
    assert [draw["score"] for draw in first["b"]] == [0.0, 1.0]


def test_won_and_lost_items_take_turns() -> None:
    rows = [{"items_won": ["a", "b", "c"], "items_lost": ["d"]}]
    order = flips_first(ItemComparison("accuracy", rows, ["e"], {}, quarantined=False))
    assert [item for item, _ in order] == ["a", "d", "b", "c", "e"]
    assert [moved for _, moved in order] == ["won", "lost", "won", "won", "tied"]


def test_replies_of_a_judged_pair_have_no_score(finished: Path) -> None:
    call = ("compare", BETTER, BASE, "--contract", "preferences", "--show", "2", "--json")
    told = succeeded(finished, *call).json
    assert len(told["shown"]) == 2
    assert told["shown"][0]["a"][0]["score"] is None  # judged in pairs, not by itself


def test_the_two_stand_in_columns_with_a_draw_that_tells(finished: Path) -> None:
    shown = succeeded(finished, *CALL, "--show", "2").stdout
    lines = [line for line in shown.splitlines() if " | " in line]
    assert [part.strip() for part in lines[0].split(" | ")] == [BETTER, WORSE]
    assert [part.strip() for part in lines[1].split(" | ")] == [
        "draw 0: ok, scored 1",
        "draw 0: ok, scored 0",
    ]
    assert [part.strip() for part in lines[2].split(" | ")] == ["It is 3.", "It is 100."]
    assert len(lines) == 6
    assert " | " not in succeeded(finished, *CALL).stdout
