"""Scores of single replies as a table has them, a row a criterion, and recorded ones read."""

from collections.abc import Mapping, Sequence

from eval_pipeline.judging.prompts.rubric import WHOLE, Rubric
from eval_pipeline.judging.prompts.templates import SCORES_KEY, VERDICT_KEY
from eval_pipeline.judging.reading.scores import SaidScores, checked_scores, parse_scores
from eval_pipeline.judging.reading.spelling import plain
from eval_pipeline.judging.verdicts import UNKNOWN, YES_NO, json_form, parse_verdict

YES_NO_KEY = json_form(VERDICT_KEY, "yes", "no", "true", "false", means=("yes", "no", "yes", "no"))
POINTS = {"yes": 1.0, "no": 0.0}
CriterionRow = dict[str, str | float | None]


def criterion_rows(rubric: Rubric, said: SaidScores, *, failed: bool = False) -> list[CriterionRow]:
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


def yes_no_scores(text: str, shown: Sequence[str] = ()) -> SaidScores:
    """1 for a judge's yes and 0 for its no, on the one criterion that it was asked about.

    The word stands on a line of its own, opens the reply (`Yes, it does.`), or is the `verdict` of
    an object. shown: as in `verdicts.parse_verdict`.
    """
    said = parse_verdict(text, YES_NO_KEY, shown)
    form = YES_NO_KEY
    if said.detail == "no_marker":
        said, form = parse_verdict(text, YES_NO, shown), YES_NO
    if said.label is None:
        return SaidScores(None, said.detail, said.flags)
    return SaidScores((POINTS[form.meaning(plain(said.label)).lower()],), None, said.flags)


def recorded_scores(
    row: Mapping[str, object], rubric: Rubric, *, yes_no: bool = False, shown: Sequence[str] = ()
) -> list[CriterionRow]:
    """What a recorded row says, as `criterion_rows`.

    `error`: the call failed. `scores`: criteria and points. `reply`: the judge's own text, in which
    an object under "scores" holds them, or yes or no where that was asked. What gives not every
    criterion a whole number on the scale gives none. shown: the reply that was scored, if known.
    """
    if row.get("error") is not None:
        return criterion_rows(rubric, SaidScores(None, "error"), failed=True)
    form = (rubric.criteria, rubric.low, rubric.high)
    if row.get("scores") is not None:
        return criterion_rows(rubric, checked_scores(row["scores"], *form))
    text = str(row.get("reply") or "")
    if yes_no:
        return criterion_rows(rubric, yes_no_scores(text, shown))
    return criterion_rows(rubric, parse_scores(text, SCORES_KEY, *form, shown))
