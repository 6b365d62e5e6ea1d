"""Durations of tests by room, as `eval_pipeline_tests.clock` prints them, in CONTRIBUTING.md."""

import re
from collections.abc import Iterable

_PART = re.compile(r"(<!-- durations -->\n).*?(<!-- end of durations -->)", re.DOTALL)


def with_durations(text: str, table: Iterable[str]) -> str:
    """The page with a new table; raises ValueError where there is none, or no place for it."""
    rows = "".join(table)
    if not rows:
        raise ValueError("no table came in: pipe what eval_pipeline_tests.clock prints")
    if not _PART.search(text):
        raise ValueError("the page has no part `durations`")
    return _PART.sub(lambda match: f"{match[1]}{rows}{match[2]}", text)
