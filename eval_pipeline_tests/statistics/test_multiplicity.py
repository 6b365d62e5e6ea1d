import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from eval_pipeline.statistics.multiplicity import adjusted

THEIR_NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}
p_values = st.lists(st.floats(0, 1).map(lambda p: round(p, 6)), min_size=1, max_size=20)


@given(p_values, st.sampled_from(sorted(THEIR_NAMES)))
def test_all_rules_agree_with_statsmodels(p, rule):
    theirs = multipletests(p, method=THEIR_NAMES[rule])[1]
    np.testing.assert_allclose(adjusted(p, rule), theirs, atol=1e-12)


def test_all_rules_agree_with_the_golden_table(golden_vectors):
    golden = golden_vectors("ranking.json")["p_adjust"]
    for rule, expected in golden["adjusted"].items():
        np.testing.assert_allclose(adjusted(golden["p"], rule.lower()), expected, atol=1e-12)


def test_a_test_that_was_not_made_is_not_counted():
    found = adjusted([0.01, np.nan, 0.04], "bonferroni")
    np.testing.assert_allclose(found, [0.02, np.nan, 0.08])


def test_no_tests_give_no_p_values():
    assert adjusted([], "holm").size == 0


@pytest.mark.parametrize(("p", "rule"), [([0.5], "sidak"), ([1.5], "holm"), ([-0.1], "bh")])
def test_unknown_rules_and_impossible_p_values_are_refused(p, rule):
    with pytest.raises(ValueError, match=r"unknown multiplicity rule|in \[0, 1\]"):
        adjusted(p, rule)


@pytest.mark.parametrize("m", range(1, 30))
@pytest.mark.parametrize("bar", [0.01, 0.05, 0.1])
def test_p_values_at_the_bar_are_rejected(m, bar):
    assert (adjusted([bar] * m, "bh") <= bar).all()
    assert (adjusted([bar / m] * m, "bonferroni") <= bar).all()
    at_their_bars = [bar * rank / m for rank in range(1, m + 1)]
    assert (adjusted(at_their_bars, "bh") <= bar).all()
