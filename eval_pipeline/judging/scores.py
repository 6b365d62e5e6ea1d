"""A judge's scores on several criteria, read from its reply: all of them, or none."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    if not isinstance(said, dict) or any(name not in said for name in criteria):
        return Scores(None, "missing_criterion", tuple(flags))
    values = [said[name] for name in criteria]
    if TWICE in values:
        return Scores(None, "two_verdicts", tuple(flags))
    if any(type(value) is not int or not low <= value <= high for value in values):
        return Scores(None, "out_of_scale", tuple(flags))
    return Scores(tuple(float(value) for value in values), None, tuple(flags))
