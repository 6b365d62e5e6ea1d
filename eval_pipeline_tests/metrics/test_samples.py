import numpy as np
import pyarrow as pa
import pytest

from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline_tests.metrics.recorded import items_table, recorded, scores_table


def test_rows_in_any_order_give_the_same_arrays():
    items = Items.from_table(items_table(["b", "a"]))
    table = scores_table({"a": "+-", "b": "-+"})
    one, other = (
        Samples.from_table(table.take(pa.array(order)), items)
        for order in ([0, 1, 2, 3], [3, 1, 0, 2])
    )
    assert list(items.ids) == ["a", "b"]
    np.testing.assert_array_equal(one.item, other.item)
    np.testing.assert_array_equal(one.score, other.score)


def test_policies_read_failures_in_three_ways():
    _, samples = recorded({"a": "+rx"})
    np.testing.assert_array_equal(samples.under("primary"), [1, 0, np.nan])
    np.testing.assert_array_equal(samples.under("all_wrong"), [1, 0, 0])
    np.testing.assert_array_equal(samples.under("valid_only"), [1, np.nan, np.nan])


def test_answers_are_told_apart_and_none_is_none():
    _, samples = recorded({"a": "+--p"}, answers={"a": "ABC?"})
    assert len(set(samples.answer[:3].tolist())) == 3
    assert samples.answer[3] == -1


def test_a_checkpoint_without_samples_is_no_error():
    items, samples = recorded({}, absent=["a", "b"])
    assert (len(items), len(samples.item)) == (2, 0)


def test_a_sample_of_an_unknown_item_is_named():
    items = Items.from_table(items_table(["a"]))
    with pytest.raises(ValueError, match=r"hold item 'z', which items lack \(1 such items\)"):
        Samples.from_table(scores_table({"z": "+"}), items)


def test_a_draw_that_stands_twice_is_named():
    items = Items.from_table(items_table(["a"]))
    table = scores_table({"a": "+"})
    with pytest.raises(ValueError, match="item 'a': draw 0 stands twice"):
        Samples.from_table(pa.concat_tables([table, table]), items)


def test_an_item_that_stands_twice_is_named():
    with pytest.raises(ValueError, match="item 'a' stands twice"):
        Items.from_table(items_table(["a", "a"]))


def test_a_score_outside_0_and_1_is_named():
    items = Items.from_table(items_table(["a"]))
    table = scores_table({"a": "+"})
    place = table.schema.get_field_index("score")
    with pytest.raises(ValueError, match=r"item 'a', draw 0: score 2.0 is outside \[0, 1\]"):
        Samples.from_table(table.set_column(place, "score", pa.array([2.0])), items)


def test_a_macro_mean_needs_a_group_for_each_item():
    items = Items.from_table(items_table(["a", "b"], slices={"a": {"topic": "x"}}))
    with pytest.raises(ValueError, match=r"item 'b' has no 'topic' \(1 such items\)"):
        items.groups("topic")
    with pytest.raises(ValueError, match="no item has a slice 'level'"):
        items.groups("level")
