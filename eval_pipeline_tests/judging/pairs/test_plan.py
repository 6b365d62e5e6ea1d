"""Which pairs are planned, and on which items."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.pairs.plan import (
    Partner,
    Sampling,
    pair_names,
    partners,
    plan_rows,
    sampled_items,
)

EARLIER = ["heron@1", "tern@1", "heron@2", "tern@2"]  # by (date, name)


def test_a_checkpoint_meets_anchors_the_last_accepted_and_the_nearest() -> None:
    found = partners("tern@3", EARLIER, ["heron@1"], {"tern@1"}, nearest=1)
    assert found == [
        Partner("heron@1", "anchor"),
        Partner("tern@1", "last_accepted"),
        Partner("tern@2", "nearest"),
    ]


def test_a_partner_of_several_reasons_is_planned_once() -> None:
    assert partners("tern@3", EARLIER, ["tern@2"], {"tern@2"}, nearest=1) == [
        Partner("tern@2", "anchor")
    ]


def test_the_latest_accepted_one_counts() -> None:
    found = partners("tern@3", EARLIER, accepted={"heron@1", "heron@2"})
    assert found == [Partner("heron@2", "last_accepted")]


def test_where_none_is_accepted_the_earliest_stands_in() -> None:
    assert partners("tern@3", EARLIER, accepted=set()) == [Partner("heron@1", "last_accepted")]


def test_an_anchor_that_lands_late_meets_all_before_it() -> None:
    found = partners("anchor@1", EARLIER, ["anchor@1"])
    assert [one.name for one in found] == sorted(EARLIER)


def test_cost_does_not_grow_with_history() -> None:
    many = [f"tern@{i:04d}" for i in range(500)]
    assert len(partners("tern@9999", many, ["tern@0000"], {"tern@0003"}, nearest=2)) == 4


def test_the_first_checkpoint_has_no_pairs() -> None:
    assert partners("heron@1", [], ["heron@1"], set(), nearest=2) == []


def test_names_of_a_pair_are_sorted() -> None:
    assert pair_names("tern@1", "heron@1") == ("heron@1", "tern@1")
    with pytest.raises(ValueError, match="against itself"):
        pair_names("tern@1", "tern@1")


def topics(*sizes: int) -> dict[str, dict[str, str]]:
    return {
        f"item{s}-{i:03d}": {"topic": f"t{s}"} for s, size in enumerate(sizes) for i in range(size)
    }


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 60))
def test_a_sample_keeps_the_share_of_every_stratum(sizes: list[int], per_pair: int) -> None:
    items = topics(*sizes)
    chosen = sampled_items(items, Sampling(per_pair, ["topic"]), 1, "a", "b")
    assert len(chosen) == len(set(chosen)) == min(per_pair, len(items))
    assert chosen == sorted(chosen)
    for s, size in enumerate(sizes):
        due = size * min(1.0, per_pair / len(items))
        assert abs(sum(items[one]["topic"] == f"t{s}" for one in chosen) - due) < 1


def test_a_sample_depends_on_its_pair_and_on_nothing_else() -> None:
    items = topics(40, 40)
    backwards = dict(reversed(items.items()))
    ask = Sampling(10, ["topic"])
    one = sampled_items(items, ask, 7, "heron@1", "tern@1")
    assert one == sampled_items(backwards, ask, 7, "heron@1", "tern@1")
    assert one != sampled_items(items, ask, 7, "heron@1", "tern@2")
    assert one != sampled_items(items, ask, 8, "heron@1", "tern@1")


def test_an_item_without_the_slice_is_named() -> None:
    with pytest.raises(ValueError, match=r"item 'b' has no slice 'topic'.*name it in task.slices"):
        sampled_items({"a": {"topic": "x"}, "b": {}}, Sampling(1, ["topic"]), 1)


def test_rows_are_sorted_by_item_and_pair() -> None:
    chosen = [Partner("zebra@1", "nearest"), Partner("ant@1", "anchor")]
    rows = plan_rows("tern@1", chosen, {"i2": {}, "i1": {}}, None, 1)
    assert [(r["item_id"], r["model_a"], r["model_b"], r["chosen_by"]) for r in rows] == [
        ("i1", "ant@1", "tern@1", "anchor"),
        ("i1", "tern@1", "zebra@1", "nearest"),
        ("i2", "ant@1", "tern@1", "anchor"),
        ("i2", "tern@1", "zebra@1", "nearest"),
    ]
