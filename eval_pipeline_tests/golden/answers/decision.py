"""The golden instruments of decision, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eval_pipeline.decision.frontier import Better, pareto_frontier
from eval_pipeline.metrics.inputs import mapping, number, rows


def frontier(
    cands: Sequence[Mapping[str, Any]], guardrail: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Each measure has the direction of its name; one that a guardrail bounds is no objective."""
    bars = {} if guardrail is None else mapping(guardrail, "guardrail")
    measures: dict[str, dict[str, float]] = {}
    for i, one in enumerate(rows(cands, "cands")):
        name = mapping(one, f"candidate {i}").get("id")
        if not isinstance(name, str) or name in measures:
            raise ValueError(f"candidate {i} needs an id of its own")
        measures[name] = {
            k: number(v, f"{k} of candidate {i}") for k, v in one.items() if k != "id"
        }
    names = dict.fromkeys(name for one in measures.values() for name in one if name not in bars)
    goals = {name: direction(name) for name in names}
    found = pareto_frontier(measures, goals, bars)
    return {
        "disqualified": list(found.disqualified),
        "frontier": list(found.frontier),
        "dominated": list(found.dominated),
    }


HIGHER = (
    "q",
    "quality",
    "accuracy",
    "acc",
    "score",
    "f1",
    "pass",
    "win",
    "recall",
    "precision",
    "safe",
)
LOWER = ("cost", "price", "usd", "lat", "latency", "tokens", "memory", "error", "loss", "risk")


def direction(name: str) -> Better:
    """Of a measure, by the first word of its name."""
    word = name.lower().replace("@", "_").replace("-", "_").split("_")[0]
    if word not in (*HIGHER, *LOWER):
        raise ValueError(f"measure {name!r} has no known direction: {HIGHER} are high, {LOWER} low")
    return "higher" if word in HIGHER else "lower"


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "pareto_frontier": frontier,
}
