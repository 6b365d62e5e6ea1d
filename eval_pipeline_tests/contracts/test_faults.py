"""Faults read as one line each, whatever the file holds."""

import datetime

import pytest

from eval_pipeline.contracts.faults import Fault, Faults, field_of, nearest, shown


def test_a_fault_is_one_line_of_place_field_message_and_mend():
    fault = Fault("task.slices", "contracts/a/v1.yaml", 3, "is empty", "fill it")
    assert str(fault) == "contracts/a/v1.yaml:3: task.slices: is empty; fill it"
    assert str(Fault("", "a.yaml", None, "is empty", "fill it")) == "a.yaml: is empty; fill it"


def test_faults_are_sorted_said_once_and_counted_beyond_a_hundred():
    faults = [Fault("x", "f", line, "is odd", "mend it") for line in (*range(150, 0, -1), 7)]
    error = Faults(faults)
    assert len(error.faults) == 150
    lines = str(error).split("\n")
    assert lines[0] == "f:1: x: is odd; mend it"
    assert lines[100:] == ["and 50 more faults"]
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("metrics", 1, "k"), "metrics[1].k"),
        ((0, "date"), "[0].date"),
        (("a b", "c"), "'a b'.c"),
        (("\x1b[2J",), "'\\x1b[2J'"),
        ((), ""),
    ],
)
def test_a_path_is_written_as_people_read_it(path, written):
    assert field_of(path) == written


def test_values_are_shown_short_and_escaped():
    assert shown("x" * 100) == f"'{'x' * 56}..."
    assert shown("\u202e\x9b\n") == "'\\u202e\\x9b\\n'"
    assert shown(datetime.date(2026, 1, 5)) == "the date 2026-01-05"
    assert [shown(value) for value in (True, None, {}, [], 0.5)] == [
        "true",
        "nothing",
        "a mapping",
        "a list",
        "0.5",
    ]


def test_the_nearest_names_are_offered_else_all_within_reason():
    assert nearest("marign", ["margin", "rule"]) == "did you mean margin?"
    assert nearest("zzz", ["margin", "rule"]) == "use one of margin, rule"
    assert nearest("zzz", []) == ""
    assert nearest("margin", ["margin\x1b[2J"]) == ""
    assert nearest("zzz", [f"n{i}" for i in range(40)]).endswith("n29 or 10 more")
