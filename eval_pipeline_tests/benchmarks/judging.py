"""How many calls live judging keeps in flight, how fast it takes replies, and what a re-run costs.

The endpoint is another process on loopback that answers after a tenth of a second.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from eval_pipeline.contracts.load import load_contract
from eval_pipeline.judging.asking.asks import Ask
from eval_pipeline.judging.asking.call_records import EndpointReply, Outcome, record_of
from eval_pipeline.judging.asking.conduct import conduct
from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.judging.asking.services import service_of
from eval_pipeline.orchestration.live_judges import live_judging
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import judge_votes
from eval_pipeline.warehouse.call_ledger import CallLedger
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.judging.asking.calls import KEY, asks
from eval_pipeline_tests.judging.asking.live_project import live_root

PAIRS = 2_000  # 4,000 calls
KEPT_VOTES = 100_000
DELAY = 0.1
VERDICT = '{"reasoning": "%s", "verdict": "1"}' % ("The first one says it all. " * 12)


def measure() -> Sequence[Figure]:
    """Calls in flight, replies a second of wall and of processor time, and a cached re-run."""
    return [*_live(), _cached()]


@dataclass
class _Remote:
    """An endpoint in a process of its own; `counted` is filled when it has ended."""

    url: str
    counted: list[int] = field(default_factory=list)


@contextmanager
def _remote() -> Iterator[_Remote]:
    command = [sys.executable, "-m", "eval_pipeline_tests.judging.asking.endpoint", str(DELAY)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stdout is not None
        found = _Remote(child.stdout.readline().strip())
        yield found
        found.counted = json.loads(child.communicate("")[0])


def _live() -> list[Figure]:
    calls = asks(PAIRS)
    with tempfile.TemporaryDirectory() as folder, _remote() as remote:
        environment = {"EVAL_PIPELINE_JUDGE_URL": remote.url, "EVAL_PIPELINE_JUDGE_KEY": KEY}
        service = service_of("owl", environment)
        assert service is not None
        with CallLedger(Path(folder) / "calls.jsonl") as ledger:

            def keep(ask: Ask, outcome: Outcome, attempts: int, latency_ms: float) -> None:
                ledger.append(record_of(ask, outcome, attempts, latency_ms))

            start, cpu = time.perf_counter(), time.process_time()
            ended = conduct(calls, service, Purse(), keep)
            used = (time.process_time() - cpu, time.perf_counter() - start)
    assert ended.replies == len(calls) == remote.counted[0]
    in_flight = remote.counted[1]
    per_core, per_second = ended.replies / used[0], ended.replies / used[1]
    return [
        Figure("judge calls in flight, seen by the endpoint", in_flight, "", "-", None, ">= 60",
               in_flight >= 60, *used),
        Figure("replies kept, a second of one core", per_core, "replies/s", "by the clock",
               per_second, ">= 200", per_core >= 200, *used),
    ]  # fmt: skip


def _cached() -> Figure:
    """All votes are kept: every text is rendered and every reply read, and nobody is asked."""
    with tempfile.TemporaryDirectory() as folder, _remote() as remote:
        root = live_root(Path(folder), items=KEPT_VOTES // 4 + 1)
        contract = load_contract(root, root.contract_file("talks", 1)).contract
        names = [f"i{i:03d}" for i in range(KEPT_VOTES // 4 + 1)]
        items = TABLES["items"].from_rows(
            [
                {"item_id": n, "cluster_id": n, "question": f"Tell of {n}.", "slices": []}
                for n in names
            ]
        )
        pair = {"model_a": "early", "model_b": "late", "chosen_by": "anchor"}
        plan = TABLES["pair_plan"].from_rows([{"item_id": n, **pair} for n in names])
        questions = live_judging.questions_of(items)
        texts, _ = judge_votes.shown_texts(root, contract, ["early", "late"], questions)
        assert contract.judging is not None
        judge = contract.judging.judges[0]
        planned = {(n, "early", "late") for n in names}
        due = live_judging.due_pairs(root, contract.judging, judge, planned, questions, texts)
        reply = EndpointReply(VERDICT, "stop", None, 400, 90, "owl-1-0101")
        with CallLedger(root.judge_calls("owl", "talks", "late")) as ledger:
            for ask in due:
                ledger.append(record_of(ask, reply, 1, 900.0))
            ledger.settle({ask.key for ask in due}, lambda one: one["call"])
        del due, texts
        tables = {
            "items": lambda columns=None: items,
            "pair_plan": lambda columns=None: plan,
        }
        with patch.dict(os.environ, {"EVAL_PIPELINE_JUDGE_URL": remote.url}):
            start, cpu = time.perf_counter(), time.process_time()
            computed = judge_votes.compute(StageInputs(contract, root, tables, "late"))
            used = (time.process_time() - cpu, time.perf_counter() - start)
    votes = computed.tables["judge_votes"].num_rows
    held = votes == KEPT_VOTES and remote.counted[0] == 0 and used[1] < 5
    return Figure(
        f"re-run of {votes:,} kept votes, no request", used[1], "s", "requests",
        float(remote.counted[0]), "< 5 s, 0 requests", held, *used,
    )  # fmt: skip
