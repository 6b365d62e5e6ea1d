"""What exists: components, standings, and the order effect."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from eval_pipeline.length_control.separation import is_separated
from eval_pipeline.ranking.counts import counts_of_wins, pair_counts
from eval_pipeline.ranking.identify import connectivity, order_effect_is_identified
from eval_pipeline_tests.ranking.strategies import battles_of, some_rows


def reachable(edges: np.ndarray) -> np.ndarray:
    """Who can be reached from whom, by walking (n steps are enough)."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for _ in range(len(edges)):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return reach


@given(some_rows)
def test_components_equal_walking_the_graph(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    found = connectivity(counts)
    edges = counts.total > 0
    reach = reachable(edges)
    np.testing.assert_array_equal(found.strong[:, None] == found.strong, reach & reach.T)
    np.testing.assert_array_equal(
        found.component[:, None] == found.component, reachable(edges | edges.T)
    )
    assert found.n_strong == len(set(found.strong.tolist()))
    assert found.n_weak == len(set(found.component.tolist()))
    winner, loser = np.nonzero(edges)
    assert (found.strong[winner] <= found.strong[loser]).all()  # none loses to a later one


@given(some_rows)
def test_standings_say_who_won_and_lost_outside_the_group(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    found = connectivity(counts)
    apart = found.strong[:, None] != found.strong
    wins, losses = ((t & apart).any(axis=1) for t in (counts.total > 0, counts.total.T > 0))
    for i, standing in enumerate(found.standing):
        alone = (found.strong == found.strong[i]).sum() == 1
        if standing == "undefeated":
            assert alone
            assert wins[i]
            assert not losses[i]
        elif standing == "winless":
            assert alone
            assert losses[i]
            assert not wins[i]
        elif standing == "ok":
            assert not alone
        else:
            assert standing == "split"
            assert not alone or (wins[i] and losses[i])


def test_the_golden_graphs(golden_vectors: Callable[[str], Any]) -> None:
    for case in golden_vectors("ranking.json")["connectivity"]["cases"]:
        found = connectivity(
            counts_of_wins([str(i) for i in range(len(case["wins"]))], case["wins"])
        )
        assert (found.n_strong == 1) == case["strong"]
        assert all(s == "ok" for s in found.standing) == case["strong"] or not case["finite_mle"]
        if "weak" in case:
            assert (found.n_weak == 1) == case["weak"]


@pytest.mark.parametrize(
    ("wins", "standing"),
    [
        ([[0, 3, 2], [0, 0, 1], [0, 1, 0]], ("undefeated", "ok", "ok")),
        ([[0, 3, 2], [1, 0, 2], [0, 0, 0]], ("ok", "ok", "winless")),
        ([[0, 1, 0], [0, 0, 1], [0, 0, 0]], ("undefeated", "split", "winless")),
        ([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], ("ok",) * 4),
        ([[0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], ("split",) * 4),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], ("ok", "ok", "unjudged")),
        ([[0, 1], [0, 0]], ("undefeated", "winless")),
    ],
)
def test_standings_of_small_graphs(wins: list, standing: tuple) -> None:
    assert connectivity(counts_of_wins("abcd"[: len(wins)], wins)).standing == standing


@given(some_rows)
def test_the_order_effect_exists_exactly_where_no_direction_separates(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    group = connectivity(counts).strong
    n = len(group)
    design, outcome = [], []
    for seat, table in zip((0, 1, -1), counts.wins, strict=True):
        for i, j in np.argwhere((table > 0) & (group[:, None] == group)):
            strengths = np.zeros(n)
            strengths[i], strengths[j] = 1, -1
            design.append([*strengths, seat])
            outcome.append(1.0)
    found = order_effect_is_identified(counts, group)
    if not design:
        assert not found
        return
    matrix = np.array(design)
    # Free of its means, the order effect exists where it is no mixture of strengths (rank) and
    # no direction fits every win (separation).
    means = [np.flatnonzero(group == g)[0] for g in np.unique(group)]
    free = np.delete(matrix, means, axis=1)
    rank_is_full = np.linalg.matrix_rank(free) == free.shape[1]
    assert found == (rank_is_full and not is_separated(free, np.array(outcome)))
