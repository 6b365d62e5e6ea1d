"""The operating curve of a contract: its items, draws and rule, and a pilot where there is one."""

from typing import TYPE_CHECKING, Any

import numpy as np

from eval_pipeline.cli.project import Chosen
from eval_pipeline.contracts.model import Budget, Decision

if TYPE_CHECKING:
    from eval_pipeline.decision.operating_curve import (
        Experiment,
        Kind,
        OperatingCurve,
        Population,
    )
    from eval_pipeline.orchestration.evaluation import Evaluation

ASSUMED_SHARE = 0.5
ASSUMED_SD = 0.7  # logits between clusters, and between the items of one


def curve_of(
    found: "Evaluation", one: Chosen, simulations: int
) -> "tuple[OperatingCurve, Experiment, Population, str]":
    """The curve, what it is of, and where the population comes from, in a sentence.

    Raises ValueError for a contract without a rule, or whose metric has no model of draws.
    """
    from eval_pipeline.decision.operating_curve import operating_curve

    experiment = _experiment(found, one)
    population, origin = _population(found, one, experiment)
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
    from eval_pipeline.statistics.clustered import cluster_codes
    from eval_pipeline.statistics.randomness import generator

    contract = one.contract
    if not isinstance(contract.decision, Decision):
        raise ValueError(f"{one.title} states no decision rule, so nothing ships by it")
    kind, k = _kind(one)
    items = Items.from_table(read_items(found.root, contract).table)
    draws = contract.budget.draws_per_item if isinstance(contract.budget, Budget) else 1
    kept = np.arange(len(items))
    if kind == "win rate" and contract.judging is not None:
        draws = 2 * contract.judging.repeats * len(contract.judging.judges)
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


def _population(
    found: "Evaluation", one: Chosen, experiment: "Experiment"
) -> "tuple[Population, str]":
    """From the draws of the reference where they are there; assumed else."""
    from eval_pipeline.decision.operating_curve import Population, spread_in_logits, true_score
    from eval_pipeline.statistics.random_effects import random_effects

    between = ASSUMED_SD if len(set(experiment.clusters)) < experiment.clusters.size else 0.0
    assumed = Population(ASSUMED_SHARE, between, ASSUMED_SD)
    pilot = None if experiment.kind == "win rate" else _pilot(found, one)
    if pilot is None:
        told = f"assumed: a mean score of {ASSUMED_SHARE:g}, items {assumed.sd:.2f} logits apart"
        return assumed, told
    name, scores = pilot
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
        return assumed, told
    of_clusters = parts.get("cluster", 0.0) / (sum(parts.values()) or 1.0)
    score = true_score(share, sd, experiment.kind, experiment.k)
    told = f"from the draws of {name}: a mean score of {score:.3f}, items {sd:.2f} logits apart"
    return Population(score, sd * of_clusters**0.5, sd * (1 - of_clusters) ** 0.5), told


def _pilot(found: "Evaluation", one: Chosen) -> tuple[str, dict[str, list[Any]]] | None:
    """The earliest scored checkpoint that others are held against, and its scored draws."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        rows = found.warehouse.read("paired_comparisons", *one.home).glance().to_pylist()
        names = sorted({row["baseline"] for row in rows if row["role"] == "reference"})
        if not names:
            return None
        stored = found.warehouse.read("verifier_scores", *one.home, checkpoint=names[0])
    except NotMaterialised:
        return None
    columns = stored.table(["item_id", "cluster_id", "score"]).to_pydict()
    kept = [i for i, score in enumerate(columns["score"]) if score is not None]
    if not kept:
        return None
    return names[0], {name: [values[i] for i in kept] for name, values in columns.items()}
