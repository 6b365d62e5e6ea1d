"""Live judging against an endpoint that misbehaves: nothing is lost, guessed or leaked."""

import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from eval_pipeline.judging.asking.asks import Ask, LiveJudge
from eval_pipeline.judging.asking.call_records import CallFailed, EndpointReply, Outcome, record_of
from eval_pipeline.judging.asking.client import MAX_BODY_BYTES
from eval_pipeline.judging.asking.conduct import GIVE_UP_AFTER, Conducted, conduct
from eval_pipeline.judging.asking.live_rows import score_rows, vote_rows
from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.judging.asking.services import Price, Service
from eval_pipeline.judging.prompts.templates import Scale
from eval_pipeline_tests.judging.asking.calls import (
    JUDGE,
    KEY,
    PAIRWISE,
    POINTWISE,
    QuickClock,
    asks,
    score_asks,
    service,
)
from eval_pipeline_tests.judging.asking.endpoint import Answer, Request, longer_wins, said, serving

PAGE = Answer(body=b"<html>Bad gateway</html>")


def run(
    calls: list[Ask], where: Service, purse: Purse | None = None, clock: QuickClock | None = None
) -> tuple[Conducted, dict[str, Outcome], list[dict[str, Any]]]:
    """What came of the calls, and the records that would be kept."""
    outcomes: dict[str, Outcome] = {}
    records = []

    def keep(ask: Ask, outcome: Outcome, attempts: int, latency_ms: float) -> None:
        assert ask.key not in outcomes
        outcomes[ask.key] = outcome
        records.append(record_of(ask, outcome, attempts, latency_ms))

    ended = conduct(calls, where, purse or Purse(), keep, clock or QuickClock())
    return ended, outcomes, records


def votes(calls: list[Ask], outcomes: dict[str, Outcome]) -> list[dict[str, Any]]:
    clusters = {str(ask.subject["item_id"]): "c" for ask in calls}
    return vote_rows([(ask, outcomes[ask.key], "f", 1) for ask in calls], clusters)


def once(answer: Answer) -> Callable[[Request], Answer]:
    """Misbehaves on the first request of each call only."""
    seen: Counter[str] = Counter()

    def script(request: Request) -> Answer:
        seen[request.call] += 1
        return answer if seen[request.call] == 1 else longer_wins(request)

    return script


def test_both_orders_and_repeats_are_asked_and_seats_are_turned_to_models() -> None:
    calls = asks(3, repeats=2)
    with serving() as endpoint:
        ended, outcomes, records = run(calls, service(endpoint.url))
    assert (ended.replies, ended.failures, ended.stopped) == (12, 0, None)
    rows = votes(calls, outcomes)
    assert {row["verdict"] for row in rows} == {"model_a"}  # heron's, the longer one
    assert Counter(row["slot_order"] for row in rows) == {"a_first": 6, "b_first": 6}
    sent = endpoint.seen[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"bearer {KEY}"
    assert {**sent.body, "messages": None} == {
        "model": "owl-1", "messages": None, "temperature": 0.0, "max_tokens": 200,
    }  # fmt: skip
    assert set(sent.case) == {"question", "reply_1", "reply_2"}
    assert not {"heron@1", "tern@1"} & set(json.dumps(sent.body).split('"'))
    kept = {**records[0], "latency_ms": 0}
    assert kept["reply"]["finish_reason"] == "stop"
    assert (kept["reply"]["tokens_in"], kept["reply"]["tokens_out"]) == (100, 20)
    assert records[0]["latency_ms"] >= 0


@pytest.mark.parametrize(
    "trouble",
    [
        Answer(429),
        Answer(429, headers={"retry-after": "7"}),
        Answer(500, body=b'{"error": {"code": "server_error"}}'),
        Answer(503, headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        Answer(body=b"{", how="cut"),
        Answer(how="hang"),
        Answer(how="drop"),
        replace(said("x"), how="drip"),
        PAGE,
        Answer(body=b"[]"),
        Answer(body=b'{"choices": [{"message": {"content": 5}}]}'),
    ],
    ids=["429", "429-after", "500", "503-date", "cut", "hang", "drop", "drip", "page", "list", "5"],
)
def test_what_passes_is_tried_again_until_there_is_a_reply(trouble: Answer) -> None:
    calls, clock = asks(2), QuickClock()
    with serving(once(trouble)) as endpoint:
        ended, outcomes, _ = run(calls, service(endpoint.url, timeout_seconds=0.4), clock=clock)
    assert ended.replies == 4
    assert len(endpoint.seen) == 8
    assert [row["status"] for row in votes(calls, outcomes)] == ["ok"] * 4
    asked = trouble.headers.get("retry-after", "")
    assert min(clock.pauses) >= (7 if asked == "7" else 0.5)


@pytest.mark.parametrize(
    ("trouble", "reason", "attempts"),
    [
        (Answer(500, body=b'{"error": {"code": "server_error"}}'), "HTTP 500 (server_error)", 3),
        (Answer(429), "HTTP 429", 3),
        (Answer(how="hang"), "timeout", 3),
        (PAGE, "body that is no JSON", 3),
        (Answer(400, body=b'{"error": {"code": "context_length_exceeded"}}'),
         "HTTP 400 (context_length_exceeded)", 1),
        (Answer(how="endless"), f"body beyond {MAX_BODY_BYTES // 2**20} MiB", 1),
    ],
)  # fmt: skip
def test_a_call_that_fails_for_good_is_judge_error_and_never_a_tie(
    trouble: Answer, reason: str, attempts: int
) -> None:
    calls = asks(1)
    with serving(lambda _: trouble) as endpoint:
        ended, outcomes, records = run(calls, service(endpoint.url, timeout_seconds=0.3))
    assert ended.stopped is None
    assert [row["attempts"] for row in records] == [attempts] * 2
    for row in votes(calls, outcomes):
        assert (row["status"], row["verdict"], row["detail"]) == ("judge_error", None, reason)
    assert {
        outcome.lasting for outcome in outcomes.values() if isinstance(outcome, CallFailed)
    } == {attempts == 1}


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (said(""), "empty"),
        (said(None), "empty"),
        (said(None, refusal="I will not."), "refusal"),
        (said("", finish="content_filter"), "refusal"),
        (said("Both are fine."), "no_marker"),
        (said('{"reasoning": "so long', finish="length"), "cut"),
        (said('{"verdict": "3"}'), "unknown_label"),
        (said('{"verdict": "1 or 2 or TIE"}'), "unknown_label"),
        (said('{"verdict": "1"}\n{"verdict": "2"}\nThat is all.'), "two_verdicts"),
        (said("VERDICT: 1"), "no_marker"),
    ],
)
def test_a_reply_without_one_verdict_is_judge_unknown(answer: Answer, detail: str) -> None:
    calls = asks(1)
    with serving(lambda _: answer) as endpoint:
        _, outcomes, _ = run(calls, service(endpoint.url))
        assert len(endpoint.seen) == 2  # it was paid for, and is not asked again
    for row in votes(calls, outcomes):
        assert (row["status"], row["verdict"], row["detail"]) == ("judge_unknown", None, detail)


def test_prose_around_json_is_read_and_a_quoted_verdict_is_not() -> None:
    text = 'The first one says {"verdict": "2"}.\nSo: {"reasoning": "x", "verdict": "1"} Done.'
    calls = asks(1)
    with serving(lambda _: said(text)) as endpoint:
        _, outcomes, _ = run(calls, service(endpoint.url))
    rows = votes(calls, outcomes)
    assert [row["verdict"] for row in rows] == ["model_a", "model_b"]
    assert {row["detail"] for row in rows} == {"several_verdicts"}


def test_labels_and_yes_or_no_are_read_as_the_prompt_asks_for_them() -> None:
    own = replace(JUDGE, prompt=replace(PAIRWISE, labels=("left", "right", "equal")))
    for word, winners in (
        ("left", ["model_a", "model_b"]), ("right", ["model_b", "model_a"]), ("equal", ["tie"] * 2),
        ("1", [None, None]),
    ):  # fmt: skip
        calls = asks(1, own)
        with serving(lambda _, word=word: said(f'{{"verdict": "{word}"}}')) as endpoint:
            _, outcomes, _ = run(calls, service(endpoint.url))
        assert [row["verdict"] for row in votes(calls, outcomes)] == winners
    one = (replace(POINTWISE.criteria[0], weight=1.0),)
    asked = replace(POINTWISE, criteria=one, scale=Scale(0, 1, ()), yes_no=True)
    for word, points in (("yes", 1.0), ("No", 0.0), ("perhaps", None)):
        calls = [ask._replace(judge=replace(JUDGE, prompt=asked)) for ask in score_asks(1)]
        with serving(lambda _, word=word: said(f'{{"verdict": "{word}"}}')) as endpoint:
            _, outcomes, _ = run(calls, service(endpoint.url))
        answered = [(ask, outcomes[ask.key], "f", 1) for ask in calls]
        assert {row["score"] for row in score_rows(answered, {"i0000": "c"})} == {points}


