"""Cases beside the golden ones: other shapes of the same inputs, and each kind of bad input."""

from pathlib import Path

import pytest

from eval_pipeline_tests.golden.runner import instruments, read_cases, run

CASES = read_cases(Path(__file__).with_name("sibling_cases.json"))
ANSWERS = instruments()


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_case_of_another_shape_is_answered_and_a_bad_one_refused(case):
    assert run(case, ANSWERS[case["instrument"]]).complaint is None
