"""How fast answers are compared: exact rationals against the standard library's own parser."""

import time
from collections.abc import Sequence
from fractions import Fraction

from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline_tests.benchmarks.figure import Figure

BAR = 50_000  # pairs a second
FORMS = ("{}", "{:,}", "${:,}", "{}.00", "-{}", "{}.5", "{}/7", "{}%", "1 {}/9", "{} dollars")
PAIRS = [(FORMS[i % 10].format(7 * i), FORMS[i % 7].format(7 * i - i % 3)) for i in range(50_000)]


def measure() -> Sequence[Figure]:
    verifier = Numeric(thousands=",")
    cpu, wall = time.process_time(), time.perf_counter()
    for answer, reference in PAIRS:
        verifier.equivalent(answer, reference)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    rate = len(PAIRS) / cpu
    figure = Figure(
        "numeric answers compared",
        rate,
        "pairs/s",
        "Fraction(text), plain forms",
        _parser_rate(),
        f">= {BAR:,}",
        rate >= BAR,
        cpu,
        wall,
    )
    return [figure]


def _parser_rate() -> float:
    """Pairs a second of the standard parser, which reads digits, points and slashes only."""
    plain = [(str(7 * i), f"{7 * i}.5") for i in range(len(PAIRS))]
    start = time.process_time()
    for answer, reference in plain:
        _ = Fraction(answer) == Fraction(reference)
    return len(plain) / (time.process_time() - start)
