"""bigcode-evaluation-harness: a list of lists of programs, and a list of tests of that length.

The place in the list names the item, an inner list holds its draws, and a program holds the prompt.
Source: the generations and references of bigcode-project/bigcode-evaluation-harness.
"""

import re
from collections.abc import Iterator, Sequence

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.plain import models_of
from eval_pipeline.ingest.peers.reading import a_list, a_text

PROGRAMS, TESTS = "programs", "tests"
_CHECKED = re.compile(r"^\s*check\((\w+)\)\s*$", re.MULTILINE)
_ASSERTED = re.compile(r"^\s*assert\s+(?:not\s+|\()?\s*(\w+)\s*\(", re.MULTILINE)
_NO_TASK = frozenset({"len", "set", "sorted", "abs", "round", "list", "tuple", "math", "str"})


def _claims(glance: Glance) -> str | None:
    rows = glance.rows
    if rows and all(isinstance(one, list) and one and _is_text(one) for one in rows):
        return PROGRAMS
    return TESTS if rows and _is_text(rows) else None


def _read(files: Claimed) -> Iterator[Entry]:
    if PROGRAMS not in files:
        raise ValueError(f"{files[TESTS][0].name} holds tests and no programs: name those too")
    programs = files[PROGRAMS]
    for glance, model in zip(programs, models_of(programs), strict=True):
        tests = _tests_of(glance, files.get(TESTS, ()))
        task = (tests or glance).path.name.partition(".")[0]
        for number, drawn in enumerate(glance.rows):
            test = a_text(tests.rows[number]) if tests else None
            entry = None if test is None else entry_point(test)
            place = f"{glance.name}: [{number}]"
            if test is not None and entry is None:
                detail = "its test does not say which function it calls"
                yield PeerReject(place, "no_entry_point", detail)
                continue
            columns: dict[str, Json] = {} if test is None else {"test": test, "entry_point": entry}
            for draw, program in enumerate(a_list(drawn)):
                yield PeerReply(
                    task=task,
                    item_id=str(number),
                    model=model,
                    draw=draw,
                    question=f"task {number} of {task}",
                    text=a_text(program),
                    place=f"{place}[{draw}]",
                    item_columns=columns,
                )


def entry_point(test: str) -> str | None:
    """The function that a test calls: the one that is checked, else that of the first assertion."""
    if checked := _CHECKED.findall(test):
        return str(checked[-1])
    named = (name for name in _ASSERTED.findall(test) if name not in _NO_TASK)
    return next(named, None)


def _tests_of(glance: Glance, tests: Sequence[Glance]) -> Glance | None:
    """The tests of as many items. Raises ValueError where there are tests, and none of them fit."""
    fitting = [one for one in tests if len(one.rows) == len(glance.rows)]
    if len(fitting) > 1:
        names = ", ".join(one.name for one in fitting)
        raise ValueError(f"{glance.name}: {names} have as many tests each: import one with it")
    if tests and not fitting:
        raise ValueError(
            f"{glance.name} holds {len(glance.rows)} tasks and {tests[0].name} "
            f"{len(tests[0].rows)} tests: they do not belong together"
        )
    return fitting[0] if fitting else None


def _is_text(values: Sequence[Json]) -> bool:
    return all(isinstance(one, str) for one in values)


FORM = PeerForm("bigcode", "bigcode: lists of programs and their tests", _claims, _read)
