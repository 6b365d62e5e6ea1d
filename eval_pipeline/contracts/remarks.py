"""What is no fault of a contract and may surprise: names that nobody bears, a wide margin."""

from collections.abc import Iterator, Mapping

from eval_pipeline.contracts.faults import nearest, shown
from eval_pipeline.contracts.metric_rules import range_of_primary
from eval_pipeline.contracts.model import Contract, Decision, Targets
from eval_pipeline.contracts.targets import CheckpointFacts

WIDE = 0.1  # of the metric's range: a margin beyond it lets a clear loss pass
LAST_ACCEPTED = "last_accepted"


def remarks(contract: Contract, landed: Mapping[str, CheckpointFacts]) -> list[str]:
    """One sentence a remark; none of what has not landed is said where nothing has.

    A name may be of a checkpoint that is still to land, so it is no fault.
    """
    found = list(_wide_margin(contract))
    if landed:
        found += _unknown_checkpoints(contract, landed)
        found += _unknown_families(contract, landed)
    return [f"{contract.title}: {remark}" for remark in found]


def _wide_margin(contract: Contract) -> Iterator[str]:
    decision, width = contract.decision, range_of_primary(contract)
    if isinstance(decision, Decision) and width and decision.margin > WIDE * width:
        metric = contract.question.primary_endpoint.label
        yield (
            f"decision.margin is {decision.margin:g}, more than a tenth of the range of {metric} "
            f"({width:g}): is a difference of that size meant not to matter?"
        )


def _unknown_checkpoints(
    contract: Contract, landed: Mapping[str, CheckpointFacts]
) -> Iterator[str]:
    named: list[tuple[str, str | None]] = []
    if isinstance(contract.targets, Targets):
        if contract.targets.reference != LAST_ACCEPTED:
            named.append(("targets.reference", contract.targets.reference))
        named += [("targets.exclude", name) for name in contract.targets.exclude]
    if contract.length_control:
        named.append(("length_control.baseline", contract.length_control.baseline))
    if contract.ranking:
        named.append(("ranking.anchor", contract.ranking.anchor))
    if contract.pairing:
        named += [("pairing.anchors", anchor) for anchor in contract.pairing.anchors]
    for field, name in named:
        if name is not None and name not in landed:
            near = nearest(name, sorted(landed))
            yield f"{field} names {shown(name)}, which no landed checkpoint is called; {near}"


def _unknown_families(contract: Contract, landed: Mapping[str, CheckpointFacts]) -> Iterator[str]:
    known = {facts.family for facts in landed.values()} - {None}
    named: list[tuple[str, str]] = []
    if isinstance(contract.targets, Targets):
        named += [("targets.families", family) for family in contract.targets.families]
    if contract.item_analysis and contract.item_analysis.groups:
        for side, families in contract.item_analysis.groups:
            named += [(f"item_analysis.groups.{side}", family) for family in families]
    for field, family in named:
        if family not in known:
            near = nearest(family, sorted(one for one in known if one)) or "none says its family"
            yield f"{field} names {shown(family)}, a family that no landed checkpoint has; {near}"
