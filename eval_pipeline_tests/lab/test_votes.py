"""Votes and labels: the pairs that the contract asks for, and rates that are the planted ones."""

from collections import Counter

import numpy as np
import pytest

from eval_pipeline.judging.pairs.plan import partners
from eval_pipeline.lab.judges import Bias, Voter
from eval_pipeline.lab.planted import (
    ANCHORS,
    CHECKPOINTS,
    HONEYPOTS,
    JUDGES,
    LABELLED_PER_PAIR,
    NEAREST,
    RATERS,
    REPEATED_PER_PAIR,
    PlantedJudge,
)
from eval_pipeline.lab.votes import (
    ComparedPair,
    expected_flip_excess,
    honeypots,
    judged_pairs,
    labels,
    votes,
)

MANY = 6000
ITEM_IDS = [f"i{n:04d}" for n in range(MANY)]


@pytest.fixture(scope="module")
def pairs() -> list[ComparedPair]:
    rng = np.random.default_rng(1)
    lengths = {c.name: rng.uniform(40, 330, MANY) for c in CHECKPOINTS}
    return judged_pairs(CHECKPOINTS, lengths, seed=1)


def test_the_pairs_are_those_that_the_pairing_plans(pairs: list[ComparedPair]) -> None:
    order = [name for _, name in sorted((c.date, c.name) for c in CHECKPOINTS)]
    assert order == [c.name for c in CHECKPOINTS]
    planned = {
        (name, *sorted((name, partner.name)))
        for n, name in enumerate(order)
        for partner in partners(name, order[:n], anchors=ANCHORS, nearest=NEAREST)
    }
    assert {(pair.later, pair.model_a.name, pair.model_b.name) for pair in pairs} == planned


def test_every_item_is_judged_in_both_orders_and_a_sample_twice(pairs: list[ComparedPair]) -> None:
    rows = votes(JUDGES[0], pairs[0], ITEM_IDS[:300], 1)[:]
    keys = Counter((row["item_id"], row["shown_first"]) for row in rows)
    assert len(keys) == 2 * 300
    assert Counter(keys.values()) == {1: 2 * (300 - REPEATED_PER_PAIR), 2: 2 * REPEATED_PER_PAIR}


def scored(rows: list[dict[str, object]]) -> dict[tuple[object, object], float]:
    score = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}
    return {
        (row["item_id"], row["shown_first"]): score[str(row["verdict"])]
        for row in rows
        if row["verdict"] is not None and row["repeat"] == 0
    }


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_mean_votes_are_the_planted_chances(judge: PlantedJudge, pairs: list[ComparedPair]) -> None:
    for pair in pairs[:2]:
        found = scored(votes(judge, pair, ITEM_IDS, 1))
        for (first, _), chance in zip(
            (("model_a", 1), ("model_b", -1)), pair.chances(judge), strict=True
        ):
            mean = np.mean([score for (_, shown), score in found.items() if shown == first])
            assert mean == pytest.approx(chance.mean(), abs=4 * 0.5 / np.sqrt(MANY))


def test_flip_excess_is_the_closed_form(pairs: list[ComparedPair]) -> None:
    judge = PlantedJudge("j", "tern", Bias(position=0.1), Voter(0.5, 0.3, 0.04), 0.0, 0.0, False)
    pair = pairs[0]
    swap, same = [], []
    for seed in range(40):  # each repeats REPEATED_PER_PAIR items twice in each order
        found: dict[str, dict[str, list[str]]] = {}
        for row in votes(judge, pair, ITEM_IDS[:600], seed):
            found.setdefault(row["item_id"], {}).setdefault(row["shown_first"], []).append(
                row["verdict"]
            )
        for by_order in found.values():
            one, two = by_order["model_a"], by_order["model_b"]
            swap.append(differ(one[0], two[0]))
            if len(one) == 2:
                same.append((differ(*one) + differ(*two)) / 2)
    expected = expected_flip_excess(judge, [pair])
    assert np.mean(swap) - np.mean(same) == pytest.approx(expected, abs=0.02)


def differ(one: str, two: str) -> bool:
    return {one, two} == {"model_a", "model_b"}


def test_lost_votes_are_told_apart(pairs: list[ComparedPair]) -> None:
    judge = PlantedJudge("j", "tern", Bias(), Voter(0.9, 0.1, 0.0), 0.05, 0.03, False)
    rows = votes(judge, pairs[0], ITEM_IDS, 1)
    unknown = [row for row in rows if "raw" in row]
    failed = [row for row in rows if "error" in row]
    assert len(unknown) / len(rows) == pytest.approx(0.05, abs=0.01)
    assert len(failed) / len(rows) == pytest.approx(0.03, abs=0.01)
    assert all(row["verdict"] is None for row in (*unknown, *failed))


def test_raters_label_one_sample_and_have_no_bias(pairs: list[ComparedPair]) -> None:
    rows = labels(pairs[0], ITEM_IDS, 1)
    assert len(rows) == len(RATERS) * LABELLED_PER_PAIR
    assert {len({r["item_id"] for r in rows if r["rater"] == rater.name}) for rater in RATERS} == {
        LABELLED_PER_PAIR
    }
    assert len({row["item_id"] for row in rows}) == LABELLED_PER_PAIR
    many = [row for seed in range(20) for row in labels(pairs[0], ITEM_IDS[seed * 100 :], seed)]
    score = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}
    mean = np.mean([score[row["label"]] for row in many])
    assert mean == pytest.approx(pairs[0].win_rate, abs=0.05)


def test_honeypots_say_what_is_right() -> None:
    rows = honeypots(ITEM_IDS, "tern@step1000", 1)
    assert len(rows) == HONEYPOTS * len(RATERS)
    assert all(row["honeypot"] and row["expected"] == "model_b" for row in rows)
    assert np.mean([row["label"] == "model_b" for row in rows]) > 0.9
