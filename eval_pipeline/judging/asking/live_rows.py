"""Kept replies of live judges as rows of `judge_votes` and `judge_scores`.

A reply is read afresh each time, so that a better reader restates verdicts and pays for nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from eval_pipeline.judging.asking.asks import Ask
from eval_pipeline.judging.asking.call_records import CallFailed, EndpointReply, Outcome
from eval_pipeline.judging.collector import at_rest
from eval_pipeline.judging.prompts.rubric import Rubric, rubric_of
from eval_pipeline.judging.prompts.templates import SCORES_KEY, VERDICT_KEY
from eval_pipeline.judging.reading.recorded_scores import criterion_rows, yes_no_scores
from eval_pipeline.judging.reading.scores import SaidScores, parse_scores
from eval_pipeline.judging.verdicts import UNKNOWN, VerdictForm, json_form, parse_verdict

FILTERED = "content_filter"
CUT = "length"

SEATED: Mapping[str | int, tuple[str, ...]] = {  # in the order of a prompt's labels
    "a_first": ("model_a", "model_b", "tie"),
    "b_first": ("model_b", "model_a", "tie"),
}

Answered = Iterable[tuple[Ask, Outcome, str, int]]  # ask, outcome, file, line that keep it

VoteRow = dict[str, str | int | None]


@at_rest()
def vote_rows(answered: Answered, clusters: Mapping[str, str]) -> list[VoteRow]:
    """Rows of `judge_votes`, in the order of the asks."""
    rows: list[VoteRow] = []
    for ask, outcome, file, line in answered:
        status, verdict, detail = _vote(ask, outcome)
        rows.append(
            {
                "judge": ask.judge.name,
                "cluster_id": clusters[str(ask.subject["item_id"])],
                **ask.subject,
                "status": status,
                "verdict": verdict,
                "detail": detail,
                "file": file,
                "line": line,
            }
        )
    return rows


def _vote(ask: Ask, outcome: Outcome) -> tuple[str, str | None, str | None]:
    """(status, verdict, detail) of one reply."""
    if isinstance(outcome, CallFailed):
        return "judge_error", None, outcome.reason
    if detail := _without_judgement(outcome):
        return UNKNOWN, None, detail
    labels = ask.judge.prompt.verdicts
    said = parse_verdict(outcome.text, _form(labels), ask.replies)
    if said.label is None:
        return UNKNOWN, None, _why(outcome, said.detail)
    verdict = SEATED[ask.subject["slot_order"]][labels.index(said.label)]
    return "ok", verdict, ", ".join(said.flags) or None


@lru_cache(maxsize=64)
def _form(labels: tuple[str, ...]) -> VerdictForm:
    return json_form(VERDICT_KEY, *labels)


@at_rest()
def score_rows(answered: Answered, clusters: Mapping[str, str]) -> list[dict[str, object]]:
    """Rows of `judge_scores`: each criterion, then `all`, their weighted mean, for each reply."""
    rows = []
    for ask, outcome, file, line in answered:
        item = str(ask.subject["item_id"])
        named = {
            "judge": ask.judge.name,
            "item_id": item,
            "cluster_id": clusters[item],
            "repeat": ask.subject["repeat"],
        }
        rubric, place = rubric_of(ask.judge.prompt), {"file": file, "line": line}
        said = criterion_rows(
            rubric, _scores(rubric, ask, outcome), failed=isinstance(outcome, CallFailed)
        )
        rows += [{**named, **one, **place} for one in said]
    return rows


def _scores(rubric: Rubric, ask: Ask, outcome: Outcome) -> SaidScores:
    if isinstance(outcome, CallFailed):
        return SaidScores(None, outcome.reason)
    if detail := _without_judgement(outcome):
        return SaidScores(None, detail)
    if ask.judge.prompt.yes_no:
        said = yes_no_scores(outcome.text, ask.replies)
    else:
        said = parse_scores(
            outcome.text, SCORES_KEY, rubric.criteria, rubric.low, rubric.high, ask.replies
        )
    return said if said.scores else replace(said, detail=_why(outcome, said.detail))


def _without_judgement(reply: EndpointReply) -> str | None:
    """Why the reply cannot hold a judgement, if the endpoint says so itself."""
    return "refusal" if reply.refusal or reply.finish_reason == FILTERED else None


def _why(reply: EndpointReply, detail: str | None) -> str | None:
    """A reply that was cut before its verdict: more tokens would help, not another reader."""
    unsaid = detail in ("no_marker", "unclosed_reasoning")
    return "cut" if reply.finish_reason == CUT and unsaid else detail
