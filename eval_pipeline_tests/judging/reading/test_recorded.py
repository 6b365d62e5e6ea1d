"""Recorded verdicts in the forms that people have: read as they are meant, or not at all."""

import json
import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ingest.votes import VotesRead, read_votes
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.judging.reading.recorded import (
    _READERS,
    TEXT_FORMS,
    AmbiguousFormError,
    NoVerdictKeyError,
    recorded_votes,
)

NAMES = {"item_id": "i1", "model_a": "tern", "model_b": "heron", "shown_first": "tern"}
Read = Callable[..., VotesRead]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Votes of rows in which tern is named and shown first; the table's model_a is heron."""

    def of(*rows: Mapping[str, Any], form: str | None = None, key: str | None = None) -> VotesRead:
        path = tmp_path / "k.jsonl"
        path.write_text("".join(json.dumps(NAMES | row) + "\n" for row in rows))
        planned = {("i1", "heron", "tern")}
        verdicts = partial(recorded_votes, form=form, key=key)
        return read_votes(path, "k.jsonl", "owl", {"i1": "c1"}, planned, verdicts)

    return of


def won(found: VotesRead) -> list[str | None]:
    """Who won each vote, by name; None for no verdict."""
    names = {"model_a": "heron", "model_b": "tern", "tie": "tie", None: None}
    assert found.rejected_votes.num_rows == 0, found.rejected_votes.to_pylist()
    return [names[verdict] for verdict in found.judge_votes["verdict"].to_pylist()]


@pytest.mark.parametrize(
    ("form", "value", "winner"),
    [
        ("brackets", "Both try. [[A]]", "tern"),
        ("brackets", "At first [[A]] looked better, but my verdict is [[B]]", "heron"),
        ("brackets", "[[C]]", "tie"),
        ("brackets", "[[A>B]]", None),
        ("brackets", "[[A]]\n[[B]]\nGood luck.", None),
        ("graded_brackets", "My final verdict is: [[A>>B]]", "tern"),
        ("graded_brackets", "[[B>A]]", "heron"),
        ("graded_brackets", "[[A=B]]", "tie"),
        ("graded_brackets", "[[A]]", None),
        ("graded_brackets", "See [B]. Final: A>B", None),
        ("verdict_line", "VERDICT: 2", "heron"),
        ("verdict_line", "VERDICT: TIE", "tie"),
        ("verdict_line", "I cannot say", None),
        ("slots", "1", "tern"),
        ("slots", 2, "heron"),
        ("slots", 2.0, "heron"),
        ("slots", "tie", "tie"),
        ("slots", "B", "heron"),
        ("slots", "3", None),
        ("slots", "draw", None),
        ("slots", 1.5, None),
        ("slots", None, None),
        ("slots", math.nan, None),
        ("models", "tern", "tern"),
        ("models", "model_a", "tern"),
        ("models", "tie", "tie"),
        ("models", "A", None),
        (None, "heron", "heron"),
        (None, "[[A]]", None),
    ],
)
def test_a_label_is_read_by_its_form(
    read: Read, form: str | None, value: object, winner: str | None
) -> None:
    found = read({"verdict": value}, form=form)
    assert won(found) == [winner]
    assert found.judge_votes["status"].to_pylist() == ["ok" if winner else "judge_unknown"]
    if winner is None:
        assert found.judge_votes["detail"][0].is_valid


def test_a_seat_follows_who_was_shown_first(read: Read) -> None:
    rows = [{"verdict": "[[A]]", "shown_first": name, "repeat": 0} for name in ("tern", "heron")]
    assert won(read(*rows, form="brackets")) == ["tern", "heron"]
    assert won(read({"judgment": "[[A]]"}, form="brackets")) == ["tern"]


def test_json_verdicts_need_their_key(read: Read) -> None:
    text = '{"why": "short", "preferred": "B"}'
    assert won(read({"verdict": text}, form="json", key="preferred")) == ["heron"]
    assert won(read({"verdict": text}, form="json", key="winner")) == [None]
    assert won(
        read({"verdict": '{"preferred": 1, "why": "a\nb'}, form="json", key="preferred")
    ) == ["tern"]
    assert won(read({"verdict": '{"preferred": 1'}, form="json", key="preferred")) == [None]


