"""Labels, names and counts: nothing unknown becomes a tie, nothing depends on row order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ranking.counts import cluster_scores, counts_of_wins, pair_counts
from eval_pipeline.ranking.encode import encode_battles, outcome_scores
from eval_pipeline_tests.ranking.strategies import battles_of, some_rows

MEANING = {"left": 1.0, "right": 0.0, "tie": 0.5}


def test_labels_become_scores() -> None:
    np.testing.assert_array_equal(outcome_scores(["left", "tie", "right"], MEANING), [1, 0.5, 0])


def test_an_unknown_label_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"row 1: outcome 'judge_error' .*\['left', 'right'"):
        outcome_scores(["left", "judge_error"], MEANING)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"second": ["b", "a"]}, r"battle 1: a model against itself \(a; 1 such battles\)"),
        ({"score": [1.0, np.nan]}, r"battle 1: a score outside 0 to 1 \(nan"),
        ({"score": [1.5, 0.0]}, r"battle 0: a score outside 0 to 1 \(1\.5"),
        ({"weight": [1.0, 0.0]}, r"battle 1: a weight that is not positive"),
        ({"cluster": ["p", None]}, r"battle 1: no cluster; name it or drop the row"),
        ({"cluster": ["p"]}, r"columns differ in length: .* cluster 1"),
    ],
)
def test_a_bad_battle_is_named(changed: dict, message: str) -> None:
    battle = {"first": ["a", "a"], "second": ["b", "b"], "score": [1.0, 0.0]} | changed
    with pytest.raises(ValueError, match=message):
        encode_battles(**battle)


@given(some_rows, st.randoms(use_true_random=False))
def test_row_order_changes_nothing(drawn: list, random: object) -> None:
    shuffled = list(drawn)
    random.shuffle(shuffled)
    one, two = battles_of(drawn), battles_of(shuffled)
    assert one.models == two.models
    for column in ("first", "second", "score", "weight", "seated", "cluster"):
        np.testing.assert_array_equal(getattr(one, column), getattr(two, column))


@given(some_rows)
def test_counts_equal_counting_by_hand(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    place = {name: i for i, name in enumerate(counts.models)}
    wins, decisive = np.zeros_like(counts.wins), np.zeros_like(counts.decisive)
    for first, second, score, weight, seated, _ in drawn:
        i, j = place[first], place[second]
        wins[1 if seated else 0, i, j] += weight * score
        wins[2 if seated else 0, j, i] += weight * (1 - score)
        decisive[i, j] |= score > 0.5
        decisive[j, i] |= score < 0.5
    np.testing.assert_array_equal(counts.wins, wins)
    np.testing.assert_array_equal(counts.decisive, decisive)
    np.testing.assert_array_equal(counts.battles, counts.battles.T)
    assert counts.total.sum() == sum(row[3] for row in drawn)


@given(some_rows)
def test_cluster_scores_equal_adding_by_hand(drawn: list) -> None:
    battles = battles_of(drawn)
    residual = battles.weight * (battles.score - 0.25)
    n = len(battles.models)
    by_hand = np.zeros((battles.n_clusters, n + 1))
    for row, value in enumerate(residual):
        home = by_hand[battles.cluster[row]]
        home[battles.first[row]] += value
        home[battles.second[row]] -= value
        home[n] += value * battles.seated[row]
    np.testing.assert_allclose(cluster_scores(battles, residual, n + 1), by_hand, atol=1e-12)
    np.testing.assert_allclose(cluster_scores(battles, residual, n), by_hand[:, :n], atol=1e-12)


def test_tables_of_wins_count_ties_as_half_each_way() -> None:
    counts = counts_of_wins("ab", [[0, 2], [1, 0]], [[0, 3], [0, 0]])
    np.testing.assert_array_equal(counts.total, [[0, 3.5], [2.5, 0]])
    np.testing.assert_array_equal(counts.decisive, [[False, True], [True, False]])


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, -1], [0, 0]], r"wins of 'a' over 'b': -1"),
        ([[0, np.nan], [0, 0]], r"wins of 'a' over 'b': nan"),
        ([[0, 1], [0, 2]], r"wins: 'b' stands against itself"),
        ([[0, 1]], r"wins must have shape \(2, 2\) for 2 models"),
    ],
)
def test_a_bad_table_names_its_cell(wins: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        counts_of_wins("ab", wins)
