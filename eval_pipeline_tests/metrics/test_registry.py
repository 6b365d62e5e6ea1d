import math
import subprocess
import sys

import pytest

from eval_pipeline.metrics.measures.forms import PerSample
from eval_pipeline.metrics.measures.lookup import measure_of
from eval_pipeline.metrics.registry import (
    FAMILIES,
    METRICS,
    STATUS_RATES,
    asked,
    from_label,
    label_of,
    metric,
)
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.schemas.vocabulary import FAILURE_STATUSES

FROM_COLUMNS = sorted(name for name, one in METRICS.items() if one.made_from == "columns")


def test_an_unknown_name_gets_the_nearest_known_ones():
    with pytest.raises(ValueError, match=r"unknown metric 'pas_at_k': did you mean pass_at_k"):
        metric("pas_at_k")
    with pytest.raises(ValueError, match=f"metrics` lists the {len(METRICS)}"):
        metric("zzz")


def test_each_metric_stands_in_one_family():
    assert sum(len(family.METRICS) for family in FAMILIES) == len(METRICS)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_is_found_by_the_label_that_tables_use(name):
    k = 4 if METRICS[name].needs_k else None
    needed = {
        option.name: option.default or "x" for option in METRICS[name].options if option.required
    }
    assert from_label(label_of(name, k, needed)) == (METRICS[name], k)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_an_entry_says_all_that_a_reader_needs(name):
    one = METRICS[name]
    assert one.meaning.endswith(".")
    assert one.source
    assert one.unit
    assert one.columns
    assert one.least < one.most
    for column in one.columns:
        assert column.table in TABLES
        assert column.key


@pytest.mark.parametrize("name", FROM_COLUMNS)
def test_a_metric_from_columns_has_a_measure_of_the_form_that_its_entry_promises(name):
    one = METRICS[name]
    assert isinstance(measure_of(one), PerSample) == one.per_item
    if one.per_item:  # its mean and bounds need ends
        assert math.isfinite(one.least)
        assert math.isfinite(one.most)


def test_options_have_one_label_whatever_their_order_and_defaults_none():
    given = {"rule": "equal_mass", "bins": 20}
    assert label_of("ece_event", options=given) == "ece_event(bins=20, rule=equal_mass)"
    assert label_of("ece_event", options={"bins": 10, "rule": "equal_width"}) == "ece_event"
    one = asked("ece_event(bins=20)")
    assert one.options == {"bins": 20, "rule": "equal_width"}
    assert asked("ece_event").options == {"bins": 10, "rule": "equal_width"}


@pytest.mark.parametrize(
    ("label", "fault"),
    [
        ("ece_event(bin=20)", "ece_event has no option 'bin': did you mean bins"),
        ("ece_event(bins=0)", "option bins is 0, outside 1 to 1000"),
        ("ece_event(bins=2.5)", "option bins must be a whole number"),
        ("ece_event(bins)", "option bins has no value"),
        ("ece_event(rule=equal_mas)", "option rule is 'equal_mas', which is no choice here"),
        ("fid", "'fid' needs the option network: name the network"),
        ("clip_score(network=x)", "needs the option w"),
        ("accuracy(bins=3)", "accuracy has no option 'bins': accuracy takes no options"),
        ("pass_at_k", "needs a k: write it as pass@1"),
        ("pass_at_k_plugin", "needs a k: write it as pass_at_k_plugin@1"),
        ("pass@0", "unknown metric"),
        ("pass@x", "unknown metric"),
        ("pass@", "unknown metric"),
        ("pass_at_k@4", "unknown metric"),
        ("accuracy@4", "unknown metric"),
        ("majority@-1", "unknown metric"),
        ("", "unknown metric"),
    ],
)
def test_a_label_that_means_nothing_is_refused(label, fault):
    with pytest.raises(ValueError, match=fault):
        from_label(label)


@pytest.mark.parametrize(
    ("option", "value", "fault"),
    [
        ("bins", True, "must be a whole number"),
        ("bins", "10", "must be a whole number"),
        ("bins", 2000, "outside 1 to 1000"),
        ("rule", 3, "must be a word"),
        ("rule", "a, b=c", "must be a word"),
        ("rule", "equal-mass", "no choice"),
    ],
)
def test_an_option_says_what_is_wrong_with_a_value(option, value, fault):
    said, mend = METRICS["ece_event"].option(option).fault(value)
    assert fault in said
    assert mend


def test_each_failure_status_has_one_rate_and_fewer_failures_are_better():
    assert sorted(rate.counts for rate in STATUS_RATES) == sorted(FAILURE_STATUSES)
    assert not any(rate.higher_is_better for rate in STATUS_RATES)


def test_instruments_carry_their_version():
    assert METRICS["pass_at_k"].instrument == "pass_at_k@1"


def test_looking_up_a_name_loads_no_library():
    code = (
        "import sys; import eval_pipeline.metrics.registry; "
        "heavy = {'numpy', 'scipy', 'pyarrow', 'pydantic', 'pandas'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
