"""The publisher's number, computed again from the publisher's verdicts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ingest.imports.equality import Recomputed, equal
from eval_pipeline.ingest.peers.entries import PeerReply, PublishedNumber


def reply(item: int, value: float | None, draw: int = 0, model: str = "finch") -> PeerReply:
    return PeerReply(
        task="sums",
        item_id=str(item),
        model=model,
        draw=draw,
        question="?",
        text="",
        place=f"f:{item}",
        said={"acc": value},
    )


def number(value: float, model: str = "finch", slice_: str = "all") -> PublishedNumber:
    return PublishedNumber("sums", model, "acc", value, "results.json", slice=slice_)


def faults(replies: list[PeerReply], *numbers: PublishedNumber) -> list[str]:
    recomputed = Recomputed()
    places: dict[str, int] = {}
    for one in replies:
        recomputed.add(one, places.setdefault(one.item_id, len(places)))
    return recomputed.faults(numbers)


SEVENTHS = [reply(n, float(n < 5)) for n in range(7)]


@pytest.mark.parametrize("published", [5 / 7, 0.714285714, 0.714, 0.71, 0.7])
def test_equal_to_the_last_printed_digit(published: float) -> None:
    assert faults(SEVENTHS, number(published)) == []


@pytest.mark.parametrize("published", [0.715, 0.72, 0.6, 4 / 7, 0.7142857143001])
def test_another_number_is_said_with_both(published: float) -> None:
    (fault,) = faults(SEVENTHS, number(published))
    assert repr(published) in fault
    assert repr(5 / 7) in fault
    assert fault.startswith("results.json: acc of finch")


def test_a_number_is_rounded_only_where_no_whole_number_of_rows_gives_it() -> None:
    replies = [reply(n, float(n % 2)) for n in range(100)]
    assert faults(replies, number(0.5)) == []
    assert faults([*replies, reply(100, 0.0)], number(0.5)) == []  # 0.495: rounded to one digit
    assert faults(replies, number(0.51)) != []  # 51 of 100 would be it, exactly


def test_draws_are_averaged_within_their_item() -> None:
    replies = [reply(0, 1.0), reply(0, 0.0, 1), reply(1, 1.0)]
    assert faults(replies, number(0.75)) == []


def test_verdicts_that_are_absent_are_left_out_or_count_as_nothing() -> None:
    replies = [reply(0, 1.0), reply(1, 0.0), reply(2, None)]
    assert faults(replies, number(0.5)) == []
    assert faults(replies, number(1 / 3)) == []
    assert faults(replies, number(2 / 3)) != []


def test_slices_and_models_without_verdicts_are_not_compared() -> None:
    assert faults(SEVENTHS, number(0.1, slice_="algebra"), number(0.1, model="wren")) == []


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.integers(0, 12), st.integers(0, 99))
def test_any_rounding_of_the_mean_is_equal_in_any_order(
    right: list[bool], places: int, seed: int
) -> None:
    replies = [reply(n, float(one)) for n, one in enumerate(right)]
    random.Random(seed).shuffle(replies)
    mean = sum(right) / len(right)
    assert equal(mean, round(mean, places)) or places == 0
    assert faults(replies, number(mean)) == []


@given(st.lists(st.booleans(), min_size=20, max_size=200))
def test_one_verdict_more_or_less_is_seen(right: list[bool]) -> None:
    replies = [reply(n, float(one)) for n, one in enumerate(right)]
    assert faults(replies, number((sum(right) + 1) / len(right))) != []
