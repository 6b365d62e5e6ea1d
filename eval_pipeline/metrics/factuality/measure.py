"""Factuality of replies. A failed sample makes no claim and is left out; an answer's claims move
together.
"""

from collections.abc import Callable
from typing import Any

from eval_pipeline.metrics.factuality.formula_claims import (
    CheckedClaim,
    FactualityMetric,
    factuality_sums,
)
from eval_pipeline.metrics.factuality.formula_faithfulness import faithfulness_sums
from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View

NEEDED = {"verdict", "cited"}
KEYS = NEEDED | {"link_supports"}


def _claims(view: View) -> list[list[CheckedClaim]]:
    claims = []
    for i, row in enumerate(view["generations.claims"]):
        if not isinstance(row, list):
            raise ValueError(f"{view.name(i)}: generations.claims must be a list of claims")
        for j, said in enumerate(row):
            if not _is_claim(said):
                place = f"{view.name(i)}, claim {j}"
                raise ValueError(f"{place}: a claim has verdict, cited and perhaps link_supports")
        claims.append(
            [CheckedClaim(one["verdict"], one["cited"], one.get("link_supports")) for one in row]
        )
    return claims


def _is_claim(said: Any) -> bool:
    return isinstance(said, dict) and NEEDED <= said.keys() <= KEYS


def _share(metric: FactualityMetric) -> Callable[[View, Options], Sums]:
    return lambda view, options: factuality_sums(_claims(view), metric)


def _faithfulness(view: View, options: Options) -> Sums:
    return faithfulness_sums(view["generations.n_supported"], view["generations.n_claims"])[0]


def _of_claims(sums: Callable[[View, Options], Sums], none: str) -> OfSums:
    return OfSums(sums, none, pooled=True, share=True, on_failure="left_out")


MEASURES: dict[str, Measure] = {
    "support_precision": _of_claims(_share("support_precision"), "no claim could be decided"),
    "decidable_rate": _of_claims(_share("decidable_rate"), "no answer makes a claim"),
    "citation_completeness": _of_claims(_share("citation_completeness"), "no answer makes a claim"),
    "citation_precision": _of_claims(_share("citation_precision"), "no source was looked at"),
    "faithfulness": _of_claims(_faithfulness, "no answer makes a claim"),
}
