"""What each bar of a contract still needs before it is decided, and what people's part costs."""

import math
from collections.abc import Sequence
from typing import TypedDict

from scipy.special import ndtri

from eval_pipeline.judging.licences.cost import judging_cost
from eval_pipeline.rows.judgments import JudgeAuditsRow

# What an audit is made of, and the widest spread that one pair can have (None: it has no bound).
MADE_OF: dict[str, tuple[str, float | None]] = {
    "flip_excess": ("pairs repeated in both orders", 1.0),
    "position_effect": ("pairs judged in both orders, or in one drawn at random", 0.5),
    "verbosity_per_100_tokens": ("judged pairs with labels", None),
    "self_preference": ("judged pairs with labels", 1.0),
    "human_ratio": ("pairs, or replies, with the word of two people or more", None),
    "verbosity_padded_per_100_tokens": ("padded probes", None),
    "padding_lift": ("padded probes", 0.5),
    "formatting_lift": ("formatted probes", 0.5),
    "flattery_lift": ("flattering probes", 0.5),
    "injection_success": ("injected probes", 0.5),
    "errors_found": ("error probes", 0.5),
    "harmless_ignored": ("harmless probes", 0.5),
    "missing_rate": ("votes", None),
    "score_offset": ("scored replies with scores of people", None),
    "score_verbosity_per_100_tokens": ("scored replies with scores of people", None),
    "score_self_preference": ("scored replies with scores of people", None),
    "score_repeat_spread": ("replies scored twice", None),
    "score_agreement": ("replies scored by two judges", None),
    "score_at_ceiling": ("scored replies", 0.5),
    "score_at_floor": ("scored replies", 0.5),
}
LABELLED = (
    "verbosity_per_100_tokens",
    "self_preference",
    "human_ratio",
    "score_offset",
    "score_verbosity_per_100_tokens",
    "score_self_preference",
)
POWER = 0.8


class LicenceNeed(TypedDict):
    """What one bar of one judge still needs.

    units: sampling units there are. needed: units that would decide, were the estimate to stay;
    without an estimate, units that show a bias of 0 to lie inside the bar at the widest spread.
    labels, usd: people's labels on the units that are lacking, and what they cost.
    """

    judge: str
    audit: str
    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    bar: float | None
    outcome: str
    made_of: str
    units: int
    needed: int | None
    labels: int | None
    usd: float | None
    note: str | None


def licence_needs(
    audits: Sequence[JudgeAuditsRow], raters: int, usd_per_label: float | None
) -> list[LicenceNeed]:
    """A row for each bar of each judge, sorted by judge and audit.

    audits: rows of `judge_audits`; slices other than `all` are passed over.
    Raises ValueError for fewer than two raters, of whom no agreement could be told.
    """
    if raters < 2:
        raise ValueError(f"agreement among people needs two raters or more, got {raters}")
    barred = [row for row in audits if row["slice"] == "all" and row["bar"] is not None]
    barred.sort(key=lambda row: (row["judge"], row["audit"]))
    return [_need(row, raters, usd_per_label) for row in barred]


def units_without_data(bar: float, spread: float, confidence: float, power: float = POWER) -> int:
    """Units that show a bias of 0 to lie inside +/- bar: (z_a + z_b)^2 (spread / bar)^2.

    Both ends of the interval must lie inside, so z_b is that of (1 + power) / 2.
    Source: Chow, Shao and Wang 2008, Sample Size Calculations in Clinical Research, section 3.
    Raises ValueError for a bar that is not above 0.
    """
    if not bar > 0:
        raise ValueError(f"no number of units fits an interval inside a bar of {bar:g}")
    z = float(ndtri(0.5 + confidence / 2) + ndtri((1 + power) / 2))
    return math.ceil((z * spread / bar) ** 2)


def _need(row: JudgeAuditsRow, raters: int, usd_per_label: float | None) -> LicenceNeed:
    made_of, spread = MADE_OF.get(row["audit"], ("judged pairs", None))
    decided = row["outcome"] in ("within", "outside")
    needed = None if decided else row["n_needed"]
    note = row["reason"]
    # Where one order is asked for, no number of votes shows a flip.
    hopeless = row["audit"] == "flip_excess" and row["outcome"] == "not_audited"
    if not decided and needed is None and not hopeless:
        bar = row["bar"] or 0.0
        if spread is not None and bar > 0 and row["status"] == "undefined":
            needed = units_without_data(bar, spread, row["confidence"])
            note = f"{note}; at most {needed} at the widest spread"
        else:
            note = note or "nothing tells the spread yet"
    lacking = max(needed - row["n_units"], 0) if needed is not None else 0
    labels = lacking * raters if row["audit"] in LABELLED else 0
    usd = None
    if usd_per_label is not None:
        usd = judging_cost(lacking, raters, usd_per_label) if labels else 0.0
    return {
        "judge": row["judge"],
        "audit": row["audit"],
        "estimate": row["estimate"],
        "ci_low": row["ci_low"],
        "ci_high": row["ci_high"],
        "bar": row["bar"],
        "outcome": row["outcome"],
        "made_of": made_of,
        "units": row["n_units"],
        "needed": needed,
        "labels": labels or None,
        "usd": usd,
        "note": note,
    }
