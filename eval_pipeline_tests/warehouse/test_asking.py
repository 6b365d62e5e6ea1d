"""A question in a process of its own ends at its limits, and answers as one in this process."""

import re
import time

import pytest

from eval_pipeline.warehouse.asking import GRACE, asked
from eval_pipeline.warehouse.errors import QueryFailed, QueryRefused
from eval_pipeline.warehouse.query import query
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import publish

MEMORY_MB = 1024


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    made = Warehouse(tmp_path_factory.mktemp("asking") / "warehouse")
    publish(made)
    return made


def test_the_answer_is_that_of_a_question_in_this_process(warehouse):
    sql = "SELECT * FROM verifier_scores ORDER BY item_id, draw"
    assert asked(warehouse.path, sql, 30, MEMORY_MB).equals(query(warehouse, sql))


@pytest.mark.parametrize(
    ("sql", "kind", "said"),
    [
        ("SELECT nothing", QueryFailed, "nothing"),
        ("DROP VIEW items", QueryRefused, "DROP is refused"),
        ("SELECT length(repeat('y', 3000000000))", QueryFailed, "MiB"),
        (
            "SELECT max(a.range % (b.range + 1)) FROM range(9000000) a, range(9000) b",
            QueryFailed,
            "1 s",
        ),
        (
            "SELECT max(length(regexp_replace(repeat('ab', 100000000), '(a|b)', '\\\\1x', 'g')))",
            QueryFailed,
            "no answer within 1 s|MiB",
        ),
    ],
)
def test_what_has_no_answer_ends_in_a_line_and_in_time(warehouse, sql, kind, said):
    began = time.monotonic()
    with pytest.raises(kind, match=said) as caught:
        asked(warehouse.path, sql, 1, MEMORY_MB)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 1 + GRACE + 10  # the child's start is not the question's


def test_text_that_is_no_unicode_is_refused_in_a_line(warehouse):
    with pytest.raises((QueryFailed, QueryRefused)) as caught:
        asked(warehouse.path, "SELECT '\udc80", 5, MEMORY_MB)
    assert re.fullmatch(r"[^\n]+", str(caught.value))