@pytest.mark.parametrize("status", [301, 307, 401, 403, 404])
def test_what_every_call_would_meet_ends_the_run_at_once(status: int) -> None:
    with serving() as elsewhere, serving() as endpoint:
        endpoint.script = lambda _: Answer(status, headers={"location": elsewhere.url})
        ended, outcomes, _ = run(asks(50), service(endpoint.url))
        assert elsewhere.seen == []  # the key goes nowhere else
    assert (ended.stopped or "").startswith(f"HTTP {status}: ")
    assert outcomes == {}
    assert len(endpoint.seen) <= 4


def test_an_endpoint_that_is_down_is_left_alone() -> None:
    with serving(lambda _: Answer(500)) as endpoint:
        ended, _, _ = run(asks(200), service(endpoint.url, attempts=2))
        assert len(endpoint.seen) <= 2 * (GIVE_UP_AFTER + 4)
    assert "20 calls in a row had no reply, the last one: HTTP 500" in (ended.stopped or "")
    url = endpoint.url
    ended, _, _ = run(asks(200), service(url, attempts=1))
    assert "no connection" in (ended.stopped or "")
    assert url not in (ended.stopped or "")


def test_a_call_that_finds_no_connection_is_not_spent() -> None:
    with serving() as endpoint:
        url = endpoint.url
    purse = Purse(calls=5)
    ended, _, _ = run(asks(40), service(url, attempts=2, concurrency=8), purse)
    assert "20 calls in a row had no reply, the last one: no connection" in (ended.stopped or "")
    assert purse.spent_calls == purse.in_flight == 0


def test_several_endpoints_share_the_calls_and_one_stands_in_for_the_other() -> None:
    with serving() as good, serving(lambda _: Answer(503)) as bad:
        ended, _, _ = run(asks(30), service(bad.url, good.url))
    assert (ended.replies, ended.stopped) == (60, None)
    assert bad.seen
    assert len(good.finished) == 60


def test_a_repeated_key_may_be_charged_once() -> None:
    with serving(once(Answer(500))) as answered, serving(once(Answer(how="hang"))) as silent:
        run(asks(1), service(answered.url))
        run(asks(1), service(silent.url, timeout_seconds=0.3))
    for endpoint, versions in ((answered, 2), (silent, 1)):
        sent = Counter(one.headers["idempotency-key"] for one in endpoint.seen)
        assert len(sent) == 2 * versions


@pytest.mark.parametrize("limit", [1, 7, 24])
def test_a_budget_of_calls_is_never_passed_and_stops_cleanly(limit: int) -> None:
    purse = Purse(calls=limit)
    with serving() as endpoint:
        ended, outcomes, _ = run(asks(20), service(endpoint.url), purse)
    assert len(endpoint.seen) == limit == len(outcomes)
    assert ended.stopped == f"the budget of {limit} calls is spent"


def test_a_budget_of_money_holds_with_many_calls_in_flight() -> None:
    price = Price(1000.0, 1000.0)  # 120 tokens a reply: 0.12 dollars; at most about 1.6
    purse = Purse(usd=5.0)
    with serving() as endpoint:
        ended, outcomes, _ = run(
            asks(100), service(endpoint.url, price=price, concurrency=16), purse
        )
    assert purse.spent_usd == pytest.approx(0.12 * len(outcomes))
    assert 3.0 < purse.spent_usd <= 5.0
    assert ended.stopped == "the budget of 5 US dollars is spent"
    with pytest.raises(ValueError, match="needs the judge's price"):
        run(asks(1), service(endpoint.url), Purse(usd=1.0))


def test_an_endpoint_that_counts_too_much_is_found_out_after_one_round() -> None:
    price = Price(0.0, 1000.0)  # 20 tokens a reply, though 1 was asked: 0.02 dollars
    calls = asks(100, LiveJudge("owl", "owl-1", PAIRWISE, {"temperature": 0.0, "max_tokens": 1}))
    with serving() as endpoint:
        purse = Purse(usd=0.1)
        ended, outcomes, _ = run(calls, service(endpoint.url, price=price, concurrency=4), purse)
    assert purse.spent_usd == pytest.approx(0.02 * len(outcomes))
    assert purse.spent_usd <= 0.1 + 1e-9
    assert ended.stopped == "the budget of 0.1 US dollars is spent"


