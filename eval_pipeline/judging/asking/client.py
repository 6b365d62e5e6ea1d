"""One call to an OpenAI-compatible endpoint: one request, one reply or one reason why not.

httpx2 (the client that openai itself stands on) rather than openai: a body can be bounded while
it arrives, no redirect is followed, nothing is retried behind our back, and a call costs half the
processor time. No message here holds an address, a key or what the server wrote, except a short
code of its own.
"""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Literal

import orjson

from eval_pipeline.judging.asking.call_records import EndpointReply
from eval_pipeline.judging.asking.pacing import seconds_asked
from eval_pipeline.judging.asking.services import Endpoint

if TYPE_CHECKING:
    import httpx2

MAX_BODY_BYTES = 4 * 2**20
MOST_TOKENS = 2**53  # as much as a count can be told exactly
Kind = Literal["passing", "lasting", "fatal"]

# What the endpoint itself is wrong about, whatever is asked: no call there can do better.
FATAL = {
    401: "the key is refused",
    403: "the key may not do this",
    404: "there is no such endpoint or model",
    405: "it takes no chat completions there",
    407: "a proxy wants to know who asks",
}
PASSING = (408, 409, 425, 429)
_CODE = re.compile(r"[a-z][a-z_]{2,59}")


class AttemptError(Exception):
    """Why an attempt gave no reply.

    passing: another attempt may do. lasting: this call is refused for good. fatal: every call
    would be, at this endpoint; of_model: only those to this model. sent: whether the request can
    have left. billed: whether the endpoint may have charged it. answered: whether it answered in
    full, if badly. retry_after: seconds it asked for.
    """

    def __init__(
        self,
        reason: str,
        kind: Kind,
        billed: bool = False,
        answered: bool = False,
        retry_after: float | None = None,
        sent: bool = True,
        of_model: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.billed = billed
        self.answered = answered
        self.retry_after = retry_after
        self.sent = sent
        self.of_model = of_model


class ChatClient:
    """Calls one endpoint. To be used as an asynchronous context, in one event loop."""

    def __init__(self, endpoint: Endpoint, connections: int, timeout_seconds: float) -> None:
        self._key = endpoint.key.reveal() if endpoint.key else ""
        self._timeout = timeout_seconds
        self._http = _http(endpoint, self._key, connections, timeout_seconds)

    async def __aenter__(self) -> "ChatClient":
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._http.__aexit__(*error)

    async def ask(self, body: Mapping[str, object], call: str) -> EndpointReply:
        """The endpoint's reply to a request body.

        call: the call's key; an endpoint that knows idempotency keys charges a repeated one once.
        Raises AttemptError.
        """
        import httpx2

        try:
            async with asyncio.timeout(self._timeout):  # to the last byte, however they drip
                status, headers, content = await self._fetched(body, call)
        except (TimeoutError, httpx2.TimeoutException):
            raise AttemptError("timeout", "passing", billed=True) from None
        except httpx2.ConnectError:
            raise AttemptError("no connection", "passing", sent=False) from None
        except httpx2.TransportError:
            raise AttemptError("connection broke off", "passing", billed=True) from None
        if status != 200:
            raise self._refusal(status, headers, content)
        return self._reply(content)

    async def _fetched(
        self, body: Mapping[str, object], call: str
    ) -> tuple[int, Mapping[str, str], bytes]:
        request = self._http.stream(
            "POST",
            "/chat/completions",
            content=orjson.dumps(body),
            headers={"idempotency-key": call},
        )
        async with request as response:
            packing = response.headers.get("content-encoding", "").strip().lower()
            try:
                content = await _bounded(response.aiter_raw(), packing)
            except AttemptError:
                if response.status_code == 200:
                    raise
                content = b""  # the status says enough
            return response.status_code, response.headers, content

    def _refusal(self, status: int, headers: Mapping[str, str], content: bytes) -> AttemptError:
        if 300 <= status < 400:
            return AttemptError(f"HTTP {status}: it sends us elsewhere; name that URL", "fatal")
        if status in FATAL:
            return AttemptError(f"HTTP {status}: {FATAL[status]}", "fatal", of_model=status == 404)
        code = self._code(content)
        reason = f"HTTP {status}" + (f" ({code})" if code else "")
        if status in PASSING or status >= 500:
            asked = seconds_asked(headers.get("retry-after"), datetime.now(UTC))
            return AttemptError(reason, "passing", answered=True, retry_after=asked)
        return AttemptError(reason, "lasting")

    def _code(self, content: bytes) -> str | None:
        """The error's short code, if it has one that cannot hold a secret."""
        try:
            error = orjson.loads(content)["error"]
            code = error.get("code") or error.get("type")
        except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
            return None
        whole = isinstance(code, str) and _CODE.fullmatch(code)
        if not whole or (self._key and (code in self._key or self._key in code)):
            return None
        return str(code)

    def _reply(self, content: bytes) -> EndpointReply:
        """The reply in a body of the protocol; a key that it repeats is blotted out."""
        try:
            said = orjson.loads(content)
        except orjson.JSONDecodeError:
            raise _unreadable("body that is no JSON") from None
        try:
            choice = said["choices"][0]
            message = choice["message"]
            text, refusal = message.get("content"), message.get("refusal")
            usage = said.get("usage") or {}
            tokens = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
            words = (text, refusal, choice.get("finish_reason"), said.get("model"))
        except (AttributeError, IndexError, KeyError, TypeError):
            raise _unreadable("body of another protocol") from None
        if not all(word is None or isinstance(word, str) for word in words):
            raise _unreadable("body of another protocol")
        text, refusal, finish_reason, model = map(self._blotted, words)
        return EndpointReply(text or "", finish_reason, refusal, tokens[0], tokens[1], model)

    def _blotted(self, text: str | None) -> str | None:
        if text is None or not self._key:
            return text
        return text.replace(self._key, "[key]")


async def _bounded(chunks: AsyncIterator[bytes], packing: str) -> bytes:
    """The body, of at most MAX_BODY_BYTES however small it is packed.

    gzip is read, though we ask for none: some proxies pack all that passes.
    """
    if packing not in ("", "identity", "gzip", "x-gzip"):
        raise AttemptError("it packs its replies in a form that was not asked for", "fatal", True)
    unpack = zlib.decompressobj(wbits=31) if packing.endswith("gzip") else None
    content = bytearray()
    try:
        async for chunk in chunks:
            room = MAX_BODY_BYTES + 1 - len(content)
            content += unpack.decompress(chunk, room) if unpack else chunk
            if len(content) > MAX_BODY_BYTES:
                raise AttemptError(f"body beyond {MAX_BODY_BYTES // 2**20} MiB", "lasting", True)
    except zlib.error:
        unpack = zlib.decompressobj()  # which has not ended
    if unpack and not unpack.eof:
        raise AttemptError("body that cannot be unpacked", "passing", billed=True)
    return bytes(content)


def _unreadable(reason: str) -> AttemptError:
    return AttemptError(reason, "passing", billed=True, answered=True)


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _http(endpoint: Endpoint, key: str, connections: int, timeout: float) -> "httpx2.AsyncClient":
    try:
        import httpx2
    except ModuleNotFoundError:
        raise ValueError("live judging needs httpx2: pip install 'eval-pipeline[judge]'") from None
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))  # they could grow without end
    headers = {"content-type": "application/json", "accept-encoding": "identity"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    return httpx2.AsyncClient(
        base_url=endpoint.url,
        headers=headers,
        cookies=no_cookies,
        timeout=timeout,
        follow_redirects=False,
        proxy=endpoint.proxy,
        trust_env=False,  # a proxy named there would see the keys of plain http
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )
