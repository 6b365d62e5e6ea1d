"""Whether a judge may be believed: licensed, refused, or not enough labels.

Licensed: every audit that the contract bars lies within its bar. Refused: one lies outside.
Otherwise nothing is proven either way, and the licence says how many units would decide. An audit
that the contract asks for and that could not be run leaves the judge unlicensed but not refused:
nothing speaks against it. What a licence is worth on a day, `standing` says.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from eval_pipeline.metrics.agreement.formula import ceiling_ratio
from eval_pipeline.metrics.inputs import number
from eval_pipeline.rows.calibration import JudgeDriftRow
from eval_pipeline.rows.judgments import JudgeAuditsRow

LicenceOutcome = Literal["licensed", "refused", "not_enough_labels"]
ALL = "all"
EXPECTED = (  # of a judge of pairs
    "flip_excess",
    "position_effect",
    "verbosity_per_100_tokens",
    "self_preference",
    "human_ratio",
)
LABEL_ACCURACY = "label_accuracy"  # where labels are the truth
EXPECTED_OF_SCORES = (
    "score_offset",
    "score_verbosity_per_100_tokens",
    "score_self_preference",
    "score_repeat_spread",
    "score_agreement",
    "human_ratio",
)


@dataclass(frozen=True)
class Notes:
    """What the point values alone would say; neither decides a licence."""

    ratio: float
    point_ratio_ok: bool
    at_least_human_human: bool


def licence_rows(
    audits: Sequence[JudgeAuditsRow],
    reaudit_by: date | None = None,
    drift: Sequence[JudgeDriftRow] = (),
    withheld: str | None = None,
) -> list[dict[str, object]]:
    """Rows of `judge_licences`, sorted by judge and slice.

    audits: rows of `judge_audits`; a slice that has a bar has a licence of its own, and what is
    barred on all pairs only, such as probes, counts for every slice. drift: rows of `judge_drift`;
    a judge that drifted is refused throughout. withheld: why no judge of pairs may be licensed,
    whatever its audits say.
    """
    by_slice: dict[tuple[str, str], list[JudgeAuditsRow]] = {}
    for row in audits:
        by_slice.setdefault((row["judge"], row["slice"]), []).append(row)
    rows = []
    for judge, name in sorted(by_slice):
        mine = by_slice[judge, name]
        if name != ALL and all(row["bar"] is None for row in mine):
            continue
        there = {row["audit"] for row in mine}
        inherited = [row for row in by_slice.get((judge, ALL), []) if row["audit"] not in there]
        suspended = suspension(judge, drift)
        made = _licence(judge, name, [*mine, *inherited], reaudit_by, suspended)
        of_pairs = "score_offset" not in {one["audit"] for one in [*mine, *inherited]}
        if withheld is not None and of_pairs and made["outcome"] == "licensed":
            made |= {"outcome": "not_enough_labels", "reason": f"{withheld}; {made['reason']}"}
        rows.append(made)
    return rows


def suspension(judge: str, drift: Sequence[JudgeDriftRow]) -> JudgeDriftRow | None:
    """The first row in which a judge's sentinels drifted, None where they stood."""
    drifted = [row for row in drift if row["judge"] == judge and row["outcome"] == "drifted"]
    return min(drifted, key=lambda row: (row["night"], row["measure"]), default=None)


def flip_rate_passes(flip_rate: float, most: float) -> bool:
    """Whether a flip rate lies strictly below the most allowed.

    Raises ValueError where one of the two is no number in [0, 1].
    """
    for name, rate in (("flip_rate", flip_rate), ("most", most)):
        number(rate, name, 0.0, 1.0)
    return flip_rate < most


def point_notes(judge_human_kappa: float, human_human_kappa: float, bar: float = 0.9) -> Notes:
    """The point ratio against the bar, and the stricter question whether people agree no better.

    Both are denied where a kappa is undefined. Raises ValueError as `ceiling_ratio` does.
    """
    ratio = float(ceiling_ratio(judge_human_kappa, human_human_kappa))
    return Notes(ratio, ratio >= bar, judge_human_kappa >= human_human_kappa)


def _licence(
    judge: str,
    name: str,
    audits: list[JudgeAuditsRow],
    reaudit_by: date | None,
    suspended: JudgeDriftRow | None,
) -> dict[str, object]:
    by_name = {row["audit"]: row for row in audits}
    barred = {audit: row for audit, row in by_name.items() if row["bar"] is not None}
    outside = sorted(audit for audit, row in barred.items() if row["outcome"] == "outside")
    unproven = sorted(
        audit for audit, row in barred.items() if row["outcome"] not in ("within", "outside")
    )
    outcome = "refused" if suspended else _outcome(barred, outside, unproven, _expected(by_name))
    reason = _reason(outcome, by_name, barred, [*outside, *unproven], bool(suspended))
    needed = [barred[audit]["n_needed"] for audit in unproven]
    refused = bool(outside) or suspended is not None
    return {
        "judge": judge,
        "slice": name,
        "outcome": outcome,
        "reason": f"{_drift_sentence(suspended)}; {reason}" if suspended else reason,
        "failed_audits": ",".join((*outside, *unproven)),
        "n_labels": by_name.get(LABEL_ACCURACY, by_name["human_ratio"])["n_votes"],
        "n_needed": None if refused else _most(needed),
        "reaudit_by": reaudit_by.isoformat() if reaudit_by else None,
        "suspended_on": suspended["night"] if suspended else None,
    }


def _most(needed: Sequence[int | None]) -> int | None:
    """The most units that an audit needs; None where nothing is open or one has no number."""
    known = [n for n in needed if n is not None]
    return max(known) if known and len(known) == len(needed) else None


def _estimate(row: JudgeAuditsRow) -> float:
    value = row["estimate"]
    return math.nan if value is None else value


def _expected(by_name: Collection[str]) -> Sequence[str]:
    """The audits that a licence should rest on, by what the judge gives and is held against."""
    if "score_offset" in by_name:
        return EXPECTED_OF_SCORES
    return (*EXPECTED, LABEL_ACCURACY) if LABEL_ACCURACY in by_name else EXPECTED


def _drift_sentence(row: JudgeDriftRow) -> str:
    interval = f"{row['ci_low']:.3f} to {row['ci_high']:.3f}"
    return (
        f"suspended: {row['measure']} of its sentinels is {row['estimate']:.3f} ({interval}) on "
        f"{row['night']}, and it is no longer the judge that was audited"
    )


def _outcome(
    barred: Mapping[str, JudgeAuditsRow],
    outside: list[str],
    unproven: list[str],
    expected: Sequence[str],
) -> LicenceOutcome:
    if outside:
        return "refused"
    if unproven or not any(name in barred for name in expected):
        return "not_enough_labels"
    return "licensed"


def _reason(
    outcome: LicenceOutcome,
    by_name: Mapping[str, JudgeAuditsRow],
    barred: Mapping[str, JudgeAuditsRow],
    decisive: list[str],
    suspended: bool,
) -> str:
    """What decided, then what a reader should know besides."""
    if decisive:
        parts = [_sentence(barred[name]) for name in decisive]
    elif outcome == "licensed" or suspended:
        parts = [f"within their bars: {', '.join(sorted(barred))}"]
    else:
        parts = ["the contract sets no bar on any bias or on agreement with people"]
    if unbarred := [name for name in _expected(by_name) if name not in barred]:
        parts.append(f"without a bar: {', '.join(unbarred)}")
    if by_name["human_ratio"]["status"] == "ok":
        kappas = [_estimate(by_name[name]) for name in ("judge_human_kappa", "human_human_kappa")]
        notes = point_notes(*kappas)
        than = "at least as well as" if notes.at_least_human_human else "less than"
        parts.append(f"it agrees with people {than} they do with each other ({notes.ratio:.2f})")
    return "; ".join(parts)


def _sentence(row: JudgeAuditsRow) -> str:
    name, bar = row["audit"], row["bar"]
    if row["status"] == "undefined":
        return f"{name} is {row['outcome'].replace('_', ' ')}: {row['reason']}"
    said = f"{name} {row['estimate']:.3f}"
    if row["ci_method"] is not None:
        said += f" ({row['ci_low']:.3f} to {row['ci_high']:.3f})"
    return f"{said} is {row['outcome']} for a bar of {bar:g}"
