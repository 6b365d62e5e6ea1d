"""A chat endpoint on loopback that answers, or misbehaves, as a test asks, and counts."""

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Answer:
    """What the endpoint sends. how: whole, cut short of its length, a byte at a time, or never."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    how: Literal["whole", "cut", "drip", "hang", "drop", "endless"] = "whole"


@dataclass(frozen=True)
class Request:
    """What was asked. number: from 0, in the order of arrival."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def call(self) -> str:
        """The call's key, less the number of answers that it had before."""
        return self.headers["idempotency-key"].rpartition("-")[0]

    @property
    def case(self) -> Mapping[str, str]:
        """The texts that are shown, as the judge finds them."""
        shown = self.body["messages"][-1]["content"]
        found = re.search(r"^<(case-[0-9a-f]{16})>\n(.*)\n</\1>$", shown, re.M)
        assert found is not None, shown
        case: Mapping[str, str] = json.loads(found[2])
        return case


Script = Callable[[Request], Answer]


def said(text: str | None, finish: str = "stop", **message: Any) -> Answer:
    """A reply of the protocol."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    body = {
        "id": "x",
        "object": "chat.completion",
        "model": "judge-1-0101",
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return Answer(body=json.dumps(body).encode())


def longer_wins(request: Request) -> Answer:
    """A judge that prefers the longer reply, whichever seat it has."""
    first, second = (len(request.case[name]) for name in ("reply_1", "reply_2"))
    verdict = "TIE" if first == second else "1" if first > second else "2"
    return said(json.dumps({"reasoning": "by length", "verdict": verdict}))


class Endpoint:
    """The server; `script` may be changed between requests."""

    def __init__(self, script: Script = longer_wins) -> None:
        self.script = script
        self.seen: list[Request] = []
        self.finished: list[str] = []  # calls whose answer was sent to its last byte
        self.in_flight = 0
        self.most_in_flight = 0
        self.port = 0
        self.delay = 0.0
        self._progress = threading.Condition()

    def wait_for(self, reached: Callable[[], bool], seconds: float = 60.0) -> bool:
        """Waits until enough answers were sent."""
        with self._progress:
            return self._progress.wait_for(reached, seconds)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                request = Request(len(self.seen), head[0].split()[1], headers, json.loads(body))
                self.seen.append(request)
                self.in_flight += 1
                self.most_in_flight = max(self.most_in_flight, self.in_flight)
                try:
                    if self.delay:
                        await asyncio.sleep(self.delay)
                    if not await _send(writer, self.script(request)):
                        return
                    with self._progress:
                        self.finished.append(request.call)
                        self._progress.notify_all()
                finally:
                    self.in_flight -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> bool:
    """Whether the connection may be used again."""
    length = len(answer.body) + (1000 if answer.how == "cut" else 0)
    headers = {"content-type": "application/json", "content-length": str(length), **answer.headers}
    if answer.how == "endless":
        headers["content-length"] = str(2**40)
    head = f"HTTP/1.1 {answer.status} X\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    if answer.how == "drop":
        return False
    if answer.how == "hang":
        await asyncio.Event().wait()
    writer.write(head.encode() + b"\r\n")
    if answer.how == "drip":
        for i in range(len(answer.body)):
            writer.write(answer.body[i : i + 1])
            await writer.drain()
            await asyncio.sleep(0.05)
        return True
    while answer.how == "endless":
        writer.write(b" " * 2**16)
        await writer.drain()
    writer.write(answer.body)
    await writer.drain()
    return answer.how == "whole"


@contextmanager
def serving(script: Script = longer_wins) -> Iterator[Endpoint]:
    """The endpoint, in a thread of its own, until the block ends."""
    endpoint = Endpoint(script)
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    async def run() -> None:
        server = await asyncio.start_server(endpoint._serve, "127.0.0.1", 0)
        endpoint.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        server.close()

    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield endpoint
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def main(delay: float) -> None:
    """Serves until standard input ends; prints its URL first, and at the end what it counted."""
    with serving() as endpoint:
        endpoint.delay = delay
        print(endpoint.url, flush=True)
        sys.stdin.read()
        print(json.dumps([len(endpoint.seen), endpoint.most_in_flight]), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
