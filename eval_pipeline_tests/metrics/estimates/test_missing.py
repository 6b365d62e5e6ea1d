"""Failed samples: neither all wrong nor all dropped, but both, beside what was declared."""

import math

import pytest

from eval_pipeline.metrics.estimates.missing import FAILED, missing_report
from eval_pipeline.warehouse.schemas.vocabulary import SAMPLE_STATUSES


def test_failures_are_reported_under_each_reading():
    found = missing_report(2, 1, {"timeout": 1})
    assert (found.primary, found.all_wrong, found.valid_only) == (0.5, 0.5, pytest.approx(2 / 3))
    assert (found.bound_low, found.bound_high) == (0.5, 0.75)


def test_every_status_is_counted_and_they_are_those_of_the_samples():
    assert {"ok", *FAILED} == set(SAMPLE_STATUSES)
    assert missing_report(1, 0, {"timeout": 2}).counts == dict.fromkeys(FAILED, 0) | {"timeout": 2}


def test_the_declared_policy_makes_the_primary_rate():
    failed = {"infra_error": 2, "model_refusal": 1}
    policy = {"infra_error": "exclude", "model_refusal": "wrong"}
    found = missing_report(3, 2, failed, policy)
    assert (found.primary, found.all_wrong, found.valid_only) == (3 / 6, 3 / 8, 3 / 5)
    with pytest.raises(ValueError, match="policy counts model_refusal as None: declare wrong"):
        missing_report(3, 2, failed, {"infra_error": "exclude"})


def test_errors_are_no_successes():
    """Five errored attacks of sixty: none is shown to have succeeded, and at most all five did."""
    found = missing_report(0, 55, {"infra_error": 5})
    assert found.valid_only == 0.0
    assert (found.bound_low, found.bound_high) == (0.0, pytest.approx(5 / 60))


def test_where_all_fail_the_valid_share_is_undefined():
    found = missing_report(0, 0, {"infra_error": 3}, {"infra_error": "exclude"})
    assert math.isnan(found.valid_only)
    assert math.isnan(found.primary)
    assert found.all_wrong == 0.0


@pytest.mark.parametrize(
    ("right", "wrong", "failed", "complaint"),
    [
        (0, 0, {}, "no samples"),
        (-1, 0, {"timeout": 3}, "n_right must be at least 0"),
        (True, 0, {"timeout": 3}, "n_right must be a whole number, got True"),
        (1, 0, {"timeout": 1.5}, "count of timeout must be a whole number"),
        (1, 0, {"wrong": 1}, "unknown status 'wrong': use parser_failure"),
    ],
)
def test_impossible_counts_are_refused(right, wrong, failed, complaint):
    with pytest.raises(ValueError, match=complaint):
        missing_report(right, wrong, failed)
