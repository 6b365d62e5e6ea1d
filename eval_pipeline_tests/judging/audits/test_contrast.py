"""Judge against people: the fit, against statsmodels, and what cancels."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm

from eval_pipeline.judging.audits.contrast import Contrast, ContrastFit, contrast, fit
from eval_pipeline.judging.audits.self_preference import (
    own_side,
    self_preference,
    self_preference_unadjusted,
)
from eval_pipeline.judging.audits.verbosity import verbosity_per_100_tokens, verbosity_slope
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

FAMILY = {"heron@1": "heron", "heron@2": "heron", "tern@1": "tern", "tern@2": "tern"}
MODELS = sorted(FAMILY)
PAIRS = [(a, b) for i, a in enumerate(MODELS) for b in MODELS[i + 1 :]]


def rows(n: int, seed: int, length_gap: float = 0.0, seat_effect: float = 0.0) -> Contrast:
    """Random contrasts over all pairs of models; items of five share a cluster.

    seat_effect: of one order each, drawn at random; 0: both orders were seen.
    """
    rng = np.random.default_rng(seed)
    pair = rng.integers(0, len(PAIRS), n)
    a, b = (np.array([PAIRS[p][side] for p in pair], dtype=object) for side in (0, 1))
    side = own_side(a, b, "tern", FAMILY)
    length = rng.normal(side * length_gap, 1.0)
    cluster = rng.integers(0, n // 5, n)
    shared = rng.normal(size=n // 5)[cluster]
    difference = 0.03 * length + 0.1 * side + 0.1 * shared + rng.normal(scale=0.2, size=n)
    seat = rng.choice([-1.0, 1.0], n) if seat_effect else np.zeros(n)
    difference += seat_effect * seat
    return Contrast(
        np.array([f"c{c}" for c in cluster], dtype=object),
        a,
        b,
        np.clip(difference, -1, 1),
        length,
        np.ones(n, dtype=np.int64),
        seat,
    )


def fitted(some: Contrast) -> ContrastFit:
    found = fit(some)
    assert isinstance(found, ContrastFit)
    return found


@pytest.mark.parametrize("seat_effect", [0.0, 0.15])
def test_slope_and_self_preference_agree_with_statsmodels_clustered_fit(seat_effect: float) -> None:
    some = rows(400, seed=3, length_gap=1.5, seat_effect=seat_effect)
    found = fitted(some)
    seat = [some.seat] if seat_effect else []
    dummies = np.eye(len(PAIRS))[found.pair]
    design = np.column_stack([some.length, *seat, dummies])
    theirs = sm.OLS(some.difference, design).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.unique(some.cluster_id.astype(str), return_inverse=True)[1]},
        use_t=True,
    )
    slope = verbosity_per_100_tokens(found, 0.95).estimate
    assert slope.value == pytest.approx(theirs.params[0])
    assert slope.se == pytest.approx(theirs.bse[0])
    assert (slope.low, slope.high) == pytest.approx(tuple(theirs.conf_int()[0]))
    side = own_side(some.model_a, some.model_b, "tern", FAMILY)
    weights = np.bincount(found.pair, side) / np.count_nonzero(side)
    test = theirs.t_test(np.concatenate([[0.0], *([[0.0]] * len(seat)), weights]))
    own = self_preference(found, "tern", FAMILY, 0.95)
    assert own.estimate.value == pytest.approx(float(np.squeeze(test.effect)))
    assert own.estimate.se == pytest.approx(float(np.squeeze(test.sd)))
    assert own.p_value == pytest.approx(float(np.squeeze(test.pvalue)))


def test_length_of_the_own_family_is_not_its_preference() -> None:
    some = rows(4000, seed=4, length_gap=3.0)
    adjusted = self_preference(fitted(some), "tern", FAMILY, 0.95).estimate
    plain = self_preference_unadjusted(some, "tern", FAMILY, 0.95).estimate
    assert adjusted.low < 0.1 < adjusted.high
    assert plain.low > 0.15  # 0.1 and three hundred tokens at 0.03


def test_naming_a_model_otherwise_changes_no_estimate() -> None:
    some = rows(300, seed=5)
    mirrored = replace(
        some,
        model_a=some.model_b,
        model_b=some.model_a,
        difference=-some.difference,
        length=-some.length,
    )
    one, other = fitted(some), fitted(mirrored)
    assert one.slope == pytest.approx(other.slope)
    own = [self_preference(f, "tern", FAMILY, 0.95).estimate for f in (one, other)]
    assert own[0].value == pytest.approx(own[1].value)
    assert own[0].se == pytest.approx(own[1].se)


def test_real_quality_of_longer_replies_cancels() -> None:
    """People and judge prefer the longer reply alike: the judge is not verbose."""
    votes, labels = [], []
    n_chars: dict[tuple[str, str], int] = {}
    for i in range(40):
        longer = A if i % 3 else B
        votes.append(vote_rows("stern", f"i{i}", [longer], [longer]))
        labels.append(label_rows(f"i{i}", [longer, longer]))
        n_chars |= {("heron@1", f"i{i}"): 400 + 400 * (longer == A), ("tern@1", f"i{i}"): 600}
    pairs, people = combine_votes(vote_table(votes)), combine_labels(label_table(labels))
    found = verbosity_per_100_tokens(fit(contrast(pairs, people, n_chars)), 0.95)
    assert found.estimate.value == pytest.approx(0.0, abs=1e-12)


def test_lengths_count_in_hundreds_of_tokens_of_four_characters() -> None:
    pairs = combine_votes(vote_table([vote_rows("stern", "i1", [A], [A])]))
    people = combine_labels(label_table([label_rows("i1", [A, TIE])]))
    lengths = {("heron@1", "i1"): 1000, ("tern@1", "i1"): 200}
    found = contrast(pairs, people, lengths)
    assert found.length.tolist() == [2.0]
    assert found.difference.tolist() == [0.25]
    assert found.n_votes.tolist() == [4]


def test_only_pairs_seen_in_both_orders_and_labelled_are_contrasted() -> None:
    pairs = combine_votes(
        vote_table(
            [
                vote_rows("stern", "i1", [A], [UNKNOWN]),
                vote_rows("stern", "i2", [A], [A]),
                vote_rows("stern", "i3", [A], [B]),
            ]
        )
    )
    people = combine_labels(
        label_table(
            [
                label_rows("i1", [A]),
                label_rows("i3", [A, B]),
                label_rows("i2", [A], honeypot=True),
            ]
        )
    )
    found = contrast(pairs, people, {})
    assert found.cluster_id.tolist() == ["i3"]
    assert np.isnan(found.length).all()


def test_without_lengths_there_is_a_reason_and_no_slope() -> None:
    some = rows(50, seed=6)
    unknown = replace(some, length=np.full(50, np.nan))
    found = verbosity_per_100_tokens(fit(unknown), 0.95)
    assert np.isnan(found.estimate.value)
    assert found.estimate.reason == "nothing judged and labelled whose replies' lengths are known"


def test_without_variation_of_length_there_is_no_slope() -> None:
    some = rows(50, seed=6)
    same = replace(some, length=np.ones(50))
    assert fit(same) == "lengths do not vary within a pair of models, or within a checkpoint"


def test_a_seat_that_follows_the_model_or_the_length_is_told_apart_from_neither() -> None:
    some = rows(200, seed=6)
    followed = replace(some, seat=own_side(some.model_a, some.model_b, "tern", FAMILY) * 1.0)
    for found in (
        self_preference(fitted(followed), "tern", FAMILY, 0.95),
        self_preference_unadjusted(followed, "tern", FAMILY, 0.95),
    ):
        assert "seat and model are one" in (found.estimate.reason or "")
    assert fitted(followed).slope == fitted(some).slope  # each pair's own term holds the seat
    longer_first = np.where(np.arange(200) % 2, 1.0, -1.0)
    assert "seat and length are one" in str(
        fit(replace(some, length=longer_first, seat=longer_first))
    )


def test_few_clusters_give_a_value_and_no_interval() -> None:
    some = rows(40, seed=7)
    found = verbosity_per_100_tokens(fit(some), 0.95).estimate
    assert np.isfinite(found.value)
    assert not found.has_interval
    assert found.reason is not None
    assert found.reason.startswith("no interval: 8 clusters")


def test_a_judge_whose_family_is_not_in_the_pairs_has_no_self_preference() -> None:
    found = self_preference(fitted(rows(100, seed=8)), "wren", FAMILY, 0.95)
    assert np.isnan(found.estimate.value)
    assert "'wren'" in str(found.estimate.reason)


def test_a_model_of_unknown_family_is_no_stranger() -> None:
    a, b = (np.array([name], dtype=object) for name in ("tern@1", "moth@1"))
    assert own_side(a, b, "tern", FAMILY).tolist() == [0]


def test_padding_that_changes_nothing_has_slope_zero() -> None:
    assert verbosity_slope([0, 100, 200, 300], [0.5] * 4) == 0.0
    assert verbosity_slope([0, 100, 200, 300], [0.5, 0.56, 0.62, 0.68]) == pytest.approx(0.06)
    assert np.isnan(verbosity_slope([100, 100], [0.5, 0.6]))


def test_a_judge_that_never_departs_from_people_has_no_interval():
    import numpy as np

    from eval_pipeline.judging.audits.contrast import ContrastFit, coefficient

    class Rows:
        cluster_id = np.array([f"c{i}" for i in range(40)], dtype=object)

        def __len__(self) -> int:
            return 40

    class Fitted:
        rows = Rows()
        n_parameters = 3

    fitted: ContrastFit = Fitted()  # type: ignore[assignment]  # all that coefficient looks at
    found, p_value = coefficient(fitted, 0.0, np.zeros(40), 0.95)
    assert np.isnan(found.low)
    assert "no interval" in (found.reason or "")
    assert np.isnan(p_value)
