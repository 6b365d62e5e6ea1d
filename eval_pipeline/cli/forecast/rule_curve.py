"""The operating curve of a contract: its items, draws and rule, and a pilot where there is one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.cli.reading.project import Chosen
from eval_pipeline.contracts.model import Budget, Decision
from eval_pipeline.layout import PANEL

if TYPE_CHECKING:
    from eval_pipeline.decision.item_chances import Kind
    from eval_pipeline.decision.operating_curve import (
        Experiment,
        Guardrail,
        OperatingCurve,
        Population,
    )
    from eval_pipeline.orchestration.evaluation import Evaluation

ASSUMED_SHARE = 0.5
EVEN = 0.5  # the win rate of equals
ASSUMED_SD = 0.7  # logits between clusters, and between the items of one


def curve_of(
    found: "Evaluation", one: Chosen, simulations: int
) -> "tuple[OperatingCurve, Experiment, Population, str]":
    """The curve, what it is of, and where the population comes from, in a sentence.

    Raises ValueError for a contract without a rule, or whose metric has no model of draws.
    """
    from eval_pipeline.decision.operating_curve import operating_curve

    experiment = replace(_experiment(found, one), guardrails=_guardrails(found, one))
    told = _judged if experiment.kind == "win rate" else _verified
    experiment, population, origin = told(found, one, experiment)
    seed = one.contract.statistics.seed
    return (
        operating_curve(experiment, population, seed, simulations),
        experiment,
        population,
        origin,
    )


def _experiment(found: "Evaluation", one: Chosen) -> "Experiment":
    from eval_pipeline.contracts.items import read_items
    from eval_pipeline.decision.operating_curve import Experiment
    from eval_pipeline.metrics.samples import Items
    from eval_pipeline.statistics.clusters import cluster_codes
    from eval_pipeline.statistics.randomness import generator

    contract = one.contract
    if not isinstance(contract.decision, Decision):
        raise ValueError(f"{one.title} states no decision rule, so nothing ships by it")
    kind, k = _kind(one)
    items = Items.from_table(read_items(found.root, contract).table)
    draws = contract.budget.draws_per_item if isinstance(contract.budget, Budget) else 1
    kept = np.arange(len(items))
    if kind == "win rate" and contract.judging is not None:
        draws = 2 * contract.judging.repeats * len(contract.judging.pairwise)
        if (sample := contract.judging.sample) is not None and sample.per_pair < len(items):
            rng = generator(contract.statistics.seed, "operating curve", "judged items")
            kept = np.sort(rng.choice(len(items), sample.per_pair, replace=False))
    over = contract.aggregation
    macro = over.macro_over if over.over_items == "macro" else None
    return Experiment(
        cluster_codes(items.clusters[kept])[0],
        None if macro is None else items.groups(macro)[kept],
        draws,
        kind,
        k,
        contract.decision.rule,
        contract.decision.margin,
        contract.decision.confidence,
        sequential=bool(contract.statistics.sequential),
    )


def _kind(one: Chosen) -> "tuple[Kind, int]":
    """How a score comes of draws, and its k."""
    endpoint = one.contract.question.primary_endpoint
    kinds: dict[str, Kind] = {
        "pass_at_k": "any of k",
        "pass_hat_k": "all of k",
        "accuracy": "any of k",
        "mean_score": "any of k",
        "win_rate": "win rate",
        "length_controlled_win_rate": "win rate",
    }
    if endpoint.metric not in kinds:
        raise ValueError(
            f"{one.title}: {endpoint.label} has no operating curve: there is one for "
            f"{', '.join(kinds)}"
        )
    return kinds[endpoint.metric], endpoint.k or 1


def _verified(
    found: "Evaluation", one: Chosen, experiment: "Experiment"
) -> "tuple[Experiment, Population, str]":
    """The population from the draws of the reference where they are there; assumed else."""
    from eval_pipeline.decision.item_chances import spread_in_logits, true_score
    from eval_pipeline.decision.operating_curve import Population
    from eval_pipeline.statistics.random_effects import random_effects

    assumed = Population(ASSUMED_SHARE, _assumed_between(experiment), ASSUMED_SD)
    pilot = _pilot(found, one)
    if pilot is None:
        told = f"assumed: a mean score of {ASSUMED_SHARE:g}, items {assumed.sd:.2f} logits apart"
        return experiment, assumed, told
    name, scores, missing = pilot
    experiment = replace(experiment, missing=missing)
    y = np.asarray(scores["score"], dtype=np.float64)
    sources = {"cluster": scores["cluster_id"], "item": scores["item_id"]}
    if len(set(scores["cluster_id"])) == len(set(scores["item_id"])):
        del sources["cluster"]
    share = float(y.mean())
    try:
        parts = {k: max(v, 0.0) for k, v in random_effects(y, sources).components.items()}
        sd = spread_in_logits(share, sum(parts.values()))
    except ValueError as error:
        told = f"assumed, as {name} does not tell it ({error}): items {assumed.sd:.2f} logits apart"
        return experiment, assumed, told
    score = true_score(share, sd, experiment.kind, experiment.k)
    told = f"from the draws of {name}: a mean score of {score:.3f}, items {sd:.2f} logits apart"
    return experiment, _split(score, sd, parts), told


def _judged(
    found: "Evaluation", one: Chosen, experiment: "Experiment"
) -> "tuple[Experiment, Population, str]":
    """The population from the panel's scores of recorded pairs.

    Where nothing tells how far votes on one item go together, they count as one draw: that is
    their largest spread, and more votes would promise what nobody has seen.
    """
    from eval_pipeline.decision.item_chances import chance_variance, spread_in_logits
    from eval_pipeline.decision.operating_curve import Population

    cautious = replace(experiment, draws=1)
    assumed = Population(ASSUMED_SHARE, _assumed_between(experiment), ASSUMED_SD)
    dependent = "all votes on an item taken as one draw"
    pilot = _judged_pilot(found, one)
    if pilot is None:
        return cautious, assumed, f"assumed: items even on the whole; {dependent}"
    pair, scores, clusters, missing = pilot
    cautious = replace(cautious, missing=missing)
    experiment = replace(experiment, missing=missing)
    share = float(scores.mean())
    try:
        parts = _components(scores, clusters)
        variance = chance_variance(share, sum(parts.values()), experiment.draws)
        sd = spread_in_logits(share, variance)
    except ValueError as error:
        return cautious, assumed, f"assumed, as {pair} does not tell it ({error}); {dependent}"
    spread = sum(parts.values()) ** 0.5
    told = f"from the panel's scores of {scores.size} items, {pair}: their sd is {spread:.3f}"
    parts["item"] = max(variance - parts["cluster"], 0.0)
    return experiment, _split(share, sd, parts), told


def _components(scores: NDArray[np.float64], clusters: list[str]) -> dict[str, float]:
    """Variance of item scores between clusters, and within."""
    from eval_pipeline.statistics.random_effects import random_effects

    if scores.size < 2:
        raise ValueError("a spread needs two items or more")
    if len(set(clusters)) == len(clusters):
        return {"cluster": 0.0, "item": float(scores.var(ddof=1))}
    found = random_effects(scores, {"cluster": clusters})
    return {"cluster": max(found.components["cluster"], 0.0), "item": max(found.residual, 0.0)}


def _split(share: float, sd: float, parts: Mapping[str, float]) -> "Population":
    """The spread in logits, shared out between clusters and items as the variance is."""
    from eval_pipeline.decision.operating_curve import Population

    of_clusters = parts.get("cluster", 0.0) / (sum(parts.values()) or 1.0)
    return Population(share, sd * of_clusters**0.5, sd * (1 - of_clusters) ** 0.5)


def _assumed_between(experiment: "Experiment") -> float:
    """Logits between clusters; 0 where each item is one of its own."""
    return ASSUMED_SD if len(set(experiment.clusters)) < experiment.clusters.size else 0.0


def _judged_pilot(
    found: "Evaluation", one: Chosen
) -> tuple[str, NDArray[np.float64], list[str], float] | None:
    """The pair with its reference of which the panel scored most items, the first of such.

    Its name, the scores of the items that have one, and their clusters, by item; then the share
    of its planned items without a score.
    """
    import pyarrow.compute as pc

    from eval_pipeline.metrics.comparisons.judged import judged_differences
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        rows = found.warehouse.read("paired_comparisons", *one.home).glance().to_pylist()
        items = Items.from_table(found.warehouse.read("items", *one.home).table(ITEM_COLUMNS))
        outcomes = found.warehouse.read("pair_outcomes", *one.home).table(
            ["judge", "item_id", "model_a", "model_b", "score_a"]
        )
    except NotMaterialised:
        return None
    panel = outcomes.filter(pc.equal(outcomes["judge"], PANEL)).to_pydict()
    pairs = sorted(
        (-row["n_shared"], row["checkpoint"], row["baseline"])
        for row in rows
        if (row["role"], row["slice"]) == ("reference", "all") and row["n_shared"]
    )
    for _, candidate, reference in pairs[:1]:
        differences = judged_differences(items, panel, candidate, reference)
        if differences is not None:
            kept = np.flatnonzero(~np.isnan(differences.value))
            name = f"{candidate} against {reference}"
            planned = sum(
                pair == sorted((candidate, reference))
                for pair in map(list, zip(panel["model_a"], panel["model_b"], strict=True))
            )
            scores = differences.value[kept] + EVEN
            return name, scores, items.clusters[kept].tolist(), 1 - kept.size / planned
    return None


def _guardrails(found: "Evaluation", one: Chosen) -> "tuple[Guardrail, ...]":
    """The contract's guardrails with the estimates of the reference; none where there are none."""
    from eval_pipeline.decision.evidence import findings
    from eval_pipeline.decision.operating_curve import Guardrail
    from eval_pipeline.orchestration import terms
    from eval_pipeline.warehouse.errors import NotMaterialised

    reference = _reference(found, one)
    if reference is None:
        return ()
    try:
        stored = found.warehouse.read("metric_estimates", *one.home, checkpoint=reference)
    except NotMaterialised:
        return ()
    own = findings(stored.table().to_pylist(), reference)
    bars = terms.decision_terms(one.contract).bars
    return tuple(Guardrail(bar, own[bar.metric]) for bar in bars if bar.metric in own)


def _reference(found: "Evaluation", one: Chosen) -> str | None:
    """The earliest checkpoint that others are held against."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        rows = found.warehouse.read("paired_comparisons", *one.home).glance().to_pylist()
    except NotMaterialised:
        return None
    return min((row["baseline"] for row in rows if row["role"] == "reference"), default=None)


def _pilot(found: "Evaluation", one: Chosen) -> tuple[str, dict[str, list[Any]], float] | None:
    """The reference, its scored draws, and the share of its draws that the policy excludes."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    name = _reference(found, one)
    if name is None:
        return None
    try:
        stored = found.warehouse.read("verifier_scores", *one.home, checkpoint=name)
    except NotMaterialised:
        return None
    columns = stored.table(["item_id", "cluster_id", "score"]).to_pydict()
    kept = [i for i, score in enumerate(columns["score"]) if score is not None]
    if not kept:
        return None
    scored = {key: [values[i] for i in kept] for key, values in columns.items()}
    return name, scored, 1 - len(kept) / len(columns["score"])
