"""Regular expressions that a contract or an item declares: checked when read, bounded when run.

They run in a child process under a limit of CPU seconds: a pattern may backtrack for ever.
`regex@1` holds an answer against one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eval_pipeline.verification.bounded import Request, Stopped, children
from eval_pipeline.verification.verdict import Item, Verdict

CPU_SECONDS = 2.0  # for one pattern on one text
MATCHES = ("full", "search")


def compiled(source: Any, named: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern; raises ValueError that says where it stands and what is wrong with it."""
    if not isinstance(source, str) or not source:
        raise ValueError(f"{named} must be a regular expression, got {source!r}")
    try:
        return re.compile(source, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{named} {source!r} is no regular expression: {error}") from error


def request(pattern: re.Pattern[str], text: str, how: str, end: int | None = None) -> Request:
    """What a child is asked: `how` is search, finditer or fullmatch, within text[:end]."""
    within = len(text) if end is None else end
    return {
        "task": "search",
        "pattern": pattern.pattern,
        "flags": pattern.flags,
        "how": how,
        "text": text,
        "end": within,
    }


@dataclass(frozen=True)
class Regex:
    """1 where the item's answer, a regular expression, fits the reply's answer.

    Options: `match`, full (the whole answer, the default) or search (some part of it);
    `ignore_case`, false unless declared.
    """

    match: str = "full"
    ignore_case: bool = False

    def __post_init__(self) -> None:
        if self.match not in MATCHES:
            raise ValueError(f"match must be one of {MATCHES}, got {self.match!r}")
        if not isinstance(self.ignore_case, bool):
            raise ValueError(f"ignore_case must be true or false, got {self.ignore_case!r}")

    def check(self, item: Item) -> None:
        self._pattern(item)

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        how = "fullmatch" if self.match == "full" else "search"
        asked = [request(self._pattern(item), answer, how) for item, answer in answers]
        with children(workers) as pool:
            said = pool.ask_all(asked, CPU_SECONDS)
        return [
            _verdict(item, answer, found)
            for (item, answer), found in zip(answers, said, strict=True)
        ]

    def _pattern(self, item: Item) -> re.Pattern[str]:
        flags = re.IGNORECASE if self.ignore_case else 0
        return compiled(item.reference, f"item {item.item_id!r}: its answer", flags)


def _verdict(item: Item, answer: str, found: Any) -> Verdict:
    if isinstance(found, Stopped):
        return stopped(found, f"the pattern {item.reference[:200]!r}", answer)
    relation = "fits" if found else "does not fit"
    explanation = f"{answer[:200]!r} {relation} the pattern {item.reference[:200]!r}"
    return Verdict.judged(float(bool(found)), answer, explanation)


def stopped(found: Stopped, what: str, answer: str | None) -> Verdict:
    """The verdict on an answer that could not be judged within its limits: never a wrong one."""
    status = "timeout" if found.is_timeout else "infra_error"
    explanation = f"{what} was stopped ({found.reason}): the answer is not judged"
    return Verdict(status, None, answer, explanation, f"verifier_{found.reason}")
