"""Which pairs of checkpoints are judged, and on which items.

A pair belongs to the later of its checkpoints by (date, name), so a landing checkpoint adds its
own pairs and changes none that were planned before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.statistics.randomness import generator


@dataclass(frozen=True, order=True)
class Landed:
    """A checkpoint in the order in which pairs belong: by date, then by name."""

    date: str  # ISO, so that text order is time order
    name: str


@dataclass(frozen=True)
class Partner:
    """An earlier checkpoint to be judged against, and why."""

    name: str
    chosen_by: str


@dataclass(frozen=True)
class Item:
    """An item with its slice values, for the stratified sample."""

    item_id: str
    slices: Mapping[str, str]


def partners(
    checkpoint: Landed,
    targeted: Sequence[Landed],
    anchors: Sequence[str] = (),
    accepted: Sequence[str] | None = None,
    nearest: int = 0,
) -> list[Partner]:
    """The earlier checkpoints that `checkpoint` is judged against, sorted by name.

    anchors: names that every other checkpoint is judged against; so an anchor that lands late
    meets all that came before it. accepted: names of accepted checkpoints, of which the latest
    earlier one is taken, or the earliest of all where none is accepted; None where the contract
    does not ask. nearest: how many of the latest earlier ones. A partner chosen for several
    reasons shows the first of anchor, last_accepted, nearest.
    """
    earlier = sorted(one for one in targeted if one < checkpoint)
    chosen: dict[str, str] = {}
    is_anchor = checkpoint.name in anchors
    for one in earlier:
        if is_anchor or one.name in anchors:
            chosen.setdefault(one.name, "anchor")
    if accepted is not None:
        for one in [one for one in earlier if one.name in accepted][-1:] or earlier[:1]:
            chosen.setdefault(one.name, "last_accepted")
    for one in earlier[-nearest:] if nearest else []:
        chosen.setdefault(one.name, "nearest")
    return [Partner(name, chosen[name]) for name in sorted(chosen)]


def pair_names(one: str, other: str) -> tuple[str, str]:
    """(model_a, model_b): the names of a pair in sorted order."""
    if one == other:
        raise ValueError(f"a checkpoint is not judged against itself: {one!r}")
    return (one, other) if one < other else (other, one)


def sampled_items(
    items: Sequence[Item], per_pair: int, stratify: Sequence[str], seed: int, *purpose: str
) -> list[str]:
    """Item ids of a sample of `per_pair` items, sorted; all of them where there are no more.

    Strata are the combinations of the slices named in `stratify`; each gets its share of the
    sample by largest remainder, ties to the stratum that sorts first, so that every stratum's
    sampling fraction is the same up to one item. Seeded by `seed` and the words of `purpose`.
    Raises ValueError where an item lacks a slice to stratify by.
    """
    if per_pair < 1:
        raise ValueError(f"per_pair must be at least 1, got {per_pair}")
    strata: dict[tuple[str, ...], list[str]] = {}
    for item in sorted(items, key=lambda item: item.item_id):
        lacking = [name for name in stratify if name not in item.slices]
        if lacking:
            raise ValueError(
                f"item {item.item_id!r} has no slice {lacking[0]!r}: the sample is stratified by "
                f"it, so name it in task.slices and give it to every item"
            )
        strata.setdefault(tuple(item.slices[name] for name in stratify), []).append(item.item_id)
    if len(items) <= per_pair:
        return sorted(item.item_id for item in items)
    rng = generator(seed, "judged_sample", *purpose)
    chosen: list[str] = []
    sizes = _shares({key: len(members) for key, members in strata.items()}, per_pair)
    for key in sorted(strata):
        members = strata[key]
        chosen += (members[i] for i in rng.choice(len(members), sizes[key], replace=False))
    return sorted(chosen)


def _shares(sizes: Mapping[tuple[str, ...], int], total: int) -> dict[tuple[str, ...], int]:
    """`total` seats over the strata by largest remainder, in whole numbers throughout."""
    everything = sum(sizes.values())
    whole = {key: total * size // everything for key, size in sizes.items()}
    rest = {key: total * size % everything for key, size in sizes.items()}
    left = total - sum(whole.values())
    for key in sorted(sizes, key=lambda key: (-rest[key], key))[:left]:
        whole[key] += 1
    return whole
