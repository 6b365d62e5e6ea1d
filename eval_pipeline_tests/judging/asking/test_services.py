"""Where a judge answers, how fast, and for how much: from the environment, and told to nobody."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.asking.pacing import Pace, pause_after, seconds_asked
from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.judging.asking.services import Price, service_of, variable
from eval_pipeline.judging.asking.tokens import expected_tokens, most_tokens
from eval_pipeline.judging.prompts.templates import sealed
from eval_pipeline_tests.judging.asking.calls import KEY

ALL = "EVAL_PIPELINE_JUDGE_"
HTTPS = {f"{ALL}URL": "https://host/v1/", f"{ALL}KEY": KEY}


def test_one_setting_holds_for_all_judges_and_for_one_before_that() -> None:
    assert service_of("owl", {}) is None
    environment = HTTPS | {
        f"{ALL}SNOW_OWL_1_URL": "http://127.0.0.1:9/v1, https://b/v1",
        f"{ALL}SNOW_OWL_1_CONCURRENCY": "3",
        f"{ALL}USD_PER_MILLION_IN": "0.5",
        f"{ALL}USD_PER_MILLION_OUT": "0",
    }
    assert variable("snow-owl@1", "URL") == f"{ALL}SNOW_OWL_1_URL"
    mine, other = service_of("snow-owl@1", environment), service_of("owl", environment)
    assert mine is not None
    assert other is not None
    assert [one.url for one in mine.endpoints] == ["http://127.0.0.1:9/v1", "https://b/v1"]
    assert [one.key.reveal() for one in mine.endpoints if one.key] == [KEY, KEY]
    assert (mine.concurrency, other.concurrency) == (3, 64)
    assert other.endpoints[0].url == "https://host/v1"
    assert other.price == Price(0.5, 0.0)
    assert KEY not in f"{mine!r}{other!r}{mine.endpoints}"
    assert "host" not in repr(other)
    kept = service_of("owl", {f"{ALL}URL": "kept"})
    assert kept is not None
    assert kept.endpoints == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"URL": "host/v1"}, "URL is no URL"),
        ({"URL": "ftp://host"}, "URL is no URL"),
        ({"URL": "https://host:port/v1"}, "URL is no URL"),
        ({"URL": f"https://me:{KEY}@host/v1"}, "more than an address"),
        ({"URL": f"https://host/v1?key={KEY}"}, "more than an address"),
        ({"URL": "http://host/v1"}, "would send the key in clear"),
        ({"KEY": "a,b"}, "names 1 URLs, and EVAL_PIPELINE_JUDGE_KEY holds 2 keys"),
        ({"KEY": "sk\n-x"}, "cannot stand in a header"),
        ({"CONCURRENCY": "0"}, "set it to a number above 0"),
        ({"CONCURRENCY": "1.5"}, "set it to a whole number from 1"),
        ({"ATTEMPTS": "many"}, "set it to a number"),
        ({"TIMEOUT_SECONDS": "nan"}, "set it to a number"),
        ({"REQUESTS_PER_MINUTE": "-1"}, "set it to a number"),
        ({"USD_PER_MILLION_IN": "1"}, "USD_PER_MILLION_OUT is not: declare both"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_not_shown(
    change: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match="EVAL_PIPELINE_JUDGE_") as refusal:
        service_of("owl", HTTPS | {ALL + name: value for name, value in change.items()})
    assert message in str(refusal.value)
    assert KEY not in str(refusal.value)


@given(st.floats(1, 1e4), st.lists(st.floats(0, 3), max_size=200), st.floats(0.1, 50))
def test_no_minute_holds_more_than_its_limit(
    limit: float, gaps: list[float], amount: float
) -> None:
    pace, now, starts = Pace(limit), 0.0, []
    for gap in gaps:
        now += gap
        starts.append(now + pace.wait(now, amount))
    for i, start in enumerate(starts):
        within = sum(1 for other in starts[i:] if other < start + 60) * amount
        assert within <= limit + amount * 1.001 + 1e-6


def test_a_server_is_obeyed_and_pauses_double_up_to_a_minute() -> None:
    assert [pause_after(n, 1.0) for n in (1, 2, 3, 20)] == [1, 2, 4, 60]
    assert pause_after(3, 0.0) == 2
    assert pause_after(1, 0.5, asked=30) == 30
    assert pause_after(1, 0.5, asked=1e9) == 600
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert seconds_asked("12", now) == 12
    assert seconds_asked("Thu, 01 Jan 2026 00:00:30 GMT", now) == 30
    assert seconds_asked("Thu, 01 Jan 2015 00:00:30 GMT", now) == 0
    assert [seconds_asked(text, now) for text in (None, "soon", "", "-3", "1e9", "٣")] == [None] * 6
    pace = Pace(None)
    pace.hold_until(50.0)
    assert (pace.wait(20.0), pace.wait(60.0)) == (30.0, 0.0)


@given(st.lists(st.floats(0.01, 2), max_size=60), st.floats(0.1, 5))
def test_a_purse_is_never_overspent(costs: list[float], limit: float) -> None:
    purse, flying = Purse(usd=limit), []
    for most in costs:
        if purse.take(most) == "taken":
            flying.append(most)
        if len(flying) > 3:
            taken = flying.pop(0)
            purse.settle(taken, taken / 2)
        assert purse.spent_usd + purse.set_aside_usd <= limit + 1e-9
    for taken in flying:
        purse.settle(taken, taken)
    assert purse.set_aside_usd == pytest.approx(0)


def test_a_purse_waits_only_while_calls_are_in_flight() -> None:
    rng, purse, flying = random.Random(1), Purse(usd=20_000.0), []
    while (answer := purse.take(most := rng.uniform(18, 20))) != "spent":
        if answer == "taken":
            flying.append(most)
        if answer == "wait" or len(flying) == 64:
            assert flying, "it waits, and nothing is in flight"
            settled = flying.pop(rng.randrange(len(flying)))
            purse.settle(settled, settled * rng.uniform(0.02, 0.3))
    assert (purse.set_aside_usd, flying) == (0, [])


def test_a_call_that_costs_more_than_was_set_aside_is_expected_again() -> None:
    purse = Purse(usd=1.0)
    assert [purse.take(0.01) for _ in range(3)] == ["taken"] * 3
    purse.settle(0.01, 0.4)
    assert purse.set_aside_usd == pytest.approx(0.8)  # the two in flight may cost as much
    assert purse.take(0.01) == "wait"
    purse.settle(0.01, 0.0)
    purse.settle(0.01, 0.3)
    assert purse.take(0.01) == "spent"
    assert purse.spent_usd == pytest.approx(0.7)


def test_tokens_are_guessed_from_bytes_and_never_more_than_bytes() -> None:
    messages = (("user", sealed({"reply": "Grüße " * 50})),)
    assert expected_tokens(messages) < most_tokens(messages)
    assert most_tokens(messages) >= len(messages[0][1].encode())
