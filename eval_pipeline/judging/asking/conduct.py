"""Many calls at once: so many in flight, paced, tried again, within what may be spent.

Each outcome is handed to `keep` the moment it is there, so that whatever ends the run loses
nothing that was paid for.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Protocol

from eval_pipeline.judging.asking.asks import Ask
from eval_pipeline.judging.asking.call_records import CallFailed, EndpointReply, Outcome
from eval_pipeline.judging.asking.client import AttemptError, ChatClient
from eval_pipeline.judging.asking.pacing import LONGEST_OBEYED_SECONDS, Pace, pause_after
from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.judging.asking.services import Endpoint, Service
from eval_pipeline.judging.asking.stopping import stop_heard
from eval_pipeline.judging.asking.tokens import expected_tokens, most_tokens
from eval_pipeline.judging.prompts.templates import as_request

STOP_SECONDS = 10.0  # that calls in flight have to come back once the process is told to stop
GIVE_UP_AFTER = 20  # calls in a row without a reply: an endpoint that is down is left alone

Keep = Callable[[Ask, Outcome, int, float], None]  # ask, outcome, attempts, latency in ms


class Clock(Protocol):
    """Time as the conductor knows it."""

    def now(self) -> float:
        """Seconds, from any origin."""

    async def pause(self, seconds: float, over: asyncio.Event) -> None:
        """Waits so long, or until it is over."""


class WallClock:
    """The machine's own."""

    def now(self) -> float:
        return time.monotonic()

    async def pause(self, seconds: float, over: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), seconds)


@dataclass(frozen=True)
class Closed:
    """Why an endpoint is left alone; of_model: only where the same model is asked."""

    reason: str
    of_model: bool = False


@dataclass
class Conducted:
    """What came of it: calls answered and failed; `stopped` says why others were not sent.

    over_budget: whether it stopped as the purse was spent. closed: the endpoints that refuse every
    call, or were down.
    """

    replies: int = 0
    failures: int = 0
    attempts: int = 0
    most_in_flight: int = 0
    stopped: str | None = None
    over_budget: bool = False
    closed: dict[Endpoint, Closed] = field(default_factory=dict)


def conduct(
    asks: Sequence[Ask],
    service: Service,
    purse: Purse,
    keep: Keep,
    clock: Clock | None = None,
) -> Conducted:
    """Sends the calls, all of one judge, and hands over each outcome.

    It ends when each has an outcome, or with `stopped`: the purse is spent, every endpoint refuses
    everything, or none answers. What is in flight then is waited for and kept. An endpoint that
    refuses everything is left alone at once, and the others take over its calls. SIGINT or SIGTERM
    stops it too, waits STOP_SECONDS for what is in flight, and takes its usual course then.
    Raises ValueError where no endpoint is named, or money is limited without a price.
    """
    if not service.endpoints:
        raise ValueError("no endpoint is named: nobody can be asked")
    if purse.usd is not None and service.price is None:
        raise ValueError(
            "a budget in money needs the judge's price: set EVAL_PIPELINE_JUDGE_"
            "USD_PER_MILLION_IN and EVAL_PIPELINE_JUDGE_USD_PER_MILLION_OUT"
        )
    conductor = _Conductor(service, purse, keep, clock or WallClock())
    try:
        with stop_heard(conductor.told_to_stop):
            return asyncio.run(conductor.run(asks))
    except BaseExceptionGroup as group:  # of the workers: the first one ended the others
        raise group.exceptions[0] from None


@dataclass
class _Line:
    """One endpoint, how busy it is, and its limits a minute."""

    endpoint: Endpoint
    client: ChatClient
    requests: Pace
    tokens: Pace
    in_flight: int = 0


