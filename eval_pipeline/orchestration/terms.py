"""What a contract freezes, in the words of the rooms that compute with it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Budget, Contract, Decision, Targets

if TYPE_CHECKING:
    from eval_pipeline.decision.decide import DecisionTerms
    from eval_pipeline.decision.headline import BoardEndpoint
    from eval_pipeline.decision.leaderboard import BoardTerms
    from eval_pipeline.judging.standing import Jury
    from eval_pipeline.metrics.comparisons.rows import ComparisonTerms
    from eval_pipeline.metrics.entry import Metric
    from eval_pipeline.metrics.estimates.row import Design


def notes(contract: Contract) -> dict[str, str]:
    """What a reader must know of an interval's confidence when the contract does not state it."""
    if isinstance(contract.decision, Decision):
        return {}
    return {"confidence": f"{contract.confidence}: the contract's decision is unknown"}


def draws_per_item(contract: Contract) -> int | None:
    return contract.budget.draws_per_item if isinstance(contract.budget, Budget) else None


def asked(contract: Contract) -> tuple[str, ...]:
    """Labels of the metrics that the contract asks for, the primary endpoint first."""
    wanted = [contract.question.primary_endpoint.label]
    wanted += [label for request in contract.metrics for label in request.labels]
    return tuple(dict.fromkeys(wanted))


def of_items(contract: Contract) -> tuple[str, ...]:
    """Those that have a value of each item; pass@1 always stands beside pass@k."""
    from eval_pipeline.metrics.registry import from_label

    found = {label: from_label(label)[0] for label in asked(contract)}
    labels = [
        label
        for label, metric in found.items()
        if metric.made_from in ("verifier", "columns") and metric.per_item
    ]
    if any(label.startswith("pass@") for label in labels):
        labels.append("pass@1")
    return tuple(dict.fromkeys(labels))


def with_direction(contract: Contract) -> tuple[str, ...]:
    """Those of them of which more, or less, is better: people can agree with these or not."""
    from eval_pipeline.metrics.registry import from_label

    found = sorted(of_items(contract))
    return tuple(one for one in found if from_label(one)[0].higher_is_better is not None)


def of_sets(contract: Contract) -> tuple[str, ...]:
    """Those that have a value of all samples together only."""
    from eval_pipeline.metrics.registry import from_label

    return tuple(label for label in asked(contract) if not from_label(label)[0].per_item)


def from_columns(contract: Contract) -> tuple[str, ...]:
    """Those that are made from columns of their own."""
    from eval_pipeline.metrics.registry import from_label

    return tuple(label for label in asked(contract) if from_label(label)[0].made_from == "columns")


def of_confidences(contract: Contract) -> tuple[str, ...]:
    """Those that say whether stated confidences can be believed."""
    from eval_pipeline.metrics.calibration.entry import CONFIDENCE
    from eval_pipeline.metrics.registry import from_label

    found = {label: from_label(label)[0] for label in from_columns(contract)}
    return tuple(
        label
        for label, metric in found.items()
        if metric.family == "calibration" and metric.columns == CONFIDENCE
    )


def of_robustness(contract: Contract) -> tuple[str, ...]:
    """Those that hold perturbed items against their originals."""
    from eval_pipeline.metrics.registry import from_label

    return tuple(one for one in asked(contract) if from_label(one)[0].family == "robustness")


def versions(labels: Iterable[str]) -> dict[str, str]:
    """The instrument behind each label, `name@version`: a changed formula makes tables stale."""
    from eval_pipeline.metrics.registry import from_label

    return {label: from_label(label)[0].instrument for label in labels}


def primary(contract: Contract) -> "Metric":
    from eval_pipeline.metrics.registry import from_label

    return from_label(contract.question.primary_endpoint.label)[0]


def juries(contract: Contract) -> "list[Jury]":
    """The judges that a decision rests on, by what they give, those of the primary first."""
    from eval_pipeline.judging.standing import Jury
    from eval_pipeline.metrics.registry import from_label

    if contract.judging is None:
        return []
    labels = [contract.question.primary_endpoint.label]
    if isinstance(contract.decision, Decision):
        labels += [guardrail.metric for guardrail in contract.decision.guardrails]
    sources = list(dict.fromkeys(from_label(label)[0].made_from for label in labels))
    pairs = tuple(judge.name for judge in contract.judging.pairwise)
    scores = tuple(judge.name for judge in contract.judging.pointwise)
    of = {"judge": Jury("pairs", pairs, False), "scores": Jury("scores", scores, False)}
    first = sources[0]
    return [replace(of[one], primary=one == first) for one in sources if one in of]


