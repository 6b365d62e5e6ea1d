"""Figures say what the rows say, in the same bytes each time, and survive odd rows."""

import re

import pytest

from eval_pipeline.reporting.figures.acts import ActRow, acts_figure
from eval_pipeline.reporting.figures.charts import Whisker, interval_figure
from eval_pipeline.reporting.figures.drawing import png
from eval_pipeline.reporting.figures.drawn_rows import choices, cyclic, moved, ranked
from eval_pipeline.reporting.figures.label_places import LETTER, LINE, label_offsets
from eval_pipeline.reporting.figures.ranking import (
    Cyclic,
    Moved,
    Ranked,
    change_figure,
    cyclic_figure,
    leaderboard_figure,
    rank_text,
)
from eval_pipeline.reporting.figures.rules import (
    CurvePoint,
    FrontierPoint,
    frontier_figure,
    operating_figure,
)
from eval_pipeline.reporting.figures.scores import Scored, score_figure

SCORES = [
    Scored("new", "weighted mean", 3.4, 3.3, 3.5),
    Scored("new", "clear", 3.1, None, None),
    Scored("old", "weighted mean", None, None, None),
    Scored("old", "clear", 2.9, 2.8, 3.0),
]
UNDEFINED = Ranked("c", None, None, None, None, None, None)
FIGURES = {
    "leaderboard": lambda: leaderboard_figure(
        [Ranked("a", 0.0, None, None, 1, 1, 2), Ranked("b", -0.2, -0.5, 0.1, 2, 1, 2), UNDEFINED],
        "who leads",
    ),
    "one model": lambda: leaderboard_figure([Ranked("a", 0.0, None, None, 1, 1, 1)], "alone"),
    "change": lambda: change_figure(
        [Moved("a", 0.6, 0.5, 0.4, 0.6), Moved("b", None, None, None, None)], "win rate", "moved"
    ),
    "cycles": lambda: cyclic_figure([Cyclic("panel", 0.1, 0.3), Cyclic("j", None, None)], "round"),
    "scores": lambda: score_figure(SCORES, "points, 1 to 5", "scores"),
    "frontier": lambda: frontier_figure(
        [
            FrontierPoint("a", 0.5, 3.0, 0.4, 0.6, "frontier"),
            FrontierPoint("b", 0.4, 3.0, None, None, "dominated"),
        ],
        "tokens",
        "pass@1",
        "choice",
    ),
    "acts": lambda: acts_figure(
        [
            ActRow("1 Naive", 0.3, 0.2, 0.4, "CONFIDENTLY WRONG"),
            ActRow("2 Jury", 0.6, 0.55, 0.65, "TRUSTWORTHY"),
        ],
        "heron@1",
        "tern@1",
        0.58,
        "acts of judging",
    ),
}


@pytest.mark.filterwarnings("error")
def test_rows_without_values_and_wide_names_give_no_warning():
    undefined = Moved("a", None, None, None, None)
    change_figure([undefined], "win rate", "moved")
    score_figure(SCORES[2:3], "points, 1 to 5", "nothing is defined")
    assert change_figure([undefined, Moved("b", 0.6, 0.5, 0.4, 0.6)], "win rate", "moved")
    for letter in ("W", "\N{CJK UNIFIED IDEOGRAPH-6F22}"):
        interval_figure([Whisker(letter * 60, 0.5, 0.4, 0.6)], "accuracy", "scores")


@pytest.mark.parametrize("name", FIGURES)
def test_the_same_rows_give_the_same_bytes_with_a_title_and_no_date(name):
    text = FIGURES[name]()
    assert text == FIGURES[name]()
    assert re.search(r"<title>[a-z ]+</title>", text)
    assert "date" not in text.lower()


def test_a_png_has_the_same_bytes_each_time():
    points = [CurvePoint(0.1 * i, 0.2 * i, 0.1 * i, 0.3 * i, 1 - 0.2 * i) for i in range(4)]
    one, other = (png(operating_figure(points, [0.1], "difference", "rule")) for _ in range(2))
    assert one == other
    assert one.startswith(b"\x89PNG")
    assert b"matplotlib" not in one


