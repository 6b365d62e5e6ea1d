"""Scores of single replies as a table has them, a row a criterion, and recorded ones read."""

from collections.abc import Mapping
from typing import Any

from eval_pipeline.judging.prompts import SCORES_KEY
from eval_pipeline.judging.rubric import WHOLE, Rubric
from eval_pipeline.judging.scores import Scores, checked_scores, parse_scores
from eval_pipeline.judging.verdicts import UNKNOWN


def criterion_rows(rubric: Rubric, said: Scores, *, failed: bool = False) -> list[dict[str, Any]]:
    """Criterion, status, score and detail: each criterion, then `all`, their weighted mean.

    failed: the call failed, and said.detail says how.
    """
    names = (*rubric.criteria, WHOLE)
    if said.scores is None:
        status = "judge_error" if failed else UNKNOWN
        return [
            {"criterion": name, "status": status, "score": None, "detail": said.detail}
            for name in names
        ]
    flags = ", ".join(said.flags) or None
    scores = (*said.scores, rubric.whole(said.scores))
    return [
        {"criterion": name, "status": "ok", "score": score, "detail": flags}
        for name, score in zip(names, scores, strict=True)
    ]


def recorded_scores(row: Mapping[str, Any], rubric: Rubric) -> list[dict[str, Any]]:
    """What a recorded row says, as `criterion_rows`.

    `error`: the call failed. `scores`: criteria and points. `reply`: the judge's own text, in which
    an object under "scores" holds them. What gives not every criterion a whole number on the scale
    gives none.
    """
    if row.get("error") is not None:
        return criterion_rows(rubric, Scores(None, "error"), failed=True)
    form = (rubric.criteria, rubric.low, rubric.high)
    if row.get("scores") is not None:
        return criterion_rows(rubric, checked_scores(row["scores"], *form))
    return criterion_rows(rubric, parse_scores(row.get("reply") or "", SCORES_KEY, *form))