def test_requests_and_tokens_are_paced() -> None:
    for limit in ({"requests_per_minute": 60.0}, {"tokens_per_minute": 60.0 * 480}):
        clock = QuickClock()
        with serving() as endpoint:
            ended, _, _ = run(asks(10), service(endpoint.url, **limit), clock=clock)
        assert ended.replies == 20
        assert clock.time - 1000 >= 15


def test_neither_key_nor_address_is_kept_or_said() -> None:
    def tells(request: Request) -> Answer:
        if request.number % 2:
            return Answer(400, body=json.dumps({"error": {"code": KEY, "message": KEY}}).encode())
        return said(f'Your key is {KEY}. {{"verdict": "1"}}')

    with serving(tells) as endpoint:
        where = service(endpoint.url)
        ended, outcomes, records = run(asks(3), where)
    everything = repr((ended, outcomes, records, where))
    assert "[key]" in everything
    assert KEY not in everything
    assert f":{endpoint.port}" not in everything


@pytest.mark.parametrize("hangs", [False, True])
def test_a_signal_stops_the_run_and_loses_no_reply_that_comes_soon(
    hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval_pipeline.judging.asking.conduct.STOP_SECONDS", 0.3)
    outcomes: dict[str, Outcome] = {}

    def interrupts(request: Request) -> Answer:
        if request.number == 9:
            os.kill(os.getpid(), signal.SIGINT)
        return Answer(how="hang") if hangs and request.number >= 9 else longer_wins(request)

    def keep(ask: Ask, outcome: Outcome, *_: float) -> None:
        outcomes[ask.key] = outcome

    with serving(interrupts) as endpoint:
        endpoint.delay = 0.01
        where = service(endpoint.url, concurrency=2)
        with pytest.raises(KeyboardInterrupt):
            conduct(asks(200), where, Purse(), keep)
    assert len(endpoint.seen) < 20
    assert set(endpoint.finished) == set(outcomes)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_ours_comes_out_as_it_is() -> None:
    def keep(*_: object) -> None:
        raise OSError(28, "no space")

    with serving() as endpoint, pytest.raises(OSError, match="no space"):
        conduct(asks(5), service(endpoint.url), Purse(), keep, QuickClock())


def test_a_rubric_is_scored_whole_or_not_at_all() -> None:
    calls = score_asks(4)
    texts = [
        'Fine.\n{"reasoning": "x", "scores": {"helpful": 5, "accurate": 4, "clear": 3}}',
        '{"scores": {"helpful": 5, "accurate": 4}}',
        '{"scores": {"helpful": 6, "accurate": 4, "clear": 3}}',
        '{"scores": {"helpful": 5, "accurate": 4, "clear": 1',
    ]
    with serving() as endpoint:
        endpoint.script = lambda r: said(texts[int(r.case["reply"][-2])])
        _, outcomes, _ = run(calls, service(endpoint.url))
    clusters = {str(ask.subject["item_id"]): "c" for ask in calls}
    rows = score_rows([(ask, outcomes[ask.key], "f", 1) for ask in calls], clusters)
    assert [(row["criterion"], row["score"]) for row in rows[:4]] == [
        ("helpful", 5.0), ("accurate", 4.0), ("clear", 3.0), ("all", pytest.approx(4.3)),
    ]  # fmt: skip
    assert [row["detail"] for row in rows[4::4]] == [
        "missing_criterion",
        "out_of_scale",
        "no_marker",
    ]
    assert {row["status"] for row in rows[4:]} == {"judge_unknown"}
    assert {row["score"] for row in rows[4:]} == {None}


def test_a_judge_that_may_not_tie_has_no_tie() -> None:
    calls = asks(1)
    strict = LiveJudge(
        "owl", "owl-1", replace(calls[0].judge.prompt, ties=False), {"max_tokens": 9}
    )
    calls = asks(1, strict)
    with serving(lambda _: said('{"verdict": "TIE"}')) as endpoint:
        _, outcomes, _ = run(calls, service(endpoint.url))
    assert {row["detail"] for row in votes(calls, outcomes)} == {"unknown_label"}
    assert all(isinstance(outcome, EndpointReply) for outcome in outcomes.values())