@pytest.mark.parametrize(
    ("value", "winner", "prob_heron"),
    [
        (1, "tern", None),
        (2, "heron", None),
        (1.5, "tie", None),
        (0, "tie", None),
        (1.75, "heron", 0.75),
        (1.2, "tern", 0.2),
        ("2.0", "heron", None),
        (None, None, None),
        (math.nan, None, None),
        ("nan", None, None),
        (3, None, None),
        (-1, None, None),
    ],
)
def test_a_preference_names_the_models_of_the_row(
    read: Read, value: object, winner: str | None, prob_heron: float | None
) -> None:
    for first in ("tern", "heron"):  # whoever was shown first
        found = read({"preference": value, "shown_first": first})
        assert won(found) == [winner]
        prob = found.judge_votes["prob_a"][0].as_py()
        assert prob is None if prob_heron is None else prob == pytest.approx(prob_heron)


def test_the_codes_of_published_preferences_are_counted_as_published(
    golden_vectors: Callable[[str], Any],
) -> None:
    case = next(one for one in golden_vectors("bug_cases.jsonl") if one["id"] == "PB081")
    said = [recorded_votes({"preference": code})[0] for code in case["minimal_input"]["prefs"]]
    known = [one.winner for one in said if one.winner is not None]
    halves = sum({"tie": 1, "model_b": 2}.get(winner, 0) for winner in known)
    assert {
        "win_rate": 100 * halves / (2 * len(known)),
        "n_total": len(known),
        "n_draws": known.count("tie"),
        "n_missing": len(said) - len(known),
    } == case["right_behaviour"]


@pytest.mark.parametrize(
    ("row", "winners"),
    [
        ({"g1_winner": "model_1", "g2_winner": "model_1"}, ["tern", "tern"]),
        ({"g1_winner": "model_1", "g2_winner": "model_2"}, ["tern", "heron"]),
        ({"g1_winner": "tie", "g2_winner": "heron"}, ["tie", "heron"]),
        ({"g1_winner": "A", "g2_winner": "A"}, ["tern", "heron"]),
        ({"g1_winner": "error", "g2_winner": None}, [None, None]),
        ({"games": [{"score": "A>>B"}, {"score": "B>A"}]}, ["tern", "tern"]),
        ({"games": [{"score": "A=B"}, {"score": "A>>>B"}]}, ["tie", None]),
        ({"games": [{"score": None}, None]}, [None, None]),
        ({"games": [{"scores": [8, 6]}, {"scores": [7, 7]}]}, ["tern", "tie"]),
        ({"games": [{"scores": [8, 6]}, {"scores": [8, 6]}]}, ["tern", "heron"]),
        ({"games": [{"scores": [-1, -1]}, {"scores": [math.nan, 2]}]}, [None, None]),
        ({"games": [{"winner": "model_2"}, {"winner": "C"}]}, ["heron", "tie"]),
    ],
)
def test_two_games_are_two_votes_with_the_seats_exchanged(
    read: Read, row: dict[str, Any], winners: list[str | None]
) -> None:
    found = read(row)
    assert won(found) == winners
    assert found.judge_votes["slot_order"].to_pylist() == ["b_first", "a_first"]
    errors = [status == "judge_error" for status in found.judge_votes["status"].to_pylist()]
    assert errors == ["error" in (row.get("g1_winner"),), False]
    categories = combine_votes(found.judge_votes).category.tolist()
    assert categories[0] != "tie" or winners == ["tie", "tie"]


@pytest.mark.parametrize(
    ("first", "second", "winner", "prob_tern"),
    [
        (-0.1, -2.5, "tern", 1 / (1 + math.exp(-2.4))),
        (-2.5, -0.1, "heron", 1 / (1 + math.exp(2.4))),
        (-0.7, -0.7, "tie", 0.5),
        (0.0, -math.inf, "tern", 1.0),
        (-1000.0, 0, "heron", 0.0),
        (-math.inf, -math.inf, None, None),
        (None, -0.1, None, None),
        (math.nan, -0.1, None, None),
    ],
)
def test_log_probabilities_of_two_tokens_are_a_chance(
    read: Read, first: object, second: object, winner: str | None, prob_tern: float | None
) -> None:
    found = read({"logprob_first": first, "logprob_second": second})
    assert won(found) == [winner]
    prob = found.judge_votes["prob_a"][0].as_py()
    assert prob is None if prob_tern is None else 1 - prob == pytest.approx(prob_tern)