@dataclass
class _Conductor:
    service: Service
    purse: Purse
    keep: Keep
    clock: Clock
    done: Conducted = field(default_factory=Conducted)
    lines: list[_Line] = field(default_factory=list)
    lost_in_a_row: int = 0
    in_flight: int = 0
    told: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    workers: list[asyncio.Task[None]] = field(default_factory=list)

    async def run(self, asks: Sequence[Ask]) -> Conducted:
        self.loop = asyncio.get_running_loop()
        self.over = asyncio.Event()  # of this event loop
        self.settled = asyncio.Condition()
        if self.told:  # before there was a loop
            self._end_soon()
        waiting = iter(asks)
        places = min(self.service.concurrency * len(self.service.endpoints), len(asks))
        async with AsyncExitStack() as open_clients:
            for endpoint in self.service.endpoints:
                client = await open_clients.enter_async_context(self._client(endpoint))
                requests = Pace(self.service.requests_per_minute)
                tokens = Pace(self.service.tokens_per_minute)
                self.lines.append(_Line(endpoint, client, requests, tokens))
            async with asyncio.TaskGroup() as group:
                self.workers = [group.create_task(self._work(waiting)) for _ in range(places)]
        return self.done

    def _client(self, endpoint: Endpoint) -> ChatClient:
        return ChatClient(endpoint, self.service.concurrency, self.service.timeout_seconds)

    async def _work(self, waiting: Iterator[Ask]) -> None:
        for ask in waiting:  # shared by all workers: each takes the next
            if self.over.is_set():
                return
            await self._settle(ask)

    async def _settle(self, ask: Ask) -> None:
        """Tries a call until it has an outcome, or the run is over."""
        messages = ask.messages()
        body = {
            "model": ask.judge.model,
            "messages": as_request(messages),
            **ask.judge.decoding,
        }
        longest = int(ask.judge.decoding["max_tokens"])
        price = self.service.price
        most = price.of(most_tokens(messages), longest) if price else 0.0
        amount = expected_tokens(messages) + longest
        line: _Line | None = None
        attempt = 0
        answers = 0  # part of the call's name: who knows it by that would repeat a bad answer
        while (line := self._least_busy(line)) is not None:
            if not await self._paced(line, amount):
                return
            if line.endpoint in self.done.closed:  # meanwhile
                continue
            if not await self._admitted(most):
                return
            started = self.clock.now()
            outcome = await self._attempt(line, f"{ask.key}-{answers}", body, most)
            latency = (self.clock.now() - started) * 1000
            if not isinstance(outcome, AttemptError):
                self._note(ask, outcome, attempt + 1, latency)
                return
            if closed := _closing(outcome):
                self._close(line, closed)
                continue  # another endpoint may take the call, and it costs no attempt
            attempt += 1
            if outcome.kind == "lasting" or attempt == self.service.attempts:
                failed = CallFailed(outcome.reason, lasting=outcome.kind == "lasting")
                self._note(ask, failed, attempt, latency)
                return
            answers += outcome.answered
            pause = pause_after(attempt, random.random(), outcome.retry_after)
            if outcome.retry_after is not None:  # it speaks for all calls, not for this one
                line.requests.hold_until(self.clock.now() + pause)
            await self.clock.pause(pause, self.over)
            if self.over.is_set():
                return

    async def _attempt(
        self, line: _Line, call: str, body: Mapping[str, object], most: float
    ) -> EndpointReply | AttemptError:
        line.in_flight += 1
        self.in_flight += 1
        self.done.attempts += 1
        self.done.most_in_flight = max(self.done.most_in_flight, self.in_flight)
        cost, sent = most, True  # unless it turns out otherwise
        try:
            reply = await line.client.ask(body, call)
            cost = self._cost(reply, most)
            return reply
        except AttemptError as error:
            cost, sent = most if error.billed else 0.0, error.sent
            return error
        finally:
            line.in_flight -= 1
            self.in_flight -= 1
            self.purse.settle(most, cost, sent)
            async with self.settled:
                self.settled.notify_all()

    def _cost(self, reply: EndpointReply, most: float) -> float:
        price = self.service.price
        if price is None or reply.tokens_in is None or reply.tokens_out is None:
            return most
        return price.of(reply.tokens_in, reply.tokens_out)

    def _note(self, ask: Ask, outcome: Outcome, attempts: int, latency: float) -> None:
        self.keep(ask, outcome, attempts, latency)
        if isinstance(outcome, EndpointReply):
            self.done.replies += 1
            self.lost_in_a_row = 0
            return
        self.done.failures += 1
        self.lost_in_a_row += 1
        if self.lost_in_a_row >= GIVE_UP_AFTER:
            why = f"{GIVE_UP_AFTER} calls in a row had no reply, the last one: {outcome.reason}"
            if not outcome.lasting:
                for line in self._open():
                    self.done.closed[line.endpoint] = Closed(why)
            self._stop(why)

    def _open(self) -> list[_Line]:
        return [line for line in self.lines if line.endpoint not in self.done.closed]

    def _least_busy(self, last: _Line | None) -> _Line | None:
        """Not the line that just failed, where there is another; None where all are closed."""
        lines = self._open()
        others = [line for line in lines if line is not last] or lines
        return min(others, key=lambda line: line.in_flight, default=None)

    def _close(self, line: _Line, why: Closed) -> None:
        """Leaves an endpoint alone; the last one that is closed ends the run."""
        self.done.closed.setdefault(line.endpoint, why)
        if not self._open():
            self._stop(
                "; ".join(
                    _numbered(i, len(self.lines)) + self.done.closed[one.endpoint].reason
                    for i, one in enumerate(self.lines, 1)
                )
            )

    async def _paced(self, line: _Line, amount: float) -> bool:
        """Waits for the endpoint's limits; False where the run is over by then."""
        now = self.clock.now()
        wait = max(line.requests.wait(now), line.tokens.wait(now, amount))
        if wait > 0:
            await self.clock.pause(wait, self.over)
        return not self.over.is_set()

    async def _admitted(self, most: float) -> bool:
        """Waits until the purse has room for a call; False where it never will."""
        while (answer := self.purse.take(most)) == "wait":
            async with self.settled:
                await self.settled.wait()
            if self.over.is_set():
                return False
        if answer == "spent":
            self._stop(f"the budget of {self.purse.said} is spent", over_budget=True)
        return answer == "taken"

    def told_to_stop(self) -> None:
        """For a handler of signals, which runs between any two instructions."""
        self.told = True
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._end_soon)

    def _end_soon(self) -> None:
        self._stop("it was told to stop")
        for task in self.workers:
            asyncio.get_running_loop().call_later(STOP_SECONDS, task.cancel)

    def _stop(self, why: str, over_budget: bool = False) -> None:
        """Ends the run; the first reason is the one that is told."""
        if self.done.stopped is None:
            self.done.stopped, self.done.over_budget = why, over_budget
        self.over.set()


def _closing(error: AttemptError) -> Closed | None:
    """Whether an endpoint that gave this error is to be left alone, and why."""
    if error.kind == "fatal":
        return Closed(error.reason, error.of_model)
    if error.retry_after is not None and error.retry_after > LONGEST_OBEYED_SECONDS:
        longest = f"{LONGEST_OBEYED_SECONDS / 60:g} minutes"
        return Closed(f"{error.reason}: it asks to be left alone for more than {longest}")
    return None


def _numbered(number: int, of: int) -> str:
    """An endpoint is told from another by its place in the list: its address is a secret."""
    return "" if of == 1 else f"endpoint {number} of {of}: "
