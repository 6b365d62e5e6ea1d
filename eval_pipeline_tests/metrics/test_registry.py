import subprocess
import sys

import pytest

from eval_pipeline.metrics.registry import METRICS, STATUS_RATES, from_label, label_of, metric
from eval_pipeline.warehouse.schemas.vocabulary import FAILURE_STATUSES


def test_an_unknown_name_gets_the_nearest_known_ones():
    with pytest.raises(ValueError, match=r"unknown metric 'pas_at_k': did you mean pass_at_k"):
        metric("pas_at_k")
    with pytest.raises(ValueError, match="known are pass_at_k, pass_hat_k"):
        metric("zzz")


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_is_found_by_the_label_that_tables_use(name):
    k = 4 if METRICS[name].needs_k else None
    assert from_label(label_of(name, k)) == (METRICS[name], k)


@pytest.mark.parametrize("label", ["pass_at_k", "pass@0", "pass@x", "pass@", "majority@-1"])
def test_a_label_without_a_proper_k_is_refused(label):
    with pytest.raises(ValueError, match=r"needs a k|unknown metric"):
        from_label(label)


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
