"""Rows of `contamination_evidence` of one checkpoint, from what its generations carry.

Beside `token_logprobs` (of the reply), a row of generations may carry, as further keys:
`question_logprobs`, the log-probability of each token of the item's question as the model reads
it, and `order_logprobs`, {"canonical": x, "permuted": [...]}: the log-probability of the shard of
the benchmark that begins with this item, in its published order and in random ones. An item is a
paraphrase of another where its key `paraphrase_of` names it.
"""

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np

from eval_pipeline.contamination.evidence.log_probabilities import (
    Exchangeability,
    difference,
    gap,
    min_k,
    one_sided_p,
    order_p,
    sharded_order_p,
)
from eval_pipeline.metrics.estimates.row import status_of
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow
from eval_pipeline.statistics.clustered import Estimate

PARAPHRASE_OF = "paraphrase_of"
QUESTION = "question_logprobs"
ORDER = "order_logprobs"
ROUNDING = 1e-6  # engines give a certain token a hair above 0

Row = Mapping[str, object]
ByItem = dict[str, float]


def evidence_rows(
    items: Sequence[ItemsRow],
    samples: Sequence[GenerationsRow],
    verdicts: Mapping[str, str],
    scores: Mapping[str, float],
    metric: str | None,
    confidence: float,
) -> list[Row]:
    """One row a test, sorted; a test without data is undefined and says what it needs.

    items: rows with item_id, cluster_id, extra. samples: rows of `generations` with item_id, draw,
    token_logprobs, extra. verdicts: the status of each item. scores: `metric` of each item.
    Raises ValueError that names the item whose log-probabilities are none.
    """
    clusters = {row["item_id"]: row["cluster_id"] for row in items}
    pairs = _paraphrases(items, clusters)
    rows = [_order_row(_shards(samples), confidence)]
    for subject, least_likely, mean in _subjects(samples):
        what = f"log-probabilities of the {subject}"
        flagged = {i: verdicts.get(i) == "contaminated" for i in least_likely}
        known = [i for i in sorted(least_likely) if verdicts.get(i) in ("contaminated", "clean")]
        estimate = difference(
            [least_likely[i] for i in known],
            [flagged[i] for i in known],
            [clusters[i] for i in known],
            confidence,
        )
        reason = None if least_likely else f"no generation carries {what}"
        rows.append(_row("min_k", subject, "nats a token", estimate, len(known), reason))
        rows.append(_gap_row(subject, "nats a token", mean, pairs, clusters, confidence, what))
    what = f"scores by {metric}" if metric else "scores: the contract has no verifier"
    rows.append(_gap_row("score", metric or "score", scores, pairs, clusters, confidence, what))
    return sorted(rows, key=lambda row: (str(row["test"]), str(row["subject"])))


def _subjects(samples: Sequence[GenerationsRow]) -> list[tuple[str, ByItem, ByItem]]:
    """(subject, Min-K% of each item, mean log-probability of each item), means over draws."""
    lists: dict[str, dict[str, list[list[float]]]] = {"question": {}, "reply": {}}
    for row in sorted(samples, key=lambda r: (r["item_id"], r["draw"])):
        given = {"question": _extra(row).get(QUESTION), "reply": row["token_logprobs"]}
        for subject, values in given.items():
            if values:
                lists[subject].setdefault(row["item_id"], []).append(_logprobs(values, row))
    subjects = []
    for subject, of_items in lists.items():
        lowest = {i: float(np.mean([min_k(x) for x in draws])) for i, draws in of_items.items()}
        mean = {i: float(np.mean([np.mean(x) for x in draws])) for i, draws in of_items.items()}
        subjects.append((subject, lowest, mean))
    return subjects


