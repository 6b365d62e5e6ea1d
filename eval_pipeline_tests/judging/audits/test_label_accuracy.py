"""A judge against labels that are the truth, held against counting by hand."""

import itertools
from typing import Any

import numpy as np
import pytest

from eval_pipeline.judging.audits.label_accuracy import (
    RULES,
    Rule,
    accuracy_finding,
    accuracy_rows,
    confusion_rows,
    right_by,
    truth_of,
)
from eval_pipeline.judging.pairs.swap import JudgedPairs, Orders, combine_votes, with_planned
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline_tests.judging.votes import TIE, UNKNOWN, A, B, vote_rows, vote_table

PLACE = {"model_a": 0, "model_b": 1, "tie": 2}
SAID: tuple[Any, ...] = (A, B, TIE, UNKNOWN)


def judged(votes: dict[str, tuple[list[Any], list[Any]]], orders: Orders = "both") -> JudgedPairs:
    """The votes of one judge by item: with model_a first, and second."""
    rows = [vote_rows("owl", item, *both, cluster=item) for item, both in votes.items()]
    pairs = combine_votes(vote_table(rows))
    return with_planned(pairs, ["owl"], {}, orders=orders)


def labelled(pairs: JudgedPairs, labels: dict[str, list[str]]) -> LabelledPairs:
    counts = np.zeros((len(pairs), 3), dtype=np.int64)
    for i, item in enumerate(pairs.item_id):
        for label in labels[item]:
            counts[i, PLACE[label]] += 1
    clusters = np.asarray(pairs.cluster_id)
    return LabelledPairs(pairs.item_id, clusters, pairs.model_a, pairs.model_b, counts)


def by_hand(first: Any, second: Any, label: str, rule: Rule) -> float:
    """One vote an order, by the words of the rule."""
    told = [
        None if one is UNKNOWN else {A: "model_a", B: "model_b", TIE: "tie"}[one]
        for one in (first, second)
    ]
    right = [one == label for one in told]
    other = {"model_a": "model_b", "model_b": "model_a"}.get(label, "nothing")
    if rule == "both":
        return float(all(right))
    if rule == "mean":
        return sum(right) / 2
    return float(sum((one == label) - (one == other) for one in told) > 0)


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_what_its_words_say(rule: Rule) -> None:
    cases = list(itertools.product(SAID, SAID, PLACE))
    votes = {f"i{n:02d}": ([first], [second]) for n, (first, second, _) in enumerate(cases)}
    pairs = judged(votes)
    labels = labelled(pairs, {f"i{n:02d}": [case[2]] for n, case in enumerate(cases)})
    found = right_by(truth_of(pairs, labels), rule)
    expected = [by_hand(*case, rule) for case in cases]
    np.testing.assert_array_equal(found, expected)


def test_repeats_are_shares_and_every_vote_meets_each_of_the_other_order() -> None:
    pairs = judged({"i1": ([A, A, B], [A, TIE])})
    truth = truth_of(pairs, labelled(pairs, {"i1": ["model_a"]}))
    pairings = list(itertools.product([A, A, B], [A, TIE]))
    for rule in RULES:
        expected = sum(by_hand(*one, "model_a", rule) for one in pairings) / len(pairings)
        np.testing.assert_allclose(right_by(truth, rule), [expected])


def test_a_split_label_is_no_truth_and_a_majority_is() -> None:
    pairs = judged({"i1": ([A], [A]), "i2": ([A], [A])})
    labels = labelled(pairs, {"i1": ["model_a", "model_b"], "i2": ["model_a", "tie", "model_a"]})
    truth = truth_of(pairs, labels)
    assert (truth.pairs.item_id.tolist(), truth.label.tolist(), truth.n_split) == (["i2"], [0], 1)


def test_rows_hold_each_order_each_rule_and_each_slice() -> None:
    votes = {f"i{n}": ([A], [A if n % 2 else UNKNOWN]) for n in range(20)}
    pairs = judged(votes)
    truth = truth_of(pairs, labelled(pairs, {item: ["model_a"] for item in votes}))
    slices = {item: {"part": "odd" if int(item[1:]) % 2 else "even"} for item in votes}
    rows = {
        (r["slice"], r["reading"]): r for r in accuracy_rows("owl", truth, slices, "both", 0.95)
    }
    assert len(rows) == 3 * 5
    value = {place: round(float(str(row["value"])), 12) for place, row in rows.items()}
    assert (value["all", "a_first"], value["all", "b_first"]) == (1.0, 0.5)
    assert (value["all", "mean"], value["all", "both"]) == (0.75, 0.5)
    assert value["all", "sum"] == 1.0  # nothing said speaks against a right verdict
    assert (value["part=odd", "both"], value["part=even", "both"]) == (1.0, 0.0)
    assert [place for place, row in rows.items() if row["decides"]] == [
        ("all", "both"),
        ("part=even", "both"),
        ("part=odd", "both"),
    ]
    assert rows["all", "both"]["ci_low"] is not None
    confused = {
        (r["slot_order"], r["verdict"]): r["n_votes"]
        for r in confusion_rows("owl", truth)
        if r["label"] == "model_a"
    }
    assert (confused["b_first", "model_a"], confused["b_first", "missing"]) == (10, 10)
    finding = accuracy_finding(truth, "both", 0.95)
    assert (finding.audit, finding.estimate.value, finding.n_votes) == ("label_accuracy", 0.5, 20)


def test_where_one_order_is_due_every_rule_is_that_order() -> None:
    pairs = judged({"i1": ([A], []), "i2": ([], [B])}, "one")
    truth = truth_of(pairs, labelled(pairs, {"i1": ["model_a"], "i2": ["model_a"]}))
    for rule in RULES:
        assert right_by(truth, rule).tolist() == [1.0, 0.0]
    rows = accuracy_rows("owl", truth, {}, "sum", 0.95)
    assert {row["reading"]: row["n_pairs"] for row in rows}["a_first"] == 1
    silent = truth_of(
        judged({"i1": ([A], [])}, "unrecorded"), labelled(pairs, {"i1": ["model_a"], "i2": []})
    )
    readings = [row["reading"] for row in accuracy_rows("owl", silent, {}, "sum", 0.95)]
    assert readings == list(RULES)
    assert confusion_rows("owl", silent) == []


def test_without_a_label_there_is_no_accuracy() -> None:
    pairs = judged({"i1": ([A], [A])})
    truth = truth_of(pairs, labelled(pairs, {"i1": []}))
    finding = accuracy_finding(truth, "both", 0.95)
    assert np.isnan(finding.estimate.value)
    assert "has a label" in str(finding.estimate.reason)
