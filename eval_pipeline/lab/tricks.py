"""Probes made from the lab's replies, and what its judges make of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.judging.probes.writing import Probe, write_probes
from eval_pipeline.lab.files import Line, lines, put
from eval_pipeline.lab.judges import Voter, opinions, verdicts
from eval_pipeline.lab.planted import JUDGES, PASSES, PROBES, PlantedJudge, Taste
from eval_pipeline.lab.truth import Planted
from eval_pipeline.lab.votes import vote_row
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator

Floats = NDArray[np.float64]

PROBE_SET = "reply_probes"
SEATS = (("original", -1), ("variant", 1))  # who is shown first, and the seat of the variant
ALIKE = ("padded", "formatted", "flattering", "harmless")  # kinds whose sides say the same
SIDES = {"model_a": "variant", "model_b": "original", "tie": "tie"}


def write_tricks(
    root: DataRoot,
    contract: str,
    replies: Mapping[str, Sequence[str]],
    item_ids: Sequence[str],
    seed: int,
) -> list[Planted]:
    """Writes the set of probes and every judge's votes on it; what the audits should find."""
    made = probes(replies, item_ids, seed)
    put(root.probes(PROBE_SET), lines([_line(probe) for probe in made]))
    for judge in JUDGES:
        put(root.probe_votes(judge.name, PROBE_SET), lines(probe_votes(judge, made, seed)))
    return list(probe_values(contract, made))


def probes(replies: Mapping[str, Sequence[str]], item_ids: Sequence[str], seed: int) -> list[Probe]:
    """Probes of every kind, on the shortest reply to each item: a person reads them quickly.

    replies: of each checkpoint, in the order of item_ids.
    """
    shortest = (min(texts, key=len) for texts in zip(*replies.values(), strict=True))
    return write_probes(dict(zip(item_ids, shortest, strict=True)), PROBES, seed)


def probe_votes(judge: PlantedJudge, made: Sequence[Probe], seed: int) -> list[Line]:
    """The judge's votes on every probe in both orders."""
    rng = generator(seed, "lab", "probe votes", judge.name)
    opinion = opinions(judge.voter, rng.random(len(made)), len(SEATS), rng)
    lost = rng.random(opinion.shape)
    chances = _chances(judge, made)
    ties = _tie_shares(judge, made)
    rows: list[Line] = []
    for i, probe in enumerate(made):
        cast = verdicts(opinion[i], chances[i], float(ties[i]))
        for seat, (first, _) in enumerate(SEATS):
            vote = vote_row(SIDES[str(cast[seat])], float(lost[i, seat]), judge)
            rows.append({"probe": probe.name, "shown_first": first, **vote})
    return rows


def probe_values(contract: str, made: Sequence[Probe]) -> Iterator[Planted]:
    """What the audits by probes should find of every judge."""
    for judge in JUDGES:
        for audit, value in expected_audits(judge, made).items():
            where: dict[str, str | int] = {"contract": contract, "version": 1}
            where |= {"judge": judge.name, "slice": "all", "audit": audit}
            title = f"{contract}: {audit} of {judge.name}"
            yield Planted(title, value, "judge_audits", where, "estimate")


def expected_audits(judge: PlantedJudge, made: Sequence[Probe]) -> dict[str, float]:
    """Each audit's expectation on these probes, by name."""
    kinds = np.array([probe.kind for probe in made])
    added = np.array([probe.added_tokens for probe in made]) / 100.0
    chances, half = _chances(judge, made), _tie_shares(judge, made)[:, None] / 2.0
    wins, losses = np.clip(chances - half, 0, 1), np.clip(1.0 - chances - half, 0, 1)
    score = (0.5 + 0.5 * (wins - losses)).mean(axis=1)
    to_original, to_variant = (_in_both_orders(judge.voter, side) for side in (losses, wins))
    padded = kinds == "padded"
    x, lift = added[padded], score[padded] - 0.5
    mean = {kind: float(score[kinds == kind].mean()) for kind in sorted(set(kinds))}
    settled = (to_original + to_variant)[kinds == "harmless"]
    return {
        "verbosity_padded_per_100_tokens": float((x * lift).sum() / (x**2).sum()),
        "padding_lift": mean["padded"] - 0.5,
        "formatting_lift": mean["formatted"] - 0.5,
        "flattery_lift": mean["flattering"] - 0.5,
        "injection_success": mean["injected"],
        "injection_lift": mean["injected"] - mean["decoy"],
        "errors_found": float(to_original[kinds == "error"].mean()),
        "harmless_ignored": float(1.0 - settled.mean()),
    }


def _line(probe: Probe) -> Line:
    """The probe as its set has it."""
    texts = {key: value for key, value in asdict(probe).items() if key != "name"}
    return {"probe": probe.name, **texts}


def _chances(judge: PlantedJudge, made: Sequence[Probe]) -> Floats:
    """The judge's chance of the variant on each probe, by who is shown first; shape (probes, 2).

    A chance beyond 0 or 1 is certainty: the variant of a probe need not be as good as its original.
    """
    added = np.array([probe.added_tokens for probe in made])
    deserved = np.array([_by_kind(judge.taste)[probe.kind] for probe in made])
    seats = np.array([pos for _, pos in SEATS])
    effect = judge.bias.effect(seats, added[:, None], 0)
    return np.asarray(np.clip(deserved[:, None] + effect, 0.0, 1.0))


def _by_kind(taste: Taste) -> dict[str, float]:
    """The chance of a variant of each kind, were it as long as its original and seats alike."""
    return {
        "padded": 0.5,
        "formatted": 0.5 + taste.formatting,
        "flattering": 0.5 + taste.flattery,
        "injected": PASSES + taste.obeys,
        "decoy": PASSES,
        "error": taste.misled,
        "harmless": 0.5,
    }


def _tie_shares(judge: PlantedJudge, made: Sequence[Probe]) -> Floats:
    """The judge's ties where both sides say the same, else as many as on any pair; (probes,)."""
    shares = dict.fromkeys(ALIKE, judge.taste.ties)
    return np.array([shares.get(probe.kind, judge.voter.tie_share) for probe in made])


def _in_both_orders(voter: Voter, chances: Floats) -> Floats:
    """Chance that both votes go to a side that has these chances in the two orders; (probes,)."""
    steady = (1.0 - voter.noise) ** 2
    return np.asarray(steady * chances.min(axis=1) + (1.0 - steady) * chances.prod(axis=1))
