"""Which candidates nothing beats on every side, once guardrails have spoken."""

import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.metrics.inputs import mapping, reals

Better = Literal["higher", "lower"]

_BAR = re.compile(r"(>=|<=|>|<)\s*(\S+)")
_HOLDS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True)
class Frontier:
    """Names of the candidates, sorted, each in one of three lists."""

    disqualified: tuple[str, ...]
    frontier: tuple[str, ...]
    dominated: tuple[str, ...]


def pareto_frontier(
    candidates: Mapping[str, Mapping[str, float]],
    objectives: Mapping[str, Better],
    guardrails: Mapping[str, str],
) -> Frontier:
    """Disqualifies by guardrails, then keeps those that no other qualified one dominates.

    One dominates another if it is at least as good on every objective and better on one, so
    equals stay together. guardrails: measure -> a bar such as ">=0.95".
    Raises ValueError for a missing or undefined measure, an unreadable bar, or no objective.
    """
    if not mapping(objectives, "objectives"):
        raise ValueError("a frontier needs at least one objective")
    for name, measures in mapping(candidates, "candidates").items():
        for measure in (*objectives, *mapping(guardrails, "guardrails")):
            value = mapping(measures, f"candidate {name!r}").get(measure)
            if value is None or math.isnan(reals(value, f"{measure} of {name!r}", undefined=True)):
                raise ValueError(f"candidate {name!r} has no {measure}: it cannot be placed")
    bars = {measure: _bar(measure, text) for measure, text in guardrails.items()}
    out = sorted(
        name
        for name, measures in candidates.items()
        if not all(_HOLDS[sign](measures[m], limit) for m, (sign, limit) in bars.items())
    )
    gains = {
        name: tuple(
            measures[m] if better == "higher" else -measures[m] for m, better in objectives.items()
        )
        for name, measures in candidates.items()
        if name not in out
    }
    beaten = sorted(
        name
        for name, gain in gains.items()
        if any(_dominates(other, gain) for other in gains.values())
    )
    return Frontier(tuple(out), tuple(sorted(set(gains) - set(beaten))), tuple(beaten))


def _dominates(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def _bar(measure: str, text: str) -> tuple[str, float]:
    found = _BAR.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise ValueError(f"guardrail {measure}: {text!r} is no bar; write it as >=0.95")
    return found[1], float(found[2])
