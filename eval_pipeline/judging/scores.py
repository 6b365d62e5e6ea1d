"""A judge's scores on several criteria: all of them, or none.

They stand in the judge's reply, or were recorded as an object of criteria and points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval_pipeline.judging.verdicts import TWICE, json_values, last_line_start


@dataclass(frozen=True)
class Scores:
    """Scores in the order of the criteria, or why there are none."""

    scores: tuple[float, ...] | None
    detail: str | None = None  # empty, no_marker, two_verdicts, missing_criterion, out_of_scale
    flags: tuple[str, ...] = ()  # several_verdicts, marker_in_candidate, json_repaired


def parse_scores(
    text: str,
    key: str,
    criteria: Sequence[str],
    low: int,
    high: int,
    shown: Sequence[str] = (),
) -> Scores:
    """The whole numbers that the object under `key` gives to the criteria.

    Different objects: the last one, where it stands on the last non-empty line. A criterion that
    one object gives two scores, or none from low to high, leaves the reply without scores: half a
    rubric has no mean. shown: as in `parse_verdict`.
    """
    if not text.strip():
        return Scores(None, "empty")
    found, repaired = json_values(text, key)
    if not found:
        return Scores(None, "no_marker")
    said, end = found[-1]
    differ = any(value != said for value, _ in found)
    flags = [
        flag
        for flag, holds in (
            ("several_verdicts", differ),
            ("marker_in_candidate", any(json_values(one, key)[0] for one in shown)),
            ("json_repaired", repaired),
        )
        if holds
    ]
    if differ and end <= last_line_start(text):
        return Scores(None, "two_verdicts", tuple(flags))
    return replace(checked_scores(said, criteria, low, high), flags=tuple(flags))


def checked_scores(said: Any, criteria: Sequence[str], low: int, high: int) -> Scores:
    """The scores that an object gives, if it gives each criterion a whole number on the scale."""
    if not isinstance(said, Mapping) or any(name not in said for name in criteria):
        return Scores(None, "missing_criterion")
    values = [said[name] for name in criteria]
    if TWICE in values:
        return Scores(None, "two_verdicts")
    if any(type(value) is not int or not low <= value <= high for value in values):
        return Scores(None, "out_of_scale")
    return Scores(tuple(float(value) for value in values))
