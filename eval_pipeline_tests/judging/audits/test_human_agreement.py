"""What people say, and how near a judge comes: against the definitions, pair by pair."""

from collections.abc import Mapping
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from eval_pipeline.judging.audits.human_agreement import agreement_findings
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.judging.people.labels import combine_labels
from eval_pipeline_tests.judging.votes import (
    TIE,
    UNKNOWN,
    A,
    B,
    label_rows,
    label_table,
    vote_rows,
    vote_table,
)

Rows = list[list[Mapping[str, Any]]]
WORDS = np.array([A, B, TIE], dtype=object)


def audit(votes: Rows, labels: Rows) -> dict[str, Finding]:
    pairs, people = combine_votes(vote_table(votes)), combine_labels(label_table(labels))
    return {one.audit: one for one in agreement_findings(pairs, people, 0.95)}


def drawn(n: int, seed: int, fidelity: float) -> tuple[Rows, Rows, list[Any]]:
    """Votes and labels that follow a truth with this chance, else any verdict."""
    rng = np.random.default_rng(seed)

    def say(truth: str, times: int) -> list[str]:
        free = rng.choice(WORDS, times)
        return [truth if rng.random() < fidelity else str(word) for word in free]

    votes, labels, raw = [], [], []
    for i in range(n):
        truth = str(rng.choice(WORDS[:2]))
        first, second, said = say(truth, 2), say(truth, 1), say(truth, 3)
        votes.append(vote_rows("stern", f"i{i}", first, second))
        labels.append(label_rows(f"i{i}", said))
        raw.append((first, second, said))
    return votes, labels, raw


def test_kappas_agree_with_counting_every_pair_of_votes() -> None:
    votes, labels, raw = drawn(60, seed=2, fidelity=0.7)
    found = audit(votes, labels)
    with_people, among, judge, people = [], [], [], []
    for first, second, said in raw:
        orders = [[v == label for v, label in product(order, said)] for order in (first, second)]
        with_people.append(np.mean([np.mean(order) for order in orders]))
        among.append(np.mean([one == other for one, other in permutations(said, 2)]))
        shares = [[np.mean([v == w for v in order]) for w in WORDS] for order in (first, second)]
        judge.append(np.mean(shares, axis=0))
        people.append([np.mean([label == w for label in said]) for w in WORDS])
    marginal_judge, marginal_people = np.mean(judge, axis=0), np.mean(people, axis=0)
    chance = [marginal_judge @ marginal_people, marginal_people @ marginal_people]
    observed = [np.mean(with_people), np.mean(among)]
    kappas = [(o - e) / (1 - e) for o, e in zip(observed, chance, strict=True)]
    names = ("judge_human_agreement", "human_human_agreement")
    assert [found[name].estimate.value for name in names] == pytest.approx(observed)
    names = ("judge_human_kappa", "human_human_kappa")
    assert [found[name].estimate.value for name in names] == pytest.approx(kappas)
    ratio = found["human_ratio"]
    assert ratio.estimate.value == pytest.approx(kappas[0] / kappas[1])
    assert (ratio.n_votes, ratio.estimate.n_clusters) == (180, 60)


def test_a_judge_who_is_one_more_person_has_ratio_one() -> None:
    votes, labels, _ = drawn(1500, seed=3, fidelity=0.7)
    ratio = audit(votes, labels)["human_ratio"].estimate
    assert ratio.low < 1 < ratio.high
    assert ratio.value == pytest.approx(1, abs=0.05)


def test_standard_errors_agree_with_leaving_one_pair_out() -> None:
    votes, labels, _ = drawn(120, seed=4, fidelity=0.7)
    found = audit(votes, labels)
    for name in ("judge_human_kappa", "human_human_kappa", "human_ratio"):
        without = [
            audit(votes[:i] + votes[i + 1 :], labels[:i] + labels[i + 1 :])[name].estimate.value
            for i in range(120)
        ]
        jackknife = np.sqrt(119 / 120 * 120 * np.var(without))
        assert found[name].estimate.se == pytest.approx(jackknife, rel=0.03), name


def test_the_ratio_is_bounded_on_the_log_scale() -> None:
    votes, labels, _ = drawn(60, seed=4, fidelity=0.7)
    ratio = audit(votes, labels)["human_ratio"].estimate
    assert ratio.low * ratio.high == pytest.approx(ratio.value**2)
    assert ratio.method == "cr1_t_log"


def test_perfect_agreement_shows_no_spread_and_gets_no_interval() -> None:
    said = [A, B] * 10
    votes = [vote_rows("stern", f"i{i}", [one], [one]) for i, one in enumerate(said)]
    labels = [label_rows(f"i{i}", [one, one]) for i, one in enumerate(said)]
    ratio = audit(votes, labels)["human_ratio"].estimate
    assert ratio.value == 1.0
    assert not ratio.has_interval


def test_honeypots_and_pairs_with_one_label_or_one_order_are_left_out() -> None:
    votes = [
        vote_rows("stern", "i1", [A], [A]),
        vote_rows("stern", "i2", [A], [A]),
        vote_rows("stern", "i3", [A], [UNKNOWN]),
        vote_rows("stern", "i4", [A], [A]),
    ]
    labels = [
        label_rows("i1", [A, A]),
        label_rows("i2", [A]),
        label_rows("i3", [A, A]),
        label_rows("i4", [A, A], honeypot=True),
    ]
    found = audit(votes, labels)["judge_human_agreement"]
    assert (found.n_votes, found.estimate.n_clusters) == (2, 1)


@pytest.mark.parametrize(
    ("votes", "labels", "reason"),
    [
        ([A], [], "no pair has the labels of two people"),
        ([A], [A], "no pair has the labels of two people"),
        ([UNKNOWN], [A, B], "no pair that two people labelled has usable votes"),
    ],
)
def test_without_votes_or_labels_the_reason_says_which(
    votes: list[str | None], labels: list[str], reason: str
) -> None:
    found = audit([vote_rows("stern", "i1", votes, votes)], [label_rows("i1", labels)])
    for finding in found.values():
        assert np.isnan(finding.estimate.value)
        assert (finding.estimate.reason or "").startswith(reason)


def test_people_who_all_say_one_thing_have_no_kappa() -> None:
    votes = [vote_rows("stern", f"i{i}", [A], [B]) for i in range(20)]
    found = audit(votes, [label_rows(f"i{i}", [A, A]) for i in range(20)])
    assert found["human_human_agreement"].estimate.value == 1.0
    assert "only one value occurs" in (found["human_human_kappa"].estimate.reason or "")
    assert "people's kappa is undefined" in (found["human_ratio"].estimate.reason or "")


def test_few_clusters_give_no_interval() -> None:
    votes, labels, _ = drawn(9, seed=5, fidelity=0.7)
    ratio = audit(votes, labels)["human_ratio"].estimate
    assert not ratio.has_interval
    assert ratio.reason == "no interval: 9 clusters are too few"


def test_people_who_do_not_agree_beyond_chance_leave_the_ratio_undefined() -> None:
    votes = [vote_rows("stern", f"i{i}", [A], [A]) for i in range(20)]
    labels = [label_rows(f"i{i}", [A, B]) for i in range(20)]
    ratio = audit(votes, labels)["human_ratio"].estimate
    assert np.isnan(ratio.value)
    assert not ratio.has_interval
