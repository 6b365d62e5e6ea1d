import numpy as np
import pytest

from eval_pipeline.metrics.entry import MetricColumn
from eval_pipeline_tests.metrics.described import described

MARKS = {"a": "+-", "b": "+"}


def columns(of_a, items=None):
    return described(MARKS, {"a": of_a, "b": [{}]}, items)[1].further()


def test_values_line_up_with_samples_and_lack_where_nothing_was_recorded():
    read = columns([{"confidence": 0.5}, {"caption": "red"}], {"a": {"answer": "7", "level": 3}})
    confidence = read.values(MetricColumn("generations.confidence", "share"))
    assert confidence == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)
    assert read.values(MetricColumn("generations.caption", "text")).tolist() == [None, "red", None]
    assert read.values(MetricColumn("items.answer", "text")).tolist() == ["7", "7", None]
    assert read.values(MetricColumn("items.level", "number")).tolist()[:2] == [3, 3]
    assert read.present(MetricColumn("generations.caption", "text")).tolist() == [
        False,
        True,
        False,
    ]
    assert not read.present(MetricColumn("generations.nowhere", "json")).any()


def test_a_key_that_the_contract_slices_or_clusters_by_is_found_as_well():
    items, samples = described(MARKS, {}, slices={"a": {"topic": "x"}})
    tables = samples.further().tables
    read = samples.with_tables(items, tables, clustered_by="template").further()
    assert read.values(MetricColumn("items.topic", "text")).tolist() == ["x", "x", None]
    assert read.values(MetricColumn("items.template", "text")).tolist() == ["a", "a", "b"]


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("number", True, "a finite number"),
        ("number", "3", "a finite number"),
        ("number", float("nan"), "a finite number"),
        ("share", 1.2, "a number from 0 to 1"),
        ("share", -0.1, "a number from 0 to 1"),
        ("flag", 1, "true or false"),
        ("text", 3, "text"),
        ("texts", [], "text or a list of texts"),
        ("texts", ["a", 1], "text or a list of texts"),
        ("numbers", [1, True], "a list of finite numbers"),
        ("numbers", 3, "a list of finite numbers"),
        ("matrix", [[1, 2], [3]], "a list of lists"),
        ("flags", [True, 1], "a list of true and false"),
    ],
)
def test_a_value_of_another_kind_names_its_sample_and_what_it_must_be(kind, value, wanted):
    read = columns([{}, {"thing": value}])
    with pytest.raises(ValueError, match=f"item 'a', draw 1: generations.thing is .*{wanted}"):
        read.values(MetricColumn("generations.thing", kind))


def test_a_wrong_value_of_an_item_names_the_item_and_counts_the_others():
    read = columns([{}, {}], {"a": {"level": "x"}, "b": {"level": "y"}})
    with pytest.raises(ValueError, match=r"item 'a': items.level .*\(1 more such items\)"):
        read.values(MetricColumn("items.level", "number"))


def test_lists_of_numbers_come_as_arrays():
    read = columns([{"token_logprobs": [-0.5, -1.0]}, {"token_logprobs": []}])
    found = read.values(MetricColumn("generations.token_logprobs", "numbers"))
    assert found[0].tolist() == [-0.5, -1.0]
    assert found[1].tolist() == []
    assert found[2] is None
    broken = columns([{"token_logprobs": [-0.5]}, {"token_logprobs": [float("inf")]}])
    with pytest.raises(ValueError, match=r"item 'a', draw 1: generations\.token_logprobs"):
        broken.values(MetricColumn("generations.token_logprobs", "numbers"))


def test_rows_of_other_samples_are_refused():
    items, samples = described(MARKS, {})
    table = samples.further().tables["generations"]
    with pytest.raises(ValueError, match="generations holds 2 samples, not the 3"):
        samples.with_tables(items, {"generations": table.slice(1)})
