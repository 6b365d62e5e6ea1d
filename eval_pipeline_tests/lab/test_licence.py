"""The labelled slice decides: the judge that deserves a licence gets it, whatever the seed."""

from collections import Counter

import pytest

from eval_pipeline_tests.lab.as_read import Lab


@pytest.mark.slow
def test_the_right_judge_is_licensed_and_the_others_refused_in_nearly_every_lab() -> None:
    found = Counter(tuple(sorted(Lab(seed).licences().items())) for seed in range(40))
    wanted = (("heron_judge", "refused"), ("kindly", "refused"), ("stern", "licensed"))
    assert found[wanted] >= 36, found
