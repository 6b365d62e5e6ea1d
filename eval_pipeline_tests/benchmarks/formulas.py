"""How formulas are judged: 2,000 of a grammar, ten mutants each, beside math-verify alone.

The truth of each pair is known to the grammar by values of 30 digits. A smaller number of formulas
may be set, and of those that the peer sees, which is slow:
FORMULAS=200 PEER_FORMULAS=50 python -m eval_pipeline_tests.benchmarks formulas.
"""

import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.verification.formulas.mathematics import SYMBOLIC, Mathematics
from eval_pipeline.verification.verdict import Item, Verdict
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.verification import formula_spelling as spelling

FORMULAS = int(os.environ.get("FORMULAS", "2000"))
PEER_FORMULAS = int(os.environ.get("PEER_FORMULAS", str(FORMULAS)))
MUTANTS, SEED, WORKERS, PART, TIMED = 10, 20261201, 2, 100, 600
PEER_SECONDS = 1  # for one pair: the peer may work without end
PROVED = [  # what only the symbolic engine can settle, for its latency
    (r"{0}\arctan 1", r"\frac{{{0}\pi}}{{4}}"),
    (r"\sqrt{{{0}+2\sqrt{{{1}}}}}", r"1+\sqrt{{{1}}}"),
    (r"\sum_{{k=1}}^{{n}} {0}k", r"\frac{{{0}n(n+1)}}{{2}}"),
    (r"\int_0^{{{0}}} x\,dx", r"\frac{{{0}^2}}{{2}}"),
    (r"({0}n)!", r"{0}n({0}n-1)!"),
]


@dataclass(frozen=True)
class Pair:
    """A reference, a reply, and whether they are equal."""

    reference: str
    reply: str
    is_equal: bool


def measure() -> Sequence[Figure]:
    cpu, wall = time.process_time(), time.perf_counter()
    verifier = Mathematics()
    warm = [Pair(r"\frac{\pi}{4}", r"\arctan 1", True)]
    _judged(verifier, warm)
    parts = _parts()
    ours: list[tuple[Pair, float | None]] = []
    alone: list[tuple[float | None, bool]] = []
    latencies: list[float] = []
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        for done, part in enumerate(parts, start=1):
            pairs = [pair for one in part for pair in one]
            seen = part[: max(0, PEER_FORMULAS - (done - 1) * PART)]
            asked = pool.map_async(
                _by_math_verify, [pair for one in seen for pair in one], chunksize=20
            )
            for pair in pairs[:: max(1, len(pairs) * len(parts) // TIMED)]:
                start = time.perf_counter()
                _judged(verifier, [pair])
                latencies.append(time.perf_counter() - start)
            scores = [verdict.score for verdict in _judged(verifier, pairs)]
            ours += zip(pairs, scores, strict=True)
            alone += asked.get()
            faults = f"{_false_passes(ours)} false passes, {_lost(ours)} lost"
            print(f"  {done * PART} formulas: {faults}", file=sys.stderr, flush=True)
    proofs = _proof_latencies(verifier)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    # the peer's formulas are the first ones
    theirs = [(pair, score) for (pair, _), (score, _) in zip(ours, alone, strict=False)]
    read = [one for one, (_, is_read) in zip(ours, alone, strict=False) if is_read]

    def figure(
        name: str, value: float, unit: str, peer: float | None, bar: str, held: bool
    ) -> Figure:
        named = f"math-verify, of {len(theirs)}" if peer is not None else ""
        return Figure(name, value, unit, named, peer, bar, held, cpu, wall)

    passes, lost = _false_passes(ours), _lost(ours)
    undecided = _undecided_share(read)
    middle, high = statistics.median(latencies) * 1e3, _quantile(latencies, 0.95) * 1e3
    proof = statistics.median(proofs) * 1e3
    return [
        figure(f"false passes of {len(ours)} pairs", passes, "pairs", _false_passes(theirs), "= 0",
               passes == 0),
        figure("equal formulas judged wrong", lost, "pairs", _lost(theirs), "= 0", lost == 0),
        figure("undecided of what math-verify reads", undecided, "%", _undecided_share(theirs),
               "< 1 %", undecided < 1),
        figure("a pair of formulas, median", middle, "ms", None, "< 5 ms", middle < 5),
        figure("a pair of formulas, 95 of 100", high, "ms", None, "-", True),
        figure("a pair that sympy proves, median", proof, "ms", None, "-", True),
    ]  # fmt: skip


def _parts() -> list[list[list[Pair]]]:
    made = []
    for _, reference, others, mutants in spelling.cases(FORMULAS, SEED, MUTANTS):
        equal = [Pair(reference, other, True) for other in others]
        made.append([*equal, *(Pair(reference, text, False) for _, text in mutants)])
    print(f"  {len(made)} formulas made", file=sys.stderr, flush=True)
    return [made[i : i + PART] for i in range(0, len(made), PART)]


def _judged(verifier: Mathematics, pairs: Sequence[Pair]) -> list[Verdict]:
    return verifier.verify_all([(Item("i", answer=p.reference), p.reply) for p in pairs], WORKERS)


def _proof_latencies(verifier: Mathematics) -> list[float]:
    """Seconds of pairs that reach the symbolic engine, each new to it."""
    found = []
    for n in range(2, 12):
        for reference, reply in PROVED:
            pair = Pair(reference.format(n + 1, n), reply.format(n + 1, n), True)
            start = time.perf_counter()
            (verdict,) = _judged(verifier, [pair])
            if verdict.engine == SYMBOLIC:
                found.append(time.perf_counter() - start)
    return found


def _by_math_verify(pair: Pair) -> tuple[float | None, bool]:
    """The score of math-verify alone, None where it cannot tell, and whether it read both."""
    from math_verify import parse, verify

    try:
        sides = [
            parse(f"${text}$", parsing_timeout=PEER_SECONDS)
            for text in (pair.reference, pair.reply)
        ]
        if not all(sides):
            return None, False
        return float(verify(*sides, timeout_seconds=PEER_SECONDS)), True
    except Exception:  # whatever a parser of the peer raises: it has not read the pair
        return None, False


def _false_passes(judged: Sequence[tuple[Pair, float | None]]) -> int:
    return sum(score == 1 and not pair.is_equal for pair, score in judged)


def _lost(judged: Sequence[tuple[Pair, float | None]]) -> int:
    return sum(score == 0 and pair.is_equal for pair, score in judged)


def _undecided_share(judged: Sequence[tuple[Pair, float | None]]) -> float:
    return 100 * sum(score is None for _, score in judged) / max(1, len(judged))


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]
