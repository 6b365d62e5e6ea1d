"""A judge's scores on several criteria: all of them, or none.

They stand in the judge's reply, or were recorded as an object of criteria and points.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval_pipeline.judging.reading.aloud import said_aloud
from eval_pipeline.judging.reading.deciding import decided
from eval_pipeline.judging.reading.json_values import TWICE, Held, objects_with
from eval_pipeline.judging.reading.own_words import SpokenReply, VerdictMarker


@dataclass(frozen=True)
class SaidScores:
    """Scores in the order of the criteria, or why there are none.

    detail: as of a verdict (`verdicts.Verdict`), or missing_criterion, out_of_scale.
    """

    scores: tuple[float, ...] | None
    detail: str | None = None
    flags: tuple[str, ...] = ()  # several_verdicts, marker_in_candidate, quoted, json_repaired


def parse_scores(
    text: str,
    key: str,
    criteria: Sequence[str],
    low: int,
    high: int,
    shown: Sequence[str] = (),
) -> SaidScores:
    """The whole numbers that the object under `key` gives to the criteria.

    Which of different objects counts, and which is the judge's own, is as in `parse_verdict`. An
    object that gives a criterion two scores, or none from low to high, leaves the reply without
    scores: half a rubric has no mean. shown: as in `parse_verdict`.
    """
    if (said := said_aloud(text)) is None:
        return SaidScores(None, "unclosed_reasoning")
    if not said.strip():
        return SaidScores(None, "empty")
    found, repaired = objects_with(said, key)
    if not found:
        return SaidScores(None, "no_marker")
    there = {_written(one.entries[key]) for text in shown for one in objects_with(text, key)[0]}
    markers = [_marker(one, key, said, there, shown) for one in found]
    place, detail, flags = decided(SpokenReply(said, shown), markers, bool(there))
    if repaired:
        flags += ("json_repaired",)
    if place is None:
        return SaidScores(None, detail, flags)
    entries = found[place].entries
    read = checked_scores(entries[key], criteria, low, high)
    if read.scores is not None and _contradicts(entries, criteria, read.scores):
        read = SaidScores(None, "two_verdicts")
    return replace(read, flags=flags)


def checked_scores(said: Any, criteria: Sequence[str], low: int, high: int) -> SaidScores:
    """The scores that an object gives, if it gives each criterion a whole number on the scale."""
    if said is TWICE:
        return SaidScores(None, "two_verdicts")
    if not isinstance(said, Mapping) or any(name not in said for name in criteria):
        return SaidScores(None, "missing_criterion")
    values = [said[name] for name in criteria]
    if TWICE in values:
        return SaidScores(None, "two_verdicts")
    if any(type(value) is not int or not low <= value <= high for value in values):
        return SaidScores(None, "out_of_scale")
    return SaidScores(tuple(float(value) for value in values))


def _marker(
    held: Held, key: str, text: str, there: set[str], shown: Sequence[str]
) -> VerdictMarker:
    label = _written(held.entries[key])
    written = text[held.start : held.closes]
    echoed = label in there and (len(held.entries) == 1 or any(written in one for one in shown))
    return VerdictMarker(label, held.start, held.closes, echoed, whole=True)


def _written(value: object) -> str:
    """A value as a text that equal values share."""
    return json.dumps(value, sort_keys=True, default=lambda _: "twice")


def _contradicts(
    entries: Mapping[str, object], criteria: Sequence[str], scores: Sequence[float]
) -> bool:
    """Whether the object gives a criterion another score beside its scores."""
    return any(
        isinstance(said := entries.get(name, score), int | float) and said != score
        for name, score in zip(criteria, scores, strict=True)
    ) or any(entries.get(name) is TWICE for name in criteria)