def macro_over(contract: Contract) -> str | None:
    return contract.aggregation.macro_over if contract.aggregation.over_items == "macro" else None


def estimated(contract: Contract) -> tuple[str, ...]:
    """Labels of `metric_estimates`: what is asked, and the rate of each failed status.

    Verifiers that know no `undecided` have no rate of it, so that their tables stay as they were.
    """
    from eval_pipeline.metrics.registry import STATUS_RATES
    from eval_pipeline.verification.registry import may_be_undecided

    verifier = contract.verification.verifier if contract.verification else None
    never = verifier is None or not may_be_undecided(verifier)
    left_out = {"undecided_rate"} - set(asked(contract)) if never else set()
    rates = (rate.name for rate in STATUS_RATES if rate.name not in left_out)
    return tuple(dict.fromkeys((*of_items(contract), *of_sets(contract), *rates)))


def design(contract: Contract) -> "Design":
    """Of `metric_estimates`: what is asked, and the rate of each failed status."""
    from eval_pipeline.metrics.estimates.row import Design

    return Design(
        labels=estimated(contract),
        draws_per_item=draws_per_item(contract),
        confidence=contract.confidence,
        unit=contract.unit.clustered_by,
        macro_over=macro_over(contract),
        slices=tuple(contract.task.slices),
        seed=contract.statistics.seed,
        sequential=bool(contract.statistics.sequential),
    )


def comparison_terms(contract: Contract) -> "ComparisonTerms":
    from eval_pipeline.metrics.comparisons.rows import ComparisonTerms

    return ComparisonTerms(
        contract.confidence,
        contract.statistics.multiplicity,
        macro_over(contract),
        tuple(contract.task.slices),
        bool(contract.statistics.sequential),
    )


def decision_terms(contract: Contract) -> "DecisionTerms":
    from eval_pipeline.decision.decide import DecisionTerms
    from eval_pipeline.decision.guardrails import Bar

    stated = contract.decision if isinstance(contract.decision, Decision) else None
    return DecisionTerms(
        metric=contract.question.primary_endpoint.label,
        higher_is_better=_higher_is_better(contract),
        rule=stated.rule if stated else None,
        margin=stated.margin if stated else 0.0,
        confidence=contract.confidence,
        bars=tuple(Bar(g.metric, g.at_most, g.at_least) for g in stated.guardrails)
        if stated
        else (),
        draft=contract.status == "draft",
    )


def endpoint(contract: Contract) -> "BoardEndpoint":
    """The primary endpoint, as boards and remarks speak of it."""
    from eval_pipeline.decision.headline import BoardEndpoint

    label, metric = contract.question.primary_endpoint.label, primary(contract)
    return BoardEndpoint(label, metric.made_from, metric.higher_is_better)


def recorded_by(contract: Contract) -> str | None:
    """Who graded, where the contract's verdicts are those that the rows hold."""
    from eval_pipeline.verification.registry import is_recorded

    asked = contract.verification
    if asked is None or not is_recorded(asked.verifier):
        return None
    return str(asked.options.get("grader"))


def board_terms(contract: Contract, n_items: int) -> "BoardTerms":
    from eval_pipeline.contracts.ledgers import LAST_ACCEPTED
    from eval_pipeline.decision.leaderboard import BoardTerms

    judging = contract.judging
    stated = contract.targets if isinstance(contract.targets, Targets) else None
    return BoardTerms(
        endpoint(contract),
        contract.unit.clustered_by,
        contract.confidence,
        n_items,
        contract.status == "draft",
        bool(contract.statistics.sequential),
        judging.orders if judging is not None else "both",
        recorded_by(contract),
        stated is None or stated.reference == LAST_ACCEPTED,
        reading(contract),
    )


def reading(contract: Contract) -> str | None:
    """How sure a program was of the instruments that it chose; None where a person has looked."""
    return None if contract.verification is None else contract.verification.reading


def _higher_is_better(contract: Contract) -> bool:
    better = primary(contract).higher_is_better
    if better is None:
        raise ValueError(
            f"{contract.title}: neither direction of {contract.question.primary_endpoint.label} is "
            "better: let another metric decide"
        )
    return better
