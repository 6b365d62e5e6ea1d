"""What the processes of the sandbox say to each other, as each end agrees to read it.

Nothing forces the other end to say so: what comes from a candidate is looked at before it is used.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

Message = Mapping[str, object]  # one JSON object
Names = dict[str, Any]  # the names of a module, or arguments by name: values of any kind


class Case(TypedDict, total=False):
    """One call with what it returns, or one input of a program with its output."""

    args: list[Any]
    kwargs: Names
    returns: object
    stdin: str
    stdout: str


class Job(Case, total=False):
    """To the driver: a program and its tests; `kind` is tests (of Python), calls or program."""

    kind: str
    code: str
    helpers: str
    test: str
    entry_point: str
    solution_methods: bool
    cases: list[Case]
    tolerance: tuple[float, float]
    checker: str | None
    rules: int  # the version of the instrument
    alone: bool  # in a process that no other job sees


class Order(TypedDict, total=False):
    """To the candidate: code to be loaded or run, or the arguments of a call; `n` is its number."""

    n: int
    code: str
    entry_point: str
    solution_methods: bool
    stdin: str
    args: object  # as `values` sends them
    kwargs: object


class Answer(TypedDict, total=False):
    """From the candidate: that it loaded or ended, a value, or why there is none."""

    loaded: bool
    ended: bool
    value: object
    changed: object  # the arguments, where the call changed them
    unsent: bool  # some of them cannot be sent
    object: str  # a value that is not plain, in words
    outcome: str
    kind: str
    message: str


class Report(TypedDict, total=False):
    """From the server: how a process ended, what it used, and by whose hand."""

    code: int  # its exit code; negative: by a signal
    cpu_seconds: float
    peak_mb: int  # of memory that was really there
    killed: bool
    expired: bool  # it was late
    heard: bool  # of a driver: it had looked at a value of the program
    excess: tuple[str, str] | None  # of a candidate: the limit that its run passed
    seconds: float  # of a candidate: how long it lived


class Judgement(TypedDict):
    """From the driver: the outcome of a job, and how its candidate ended where it was lost."""

    status: str
    message: str
    ended: Report
