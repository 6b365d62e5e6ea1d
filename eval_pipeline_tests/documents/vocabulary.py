"""The words that columns of a fixed vocabulary hold, with what each means."""

from typing import get_args

from eval_pipeline.decision.reasons import REASONS
from eval_pipeline.judging.standing import State
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.schemas import vocabulary as words

Words = tuple[str, ...]
SAMPLE = {
    "ok": "the reply was judged; a wrong answer is ok with score 0",
    "parser_failure": "no answer was found in the reply",
    "model_refusal": "the model declined to answer",
    "timeout": "the time for the reply, or for running it, ran out",
    "permission_denied": "the run was not allowed to do what it tried",
    "infra_error": "the machinery failed, not the model",
    "invalid_sample": "the sample cannot be used",
    "undecided": "an answer was found, and nobody can tell whether it is right",
}
VOTE = {
    "ok": "the vote can be used",
    "judge_unknown": "the judge's reply holds no verdict that can be used; never a tie",
    "judge_error": "the call failed after all attempts",
}
MEANINGS: dict[str, tuple[Words, dict[str, str]]] = {
    "Samples": (words.SAMPLE_STATUSES, SAMPLE),
    "Votes of judges": (words.VOTE_STATUSES, VOTE),
    "Scores of single replies": (
        words.REPLY_SCORE_STATUSES,
        {
            **VOTE,
            "missing": "the judge was to score the reply, and no score lies there",
            "no_reply": "there is no reply to score",
            "pending": "the judge has not scored this checkpoint yet; no fault of anybody",
        },
    ),
    "Estimates": (
        words.ESTIMATE_STATUSES,
        {
            "ok": "the number exists; without an interval its ends are null, and `reason` says why",
            "undefined": "it does not, and `reason` says why; the value is null",
        },
    ),
    "Our verdict beside a recorded one": (
        words.VERDICT_RELATIONS,
        {
            "agrees": "both say the same",
            "differs": "one says right, the other wrong",
            "only_ours": "only our verifier judged",
            "only_recorded": "only the publisher judged",
            "neither": "neither judged",
            "between": "a score between 0 and 1, and no threshold",
        },
    ),
    "Pairs": (
        words.PAIR_CATEGORIES,
        {
            "consistent_a": "both orders say model_a",
            "consistent_b": "both orders say model_b",
            "tie": "both orders say tie",
            "flipped": "the verdict went with the seat",
            "mixed": "the votes, or the judges of a jury, disagree in another way",
            "single_order": "only one order was judged",
            "missing": "no vote can be used",
            "forfeit_a": "the reply of model_a failed in a way that counts as wrong: model_b wins",
            "forfeit_b": "that of model_b did: model_a wins",
            "both_failed": "both did; counted, and left out",
            "pending": "the votes on this checkpoint are not cast yet; no fault of anybody",
        },
    ),
    "Audits of judges": (
        words.AUDIT_OUTCOMES,
        {
            "within": "the interval lies inside the bar",
            "outside": "it lies outside",
            "undecided": "it crosses the bar: more labels or pairs are needed",
            "not_audited": "there is nothing to audit it with",
            "descriptive": "shown, and held to no bar",
        },
    ),
    "Licences of judges": (
        words.LICENCE_OUTCOMES,
        {
            "licensed": "every bias is shown to be small, and agreement with people high enough",
            "refused": "a bar is broken",
            "not_enough_labels": "nobody can tell yet; the row says how many labels would do",
        },
    ),
    "States of judges (`gate`, `ls`, the report)": (
        get_args(State),
        {
            "licensed": "a number may rest on it",
            "refused": "a bar is broken",
            "not_enough_labels": "nobody can tell yet",
            "suspended": "it drifted since it was licensed",
            "run_out": "the day by which it was to be audited again has passed",
            "votes_pending": "its votes are not cast yet; no fault of anybody",
        },
    ),
    "Drift of judges": (
        words.DRIFT_OUTCOMES,
        {
            "steady": "the judge votes as it did",
            "drifted": "it does not: its licence is suspended",
            "undecided": "nobody can tell yet",
        },
    ),
    "Raters": (
        words.RATER_OUTCOMES,
        {
            "kept": "the rater passed the honeypots",
            "left_out": "did not, and the labels do not count",
            "not_tested": "answered none",
        },
    ),
    "Contamination of items": (
        words.CONTAMINATION_STATUSES,
        {
            "clean": "searched, and no leak was found",
            "contaminated": "the rule found the item in a corpus",
            "review": "left to a person",
            "short_exact": "a short text stands there word by word: a person has to look",
            "source_overlap": "a passage that the item quotes stands there, and no more",
            "low_information": "what is left of the text tells of no item alone",
            "untestable": "the text is too short to be searched",
        },
    ),
    "Near duplicates": (
        words.NEAR_DUPLICATE_STATUSES,
        {"duplicate": "the same in all but little", "alike": "much the same"},
    ),
    "Evidence of leaks": (
        words.EVIDENCE_GRADES,
        {
            "evidence": "a number that speaks for or against, and has no error rate",
            "statistical": "a p-value that holds if items are exchangeable",
        },
    ),
    "Reviews": (
        words.REVIEW_STANDINGS,
        {
            "decided": "people decided, and the evidence is what they saw",
            "void": "the evidence changed since",
            "disputed": "people decided differently",
        },
    ),
    "Fits of strengths": (
        words.MODEL_STATUSES,
        {
            "ok": "a finite fit exists",
            "undefeated": "it never lost, so that no finite strength exists",
            "winless": "it never won, so that no finite strength exists",
            "split": "it won all against some and lost all against others, so that none exists",
            "unjudged": "no pair of it was judged",
        },
    ),
    "Decisions": (
        words.DECISION_OUTCOMES,
        {
            "ship": "the rule holds, and no missing sample could undo it",
            "reject": "the rule fails, or a guardrail is violated",
            "not_enough_data": "the interval, or what is missing, leaves it open",
            "blocked": "quarantined, stale, a draft, or without what the rule needs",
            "reference": "the checkpoint that the others are held against",
        },
    ),
    "What a quarantine takes out of use": (
        words.QUARANTINE_SCOPES,
        {
            "decision": "nothing is decided; the numbers stand",
            "board": "the numbers of the primary endpoint, and all that is decided by them",
            "row": "this row alone",
        },
    ),
    "Quality, cost and latency": (
        words.FRONTIER_STANDINGS,
        {
            "frontier": "no other is better in one and as good in the rest",
            "dominated": "another is",
            "disqualified": "a guardrail is violated",
            "unplaced": "one of the three is not known",
        },
    ),
}


def statuses() -> str:
    """Each list of words: the columns that hold it, and what each word means.

    Raises ValueError where a word has no meaning here.
    """
    lists = [_list(title, *told) for title, told in MEANINGS.items()]
    return "\n\n".join([*lists, _reasons()])


def _list(title: str, allowed: Words, meanings: dict[str, str]) -> str:
    if unsaid := set(allowed) ^ set(meanings):
        raise ValueError(f"{title}: say what these mean, or take them out: {sorted(unsaid)}")
    lines = [f"**{title}**{_where(allowed)}\n"]
    return "\n".join([*lines, *(f"- `{word}`: {meanings[word]}." for word in allowed)])


def _reasons() -> str:
    rows = [f"- `{code}` ({outcome}): {told}." for code, (outcome, told) in REASONS.items()]
    return "\n".join(["**Reasons of decisions** (`decisions.reason_code`)\n", *rows])


def _where(allowed: Words) -> str:
    columns = [
        f"`{table.name}.{column.name}`"
        for table in TABLES.values()
        for column in table.columns
        if column.allowed == allowed
    ]
    return f" ({', '.join(columns)})" if columns else ""
