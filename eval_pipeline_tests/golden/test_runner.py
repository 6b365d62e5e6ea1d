"""Every golden case of every room, and the harness that runs them."""

import json
import math

import pytest

from eval_pipeline_tests.golden.runner import (
    difference,
    instruments,
    main,
    read_cases,
    run,
    undefined_as_nan,
)


def test_every_golden_case_that_a_room_answers_is_right(golden_vectors):
    answers = instruments()
    cases = [c for c in golden_vectors("instruments.json") if c["instrument"] in answers]
    failed = [r for r in (run(c, answers[c["instrument"]]) for c in cases) if r.complaint]
    assert len(cases) > 100
    assert not failed


def test_every_worked_example_is_met(golden_vectors, reference_data, tmp_path):
    path = tmp_path / "ranking.json"
    path.write_text(json.dumps(golden_vectors("ranking.json")))
    cases, answers = read_cases(path), instruments()
    assert len(cases) > 80
    assert not {c["instrument"] for c in cases} - answers.keys()
    assert not [r for r in (run(c, answers[c["instrument"]]) for c in cases) if r.complaint]


def case(expected, tolerance=0.0, instrument="double", **inputs):
    return {
        "id": "x",
        "instrument": instrument,
        "inputs": inputs,
        "expected": expected,
        "tolerance": tolerance,
    }


def test_a_case_passes_within_its_tolerance_only():
    assert run(case(2.0, 0.1, x=1.04), lambda x: 2 * x).complaint is None
    assert run(case(2.0, 0.1, x=1.06), lambda x: 2 * x).complaint is not None
    assert run(case(2, None, x=1), lambda x: 2 * x).complaint is None


def test_a_case_that_must_raise_passes_on_that_error_only():
    refuse = case({"raises": "ValueError"}, None, x=-1)
    assert run(refuse, lambda x: math.sqrt(x)).complaint is None
    assert "must raise ValueError" in run(refuse, lambda x: x).complaint
    assert "raised TypeError" in run(refuse, lambda x: x + "").complaint


def test_extra_keys_are_fine_and_named_ones_must_match():
    assert difference({"a": 1}, {"a": 1, "b": 2}, 0) is None
    assert difference({"a": [1, None]}, {"a": [1, math.nan]}, 0) is None
    assert difference({"a": [1, 2]}, {"a": [1, 3]}, 0) == "['a'][1] must be 2 +/- 0, but is 3"
    assert difference({"a": 1}, {"b": 1}, 0) == "the answer lacks 'a'"
    assert difference(True, 1, 0) is None
    assert difference(1, True, 0) is not None


def test_null_in_a_list_of_numbers_is_undefined():
    found = undefined_as_nan({"x": [1, None], "y": [None, "a"], "z": None})
    assert math.isnan(found["x"][1])
    assert found["y"] == [None, "a"]
    assert found["z"] is None


def test_the_command_prints_failures_gaps_and_counts(tmp_path, capsys):
    path = tmp_path / "cases.json"
    right = case(0.5, 1e-9, "pass_at_k_unbiased", n=2, c=1, k=1)
    wrong = case(0.7, 1e-9, "pass_at_k_unbiased", n=2, c=1, k=1)
    path.write_text(json.dumps([right, wrong, case(1, 0, "of no room")]), encoding="utf-8")
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("x (pass_at_k_unbiased): the answer must be 0.7")
    assert lines[1] == "not yet answered: of no room"
    assert lines[-1] == "1 passed, 1 failed"
    path.write_text(json.dumps([right]), encoding="utf-8")
    assert main([str(path)]) == 0


def test_a_case_that_breaks_inside_fails_with_its_id_and_stops_nothing(tmp_path, capsys):
    path = tmp_path / "cases.json"
    broken = case(1, 0, "pass_at_k_unbiased", nonsense=1)
    unlike = {**case([1], 0, "pass_at_k_unbiased", n=2, c=1, k=1), "id": "y"}
    path.write_text(json.dumps([broken, unlike]), encoding="utf-8")
    assert main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("x (pass_at_k_unbiased): raised ValueError: the inputs nonsense")
    assert lines[1].startswith("y (pass_at_k_unbiased): the answer must be a list")
    assert lines[-1] == "0 passed, 2 failed"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file"),
        ("{", "is not JSON"),
        ('{"bt": {"items": []}}', "holds no list of cases but a dict"),
        ("[]", "its list is empty"),
        ("[3]", "case 0 is no object but 3"),
        ('[{"id": "q", "inputs": {}}]', "case 0 (q) lacks instrument, expected"),
        (json.dumps([{**case(1, 0), "inputs": [1]}]), "needs an object of keyword arguments"),
        (json.dumps([case(1, "wide")]), "case 0 (x) has tolerance 'wide'"),
        (json.dumps([{**case(1, 0), "instrument": 3}]), "needs texts as id and instrument"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_without_cases_is_refused_in_one_line(tmp_path, capsys, content, said):
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert main([str(path)]) == 2
    found = capsys.readouterr()
    assert said in found.err
    assert len(found.err.splitlines()) == 1
    assert found.out == "0 passed, 0 failed\n"


def test_the_command_says_how_it_is_used(capsys):
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["pass_at_k_unbiased", "multiple_comparisons", "bootstrap_ci"])
def test_rooms_are_gathered(name):
    assert name in instruments()
