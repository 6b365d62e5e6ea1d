"""Which pairs of checkpoints are judged, and on which items.

A pair belongs to the later of its checkpoints by (date, name), so a landing checkpoint adds its
own pairs and changes none that were planned before.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from eval_pipeline.statistics.randomness import generator

RECORDED = "recorded"
Slices = Mapping[str, Mapping[str, str]]  # item -> slice name -> value


@dataclass(frozen=True)
class Partner:
    """An earlier checkpoint to be judged against, and why."""

    name: str
    chosen_by: str


@dataclass(frozen=True)
class Sampling:
    """How many items of a pair are judged, and the slices that keep their shares."""

    per_pair: int
    stratify: Sequence[str] = ()


def partners(
    checkpoint: str,
    earlier: Sequence[str],
    anchors: Collection[str] = (),
    accepted: Collection[str] | None = None,
    nearest: int = 0,
) -> list[Partner]:
    """The earlier checkpoints that `checkpoint` is judged against, sorted by name.

    earlier: those that the contract targets, by (date, name). anchors: every other checkpoint is
    judged against these, so an anchor that lands late meets all that came before it. accepted: of
    these the latest is taken, or the earliest checkpoint of all where none is accepted; None
    where the contract does not ask. nearest: how many of the latest. A partner chosen for several
    reasons shows the first of anchor, last_accepted, nearest.
    """
    chosen: dict[str, str] = {}
    for name in earlier:
        if checkpoint in anchors or name in anchors:
            chosen.setdefault(name, "anchor")
    if accepted is not None:
        for name in [name for name in earlier if name in accepted][-1:] or earlier[:1]:
            chosen.setdefault(name, "last_accepted")
    for name in earlier[-nearest:] if nearest else ():
        chosen.setdefault(name, "nearest")
    return [Partner(name, chosen[name]) for name in sorted(chosen)]


def plan_rows(
    checkpoint: str,
    chosen: Sequence[Partner],
    items: Slices,
    sampling: Sampling | None,
    seed: int,
) -> list[dict[str, str]]:
    """Rows of `pair_plan`, sorted by item and pair: all items, or each pair's own sample."""
    rows = []
    for partner in chosen:
        a, b = pair_names(checkpoint, partner.name)
        asked = sampled_items(items, sampling, seed, a, b) if sampling else sorted(items)
        pair = {"model_a": a, "model_b": b, "chosen_by": partner.chosen_by}
        rows += [{"item_id": item, **pair} for item in asked]
    return sorted(rows, key=lambda row: (row["item_id"], row["model_a"], row["model_b"]))


def recorded_rows(
    checkpoint: str,
    earlier: Collection[str],
    items: Collection[str],
    held: Iterable[tuple[str, str, str]],
) -> list[dict[str, str]]:
    """Rows of `pair_plan`, sorted: the pairs that votes are held on, each once.

    held: (item, model, other model) of the votes in the checkpoint's files. What is about other
    items, or about models that are no earlier target, is not planned.
    """
    found = set()
    for item, one, other in held:
        partner = other if one == checkpoint else one
        if checkpoint in (one, other) and partner in earlier and item in items:
            found.add((item, *pair_names(checkpoint, partner)))
    return [
        {"item_id": item, "model_a": a, "model_b": b, "chosen_by": RECORDED}
        for item, a, b in sorted(found)
    ]


def pair_names(one: str, other: str) -> tuple[str, str]:
    """(model_a, model_b): the names of a pair in sorted order."""
    if one == other:
        raise ValueError(f"a checkpoint is not judged against itself: {one!r}")
    return (one, other) if one < other else (other, one)


def sampled_items(items: Slices, sampling: Sampling, seed: int, *purpose: str) -> list[str]:
    """Item ids of a stratified sample, sorted; all of them where there are no more than asked.

    Strata are the combinations of the slices named in `stratify`; each gets its share by largest
    remainder, ties to the stratum that sorts first, so that all strata have the same sampling
    fraction up to one item. Seeded by `seed` and the words of `purpose`.
    Raises ValueError where an item lacks a slice to stratify by.
    """
    strata: dict[tuple[str, ...], list[str]] = {}
    for item in sorted(items):
        if lacking := [name for name in sampling.stratify if name not in items[item]]:
            raise ValueError(
                f"item {item!r} has no slice {lacking[0]!r}, by which the judged sample is "
                "stratified: name it in task.slices, and give it to every item"
            )
        strata.setdefault(tuple(items[item][name] for name in sampling.stratify), []).append(item)
    if len(items) <= sampling.per_pair:
        return sorted(items)
    rng = generator(seed, "judged_sample", *purpose)
    sizes = _shares({key: len(members) for key, members in strata.items()}, sampling.per_pair)
    chosen: list[str] = []
    for key in sorted(strata):
        members = strata[key]
        chosen += (members[i] for i in rng.choice(len(members), sizes[key], replace=False))
    return sorted(chosen)


def item_slices(items: pa.Table) -> Slices:
    """Slice values of each item of an `items` table."""
    columns = (items["item_id"].to_pylist(), items["slices"].to_pylist())
    return {item: dict(slices or ()) for item, slices in zip(*columns, strict=True)}


def _shares(sizes: Mapping[tuple[str, ...], int], total: int) -> dict[tuple[str, ...], int]:
    """`total` seats over the strata by largest remainder, in whole numbers throughout."""
    everything = sum(sizes.values())
    whole = {key: total * size // everything for key, size in sizes.items()}
    rest = {key: total * size % everything for key, size in sizes.items()}
    left = total - sum(whole.values())
    for key in sorted(sizes, key=lambda key: (-rest[key], key))[:left]:
        whole[key] += 1
    return whole