@pytest.mark.parametrize(
    ("row", "form", "reason"),
    [
        ({}, None, "missing_key"),
        ({}, "slots", "missing_key"),
        ({"verdict": "tern", "preference": 1}, None, "ambiguous_form"),
        ({"preference": 1, "g1_winner": "tie", "g2_winner": "tie"}, None, "ambiguous_form"),
        ({"judgment": "[[A]]", "verdict": "[[B]]"}, "brackets", "ambiguous_form"),
        ({"preference": True}, None, "wrong_type"),
        ({"preference": "much"}, None, "wrong_type"),
        ({"verdict": True}, "slots", "wrong_type"),
        ({"verdict": 1}, "brackets", "wrong_type"),
        ({"games": [{"score": "A>B"}]}, None, "wrong_type"),
        ({"games": [{"score": "A>B", "winner": "A"}, {}]}, None, "wrong_type"),
        ({"logprob_first": 0.5, "logprob_second": -1}, None, "wrong_type"),
        ({"logprob_first": -0.5}, None, "missing_key"),
        ({"preference": 1, "error": "timeout"}, None, "contradictory"),
        ({"verdict": "tern", "prob_first": math.nan}, None, "out_of_range"),
    ],
)
def test_a_row_that_says_nothing_or_two_things_is_rejected(
    read: Read, row: dict[str, Any], form: str | None, reason: str
) -> None:
    found = read(row, form=form)
    assert found.rejected_votes["reason"].to_pylist() == [reason]
    assert found.judge_votes.num_rows == 0


def test_a_declared_form_settles_what_the_keys_leave_open(read: Read) -> None:
    row = {"verdict": "tern", "preference": 2}
    assert won(read(row, form="models")) == ["tern"]
    assert won(read(row, form="preference")) == ["heron"]


def test_a_row_of_games_is_rejected_whole_where_one_vote_was_read_before(read: Read) -> None:
    games = {"g1_winner": "tie", "g2_winner": "tie"}
    found = read({"verdict": "tern"}, games)
    assert found.judge_votes.num_rows == 1
    assert found.rejected_votes["reason"].to_pylist() == ["duplicate"]


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from(["1", "[[A]]"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=5,
)
KEYS = ["verdict", "judgment", "preference", "games", "g1_winner", "g2_winner", "logprob_first"]


FORMS = [None, *_READERS, *TEXT_FORMS]
LABELS = {"1": "first", "[[A]]": "second"}


@given(st.dictionaries(st.sampled_from(KEYS), json_values), st.sampled_from(FORMS))
def test_whatever_a_row_holds_it_is_votes_or_a_refusal(
    row: dict[str, Any], form: str | None
) -> None:
    try:
        votes = recorded_votes(row, form, "verdict", LABELS)
    except (AmbiguousFormError, NoVerdictKeyError, ValueError):
        return
    assert 1 <= len(votes) <= 2
    assert all((one.winner is None) <= (one.detail is not None) for one in votes)


def test_published_preferences_with_log_probabilities_say_the_same(reference_data: Path) -> None:
    path = reference_data / "alpaca_eval" / "annotations_weighted_gpt4_turbo_58_models.parquet"
    table = pq.read_table(path).to_pylist()
    told = [row for row in table if row["logprob_m"] is not None and row["logprob_M"] is not None]
    assert len(told) > 1000
    for row in told:
        preference = recorded_votes({"preference": row["preference"]})[0]
        tokens = {"m": row["logprob_m"], "M": row["logprob_M"]}
        second = tokens[row["output_2_token"]]
        first = tokens["m" if row["output_2_token"] == "M" else "M"]
        odds = recorded_votes({"logprob_first": min(first, 0), "logprob_second": min(second, 0)})[0]
        if preference.prob is not None and odds.prob is not None:
            assert odds.prob == pytest.approx(preference.prob, abs=1e-6)
