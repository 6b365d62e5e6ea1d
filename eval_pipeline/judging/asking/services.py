"""Where a live judge answers, and on what terms: read from the environment, and kept nowhere.

EVAL_PIPELINE_JUDGE_<SETTING> holds for every judge, EVAL_PIPELINE_JUDGE_<JUDGE>_<SETTING> for one;
the judge's name in capitals, every other character than a letter or digit as `_`. None of it is
part of a result: the same judge may be asked elsewhere tomorrow, and its kept votes stay.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PREFIX = "EVAL_PIPELINE_JUDGE"
KEPT = "kept"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
CONCURRENCY = 64
TIMEOUT_SECONDS = 120.0
ATTEMPTS = 7  # a minute of pauses, which outlasts a limit that is counted by the minute
SETTINGS = {
    "URL": "base URL of the endpoint, such as https://host/v1; several, with commas between, share "
    f"the calls; `{KEPT}`: take kept replies only, and ask nobody",
    "KEY": "its key, or one for each URL; never written anywhere",
    "PROXY": "proxy that https endpoints are reached through, such as http://host:3128 (none; the "
    "proxies that the environment names for other programs are not used)",
    "CONCURRENCY": f"calls in flight at each URL ({CONCURRENCY})",
    "REQUESTS_PER_MINUTE": "requests a minute at each URL (no limit)",
    "TOKENS_PER_MINUTE": "tokens a minute at each URL, prompt and longest reply (no limit)",
    "TIMEOUT_SECONDS": f"longest time for one reply, to its last byte ({TIMEOUT_SECONDS:g})",
    "ATTEMPTS": f"how often a call is tried before it counts as failed ({ATTEMPTS})",
    "USD_PER_MILLION_IN": "price of prompt tokens, US dollars a million",
    "USD_PER_MILLION_OUT": "price of reply tokens, US dollars a million",
}


class Secret:
    """A text that no print, log or traceback shows; equal to another of the same text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret(***)"


@dataclass(frozen=True)
class Endpoint:
    """One base URL with its key, and the proxy on the way to it, which sees neither."""

    url: str = field(repr=False)
    key: Secret | None
    proxy: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Price:
    """US dollars a million tokens."""

    per_million_in: float
    per_million_out: float

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """US dollars for so many tokens."""
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / 1e6


@dataclass(frozen=True)
class Service:
    """How a judge is reached. No endpoint: kept replies only."""

    endpoints: tuple[Endpoint, ...]
    concurrency: int = CONCURRENCY
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout_seconds: float = TIMEOUT_SECONDS
    attempts: int = ATTEMPTS
    price: Price | None = None


def service_of(judge: str, environment: Mapping[str, str]) -> Service | None:
    """The judge's service; None where no URL is named.

    Raises ValueError that names a variable which cannot be used, and never its URL or key.
    """
    said = {name: _said(judge, name, environment) for name in SETTINGS}
    if said["URL"] is None:
        return None
    return Service(
        endpoints=()
        if said["URL"][1] == KEPT
        else _endpoints(said["URL"], said["KEY"], said["PROXY"]),
        concurrency=int(_number(said["CONCURRENCY"], CONCURRENCY, whole=True)),
        requests_per_minute=_limit(said["REQUESTS_PER_MINUTE"]),
        tokens_per_minute=_limit(said["TOKENS_PER_MINUTE"]),
        timeout_seconds=_number(said["TIMEOUT_SECONDS"], TIMEOUT_SECONDS),
        attempts=int(_number(said["ATTEMPTS"], ATTEMPTS, whole=True)),
        price=price_of(judge, environment),
    )


def price_of(judge: str, environment: Mapping[str, str]) -> Price | None:
    """The declared price, None where there is none; one half of it alone is refused."""
    names = ("USD_PER_MILLION_IN", "USD_PER_MILLION_OUT")
    halves = [_said(judge, name, environment) for name in names]
    if None in halves:
        for half, other in zip(halves, reversed(names), strict=True):
            if half is not None:
                raise ValueError(f"{half[0]} is set, and {other} is not: declare both prices")
        return None
    return Price(*(_number(half, 0.0, zero=True) for half in halves))


def variable(judge: str, setting: str) -> str:
    """The environment variable of one judge's setting."""
    return f"{PREFIX}_{re.sub(r'[^A-Z0-9]', '_', judge.upper())}_{setting}"


Said = tuple[str, str]  # the variable, its value


def _said(judge: str, setting: str, environment: Mapping[str, str]) -> Said | None:
    for name in (variable(judge, setting), f"{PREFIX}_{setting}"):
        if value := environment.get(name, "").strip():
            return name, value
    return None


def _endpoints(urls: Said, keys: Said | None, proxy: Said | None) -> tuple[Endpoint, ...]:
    if proxy and not _is_proxy(proxy[1]):
        raise ValueError(f"{proxy[0]} is no proxy's URL: write it as http://host:3128")
    addresses = [part.strip().rstrip("/") for part in urls[1].split(",")]
    secrets = [part.strip() for part in keys[1].split(",")] if keys else []
    if len(secrets) not in (0, 1, len(addresses)):
        raise ValueError(
            f"{urls[0]} names {len(addresses)} URLs, and {keys and keys[0]} holds {len(secrets)} "
            "keys: give one key, or one for each URL"
        )
    if len(secrets) == 1:
        secrets *= len(addresses)
    if any(not secret.isascii() or not secret.isprintable() for secret in secrets):
        raise ValueError(f"{keys and keys[0]} holds what cannot stand in a header: copy it again")
    found = []
    for i, address in enumerate(addresses):
        key = secrets[i] if secrets else ""
        _check_address(urls[0], address, bool(key))
        through = proxy[1] if proxy and address.startswith("https:") else None
        found.append(Endpoint(address, Secret(key) if key else None, through))
    return tuple(found)


def _is_proxy(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname and parts.port)
    except ValueError:
        return False


def _check_address(variable_name: str, address: str, has_key: bool) -> None:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # either may raise
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https") or not address.isascii():
        raise ValueError(f"{variable_name} is no URL: write it as https://host/v1, or `{KEPT}`")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            f"{variable_name} holds more than an address: put the key into {PREFIX}_KEY"
        )
    if has_key and parts.scheme == "http" and host not in LOOPBACK:
        raise ValueError(
            f"{variable_name} is http, which would send the key in clear: use https, or no key"
        )


def _limit(said: Said | None) -> float | None:
    return None if said is None else _number(said, 0.0)


def _number(said: Said | None, otherwise: float, whole: bool = False, zero: bool = False) -> float:
    if said is None:
        return otherwise
    name, text = said
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    least = "0" if zero else "above 0"
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise ValueError(f"{name} is {text!r:.40}: set it to a number {'from ' * zero}{least}")
    if whole and (value != int(value) or value < 1):
        raise ValueError(f"{name} is {text!r:.40}: set it to a whole number from 1")
    return value
