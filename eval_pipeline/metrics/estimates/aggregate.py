"""Means over items: each item the same (micro), or each group the same (macro)."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.metrics.inputs import mapping, whole


@dataclass(frozen=True)
class MicroMacro:
    """The two means; they answer different questions, so the contract names one."""

    micro: float
    macro: float


def micro_macro(groups: Mapping[str, tuple[int, int]]) -> MicroMacro:
    """Accuracy over all items, and the mean of the groups' accuracies.

    groups: name -> (items, right ones). Raises ValueError for no groups, an empty group or
    impossible counts.
    """
    if not mapping(groups, "groups"):
        raise ValueError("at least one group is needed")
    for name, (n, right) in groups.items():
        items, correct = (
            whole(n, f"items of group {name!r}", 0),
            whole(right, f"right of {name!r}", 0),
        )
        if not items or correct > items:
            raise ValueError(f"group {name!r}: {right} right of {n} items is impossible")
    n_items = sum(n for n, _ in groups.values())
    micro = sum(right for _, right in groups.values()) / n_items
    macro = sum(right / n for n, right in groups.values()) / len(groups)
    return MicroMacro(micro, macro)