def _logprobs(values: object, row: GenerationsRow) -> list[float]:
    """Token log-probabilities; the first token of a text may have none."""
    place = f"item {row['item_id']}, draw {row['draw']}"
    if not isinstance(values, list):
        raise ValueError(f"{place}: {QUESTION} must be a list of numbers, not {values!r}")
    kept = values[1:] if values[0] is None else values
    for value in kept:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value > ROUNDING:
            raise ValueError(
                f"{place}: {value!r} is no log-probability of a token: give finite numbers, 0 at "
                "most, in nats"
            )
    return [min(float(value), 0.0) for value in kept]


def _shards(samples: Sequence[GenerationsRow]) -> list[tuple[float, list[float]]]:
    """(published order, other orders) of each shard, by the item that it begins with."""
    orders: dict[str, tuple[float, list[float]]] = {}
    for row in sorted(samples, key=lambda r: (r["item_id"], r["draw"])):
        given = _extra(row).get(ORDER)
        if given is None or row["item_id"] in orders:
            continue
        if not isinstance(given, dict) or {"canonical", "permuted"} - given.keys():
            raise ValueError(
                f"item {row['item_id']}: {ORDER} must be "
                '{"canonical": number, "permuted": [numbers]}'
            )
        try:
            order_p(given["canonical"], given["permuted"])
        except ValueError as error:
            raise ValueError(f"item {row['item_id']}, {ORDER}: {error}") from None
        orders[row["item_id"]] = (given["canonical"], given["permuted"])
    return list(orders.values())


def _order_row(shards: Sequence[tuple[float, list[float]]], confidence: float) -> Row:
    tests = [order_p(canonical, permuted) for canonical, permuted in shards]
    differences = [canonical - float(np.mean(permuted)) for canonical, permuted in shards]
    if len(shards) == 1:
        test = tests[0]
    elif shards:
        test = sharded_order_p(differences)
    else:
        nan = math.nan
        test = Exchangeability(nan, nan, nan, 0, f"no generation carries {ORDER}")
    return {
        "test": "exchangeability",
        "subject": "order of the items",
        "grade": "statistical",
        "value": float(np.mean(differences)) if shards else math.nan,
        "unit": "nats a shard",
        "confidence": confidence,
        "p_value": test.p,
        "n": len(shards),
        "status": "ok" if test.reason is None else "undefined",
        "reason": test.reason,
    }


def _paraphrases(items: Sequence[ItemsRow], clusters: Mapping[str, str]) -> list[tuple[str, str]]:
    """(original, paraphrase) where both are items; raises ValueError where the original is not."""
    pairs = []
    for row in items:
        original = _extra(row).get(PARAPHRASE_OF)
        if original is None:
            continue
        if original not in clusters:
            raise ValueError(
                f"item {row['item_id']}: {PARAPHRASE_OF} names {original!r}, which is no item"
            )
        pairs.append((str(original), row["item_id"]))
    return sorted(pairs)


def _gap_row(
    subject: str,
    unit: str,
    values: Mapping[str, float],
    pairs: Sequence[tuple[str, str]],
    clusters: Mapping[str, str],
    confidence: float,
    what: str,
) -> Row:
    known = [(a, b) for a, b in pairs if a in values and b in values]
    estimate = gap(
        [values[a] - values[b] for a, b in known], [clusters[a] for a, _ in known], confidence
    )
    reason = None if pairs else f"no item is marked as a paraphrase by {PARAPHRASE_OF}"
    if pairs and not known:
        reason = f"no original with its paraphrase has {what}"
    return _row("paraphrase_gap", subject, unit, estimate, len(known), reason)


def _row(test: str, subject: str, unit: str, estimate: Estimate, n: int, reason: str | None) -> Row:
    return {
        "test": test,
        "subject": subject,
        "grade": "evidence",
        "value": estimate.value,
        "unit": unit,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "ci_method": estimate.method,
        "confidence": estimate.confidence,
        "p_value": one_sided_p(estimate),
        "n": n,
        "status": status_of(estimate.value),
        "reason": reason or estimate.reason,
    }


def _extra(row: ItemsRow | GenerationsRow) -> Mapping[str, object]:
    extra = json.loads(row["extra"] or "{}")
    return extra if isinstance(extra, dict) else {}
