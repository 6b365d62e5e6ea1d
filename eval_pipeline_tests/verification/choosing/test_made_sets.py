"""The choice against planted truth: every place, befallen by all that befalls replies."""

import pytest

from eval_pipeline_tests.verification.choosing.made import ANSWERS, FATES, made_set, made_sets
from eval_pipeline_tests.verification.choosing.trial import Trial, tried

MOST_BIAS = 0.5  # points between two models of different habits


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    return [tried(made_set(*named)) for named in made_sets()]


@pytest.mark.slow
def test_the_right_place_is_chosen(trials: list[Trial]) -> None:
    wrong = [one for one in trials if not one.is_right]
    assert len(trials) > 250
    assert len(wrong) <= 0.05 * len(trials), "\n".join(map(str, wrong))


@pytest.mark.slow
def test_a_wrong_choice_is_never_sure(trials: list[Trial]) -> None:
    assert [str(one) for one in trials if one.is_sure and not one.is_right] == []


@pytest.mark.slow
def test_no_habit_is_favoured(trials: list[Trial]) -> None:
    right = [one for one in trials if one.is_right and one.is_sure]
    assert [str(one) for one in right if one.bias >= MOST_BIAS] == []


@pytest.mark.slow
def test_a_marked_answer_is_read_and_not_doubted(trials: list[Trial]) -> None:
    alone = [one for one in trials if one.made.fate == "alone" and one.made.is_marked]
    assert [str(one) for one in alone if one.choice.state != "read"] == []


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("fate", FATES)
def test_a_marker_in_any_fate(kind: str, fate: str) -> None:
    trial = tried(made_set(kind, "marker", fate, n_items=40))
    assert trial.is_right, trial
    assert trial.bias < MOST_BIAS or not trial.is_sure, trial
