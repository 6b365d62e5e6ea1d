"""Nights on which the lab's judges vote on their sentinels again, and how far they have moved."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.judging.audits.drift import sentinel_pairs
from eval_pipeline.lab.files import Line, lines, packed, put
from eval_pipeline.lab.judges import single_votes, verdicts
from eval_pipeline.lab.planted import JUDGES, NIGHTS, SENTINELS, PlantedJudge
from eval_pipeline.lab.truth import Planted
from eval_pipeline.lab.votes import ORDERS, ComparedPair, flips, standing, vote_row
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator

Ints = NDArray[np.int64]

CONTRACT_SEED = 20260103  # of helpful_replies, by which it picks its sentinels


def write_nights(
    root: DataRoot,
    contract: str,
    benchmark: str,
    pair: ComparedPair,
    item_ids: Sequence[str],
    seed: int,
) -> list[Planted]:
    """Writes the sentinels of every judge, a file a night; how far each should have moved.

    pair: that of the first checkpoint of which pairs are planned.
    """
    places = sentinel_items(item_ids, CONTRACT_SEED)
    for judge in JUDGES:
        for night in NIGHTS:
            rows = night_votes(judge, pair, item_ids, places, night, seed)
            put(root.sentinels(judge.name, benchmark) / f"{night}.jsonl.gz", packed(lines(rows)))
    return list(drift_values(contract, pair, places))


def sentinel_items(item_ids: Sequence[str], seed: int) -> Ints:
    """Places of the items whose pair is judged again: those that `probe sentinels` prints.

    seed: the contract's.
    """
    place = {item: i for i, item in enumerate(item_ids)}
    chosen = sentinel_pairs([(item, "a", "b") for item in item_ids], SENTINELS, seed)
    return np.array([place[item] for item, *_ in chosen], dtype=np.int64)


def night_votes(
    judge: PlantedJudge,
    pair: ComparedPair,
    item_ids: Sequence[str],
    places: Ints,
    night: str,
    seed: int,
) -> list[Line]:
    """The judge's votes of a night on the items at these places, both orders."""
    rng = generator(seed, "lab", "sentinels", judge.name, night)
    held = standing(judge, pair, len(item_ids), seed)[places]
    opinion = single_votes(judge.voter, held, len(ORDERS), rng)
    lost = rng.random(opinion.shape)
    chances = pair.chances(on(judge, night))
    cast = [
        verdicts(opinion[:, order], chance[places], judge.voter.tie_share)
        for order, chance in enumerate(chances)
    ]
    models = {"model_a": pair.model_a.name, "model_b": pair.model_b.name}
    rows: list[Line] = []
    for i, place in enumerate(places):
        for order, (first, _) in enumerate(ORDERS):
            row = {"item_id": item_ids[place], **models, "shown_first": first}
            rows.append(row | vote_row(str(cast[order][i]), float(lost[i, order]), judge))
    return rows


def on(judge: PlantedJudge, night: str) -> PlantedJudge:
    """The judge as it is on a night."""
    change = judge.change
    if change is None or night < change.night:
        return judge
    moved = replace(judge.bias, position=judge.bias.position + change.position)
    return replace(judge, bias=moved)


def drift_values(contract: str, pair: ComparedPair, places: Ints) -> Iterator[Planted]:
    """How far every judge has moved by the last night."""
    night = NIGHTS[-1]
    for judge in JUDGES:
        for measure, value in expected_drift(judge, pair, places, night).items():
            where: dict[str, str | int] = {"contract": contract, "version": 1}
            where |= {"judge": judge.name, "night": night, "measure": measure}
            title = f"{contract}: {measure} of {judge.name} on {night}"
            yield Planted(title, value, "judge_drift", where, "estimate")


def expected_drift(
    judge: PlantedJudge, pair: ComparedPair, places: Ints, night: str
) -> dict[str, float]:
    """The drift of the judge on these sentinels, by measure: closed form of the error model."""
    now = on(judge, night)
    changed = [
        flips(judge.voter, then[places], since[places])
        - flips(judge.voter, then[places], then[places])
        for then, since in zip(pair.chances(judge), pair.chances(now), strict=True)
    ]
    return {
        "changed_votes": float(np.mean(changed)),
        "position_shift": now.bias.position - judge.bias.position,
        "tie_shift": 0.0,
    }