def test_overlapping_intervals_share_their_ranks(golden_vectors):
    """Two scores whose intervals overlap are `1–2 (tied)`, not first and second."""
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB142"]
    scores = case["minimal_input"]["scores"]
    for _, low, high in scores:
        better = sum(other_low > high for _, other_low, _ in scores)
        worse = sum(other_high < low for _, _, other_high in scores)
        said = rank_text(1 + better, len(scores) - worse)
        assert said.replace("–", "-") == case["right_behaviour"]["rank"]


def rating(model, theta, judge="panel"):
    return {"judge": judge, "model": model, "theta": theta}


def contrast(i, j, difference, low, high):
    named = {"model_i": i, "model_j": j, "difference": difference}
    return named | {"simultaneous_low": low, "simultaneous_high": high}


def test_gaps_to_the_leader_have_the_sign_of_being_behind_whatever_the_order_of_the_names():
    rows = [rating("a", -0.2), rating("b", 0.3), rating("c", -0.1), rating("d", None)]
    pairs = [
        contrast("a", "b", -0.5, -0.9, -0.1),
        contrast("b", "c", 0.4, 0.1, 0.7),
        contrast("a", "c", -0.1, -0.4, 0.2),
    ]
    sets = [{"model": "b", "rank": 1, "rank_low": 1, "rank_high": 1}]
    found = ranked(rows, pairs, sets)
    assert [one.label for one in found] == ["b", "c", "a", "d"]
    assert (found[1].gap, found[1].low, found[1].high) == (-0.4, -0.7, -0.1)
    assert (found[2].gap, found[2].low, found[2].high) == (-0.5, -0.9, -0.1)
    assert (found[0].gap, found[0].rank_high, found[3].gap) == (0.0, 1, None)


def test_the_panel_stands_first_and_the_baseline_is_no_checkpoint_that_moved():
    rows = [
        {"judge": "owl", "cyclic_share": 0.1},
        {"judge": "panel", "cyclic_share": 0.2, "deviance_p": 0.4},
    ]
    assert cyclic(rows) == [Cyclic("panel", 0.2, 0.4), Cyclic("owl", 0.1, None)]
    rates = {"raw": 0.6, "length_controlled": 0.5, "ci_low": 0.4, "ci_high": 0.6}
    own = [
        {"judge": judge, "model": model, "baseline": "b", **rates}
        for judge in ("panel", "owl")
        for model in ("a", "b")
    ]
    assert moved(own) == [Moved("a", 0.6, 0.5, 0.4, 0.6)]


def decision(name, **changes):
    row = {"checkpoint": name, "frontier": "frontier", "quality": 0.5}
    return row | {"cost_usd": None, "tokens_out": 20.0, "latency_ms": 300.0} | changes


def test_tokens_are_drawn_where_a_price_is_missing_and_unplaced_ones_are_not():
    rows = [decision("a", cost_usd=0.1), decision("b"), decision("c", frontier="unplaced")]
    found = dict(choices(rows))
    assert sorted(found) == ["milliseconds a sample", "reply tokens a sample"]
    assert [one.label for one in found["reply tokens a sample"]] == ["a", "b"]
    assert choices([decision("c", frontier=None)]) == []


def test_names_of_points_cover_neither_points_nor_lines_nor_each_other():
    points = [(10.0, 50.0), (60.0, 52.0), (70.0, 90.0), (60.0, 60.0)]
    names = ["heron@step1000", "tern@step1000", "b", "c"]
    line = ((60.0, 52.0), (70.0, 90.0))
    bars = [((10.0, 30.0), (10.0, 70.0)), ((60.0, 30.0), (60.0, 75.0))]
    boxes = [
        (x + dx, y + dy - LINE / 2, x + dx + LETTER * len(name), y + dy + LINE / 2)
        for name, (x, y), (dx, dy) in zip(
            names, points, label_offsets(names, points, [line, *bars]), strict=True
        )
    ]
    for i, (left, low, right, high) in enumerate(boxes):
        assert not [p for p in points if left < p[0] < right and low < p[1] < high]
        for other in boxes[:i]:
            assert right <= other[0] or other[2] <= left or high <= other[1] or other[3] <= low
    left, low, right, high = boxes[0]  # the bar beside it is left alone
    assert right < 60 or low > 75 or high < 30
