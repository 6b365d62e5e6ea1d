"""A live judge's work killed in the middle, as a whole process: nothing is paid for twice.

The oracle is what the endpoint itself saw.
"""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from eval_pipeline.judging.probes.writing import write_probes
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.integration.command import START, environment
from eval_pipeline_tests.integration.roots import json_lines
from eval_pipeline_tests.judging.asking.calls import KEY, files_with
from eval_pipeline_tests.judging.asking.endpoint import (
    Answer,
    Endpoint,
    Request,
    longer_wins,
    said,
    serving,
)
from eval_pipeline_tests.judging.asking.live_project import (
    CONTRACT,
    MARKS,
    STAGES,
    digests,
    live_root,
    run_live,
)

ITEMS, IN_FLIGHT = 12, 4
NIGHT = "2026-01-05"
WHOLE = CONTRACT.replace(
    "  repeats: 2\n", f"{MARKS}  repeats: 1\n  probes: [tricks]\n  sentinels: 6\n"
)
RUN = ("run",)
PROBES = ("probe", "ask", "talks", "--live")
SENTINELS = ("probe", "sentinels", "talks", "--live", "--date", NIGHT)
N_RUN = 2 * (ITEMS - 1) + (2 * ITEMS - 1)  # pairs in both orders, and scores; one reply was refused
IN_SCORES, IN_PAIRS = (RUN, 6), (RUN, N_RUN - 14)  # killed after so many answers
SOME = ((SENTINELS, 5), IN_PAIRS)
ALL = ((PROBES, 5), (SENTINELS, 5), IN_SCORES, IN_PAIRS)
Kills = tuple[tuple[tuple[str, ...], int], ...]
LIVE = (*STAGES[:6], "judge_probes", "judge_sentinels", *STAGES[6:])


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in [name for name in os.environ if name.startswith("EVAL_PIPELINE_JUDGE_")]:
        monkeypatch.delenv(name)
    with serving(judge) as found:
        monkeypatch.setenv("EVAL_PIPELINE_JUDGE_URL", found.url)
        monkeypatch.setenv("EVAL_PIPELINE_JUDGE_KEY", KEY)
        monkeypatch.setenv("EVAL_PIPELINE_JUDGE_CONCURRENCY", str(IN_FLIGHT))
        yield found


def judge(request: Request) -> Answer:
    if "reply" in request.case:
        return said('{"reasoning": "x", "scores": {"helpful": 5, "accurate": 4, "clear": 3}}')
    return longer_wins(request)


def killed(root: DataRoot, endpoint: Endpoint, after: int, *command: str) -> set[str]:
    """Kills the command once it has had so many answers; the calls whose replies are kept then."""
    endpoint.delay = 0.03
    judge_settings = {k: v for k, v in os.environ.items() if k.startswith("EVAL_PIPELINE_JUDGE_")}
    child = subprocess.Popen(
        [*START, *command], env=environment(root, **judge_settings), stderr=subprocess.DEVNULL
    )
    before = len(endpoint.finished)
    assert endpoint.wait_for(lambda: len(endpoint.finished) >= before + after)
    child.kill()
    child.wait()
    endpoint.delay = 0.0
    return {
        json.loads(line)["call"]
        for path in (root.path / "judgments").rglob("calls/**/*")
        if path.is_file()
        for line in path.read_bytes().splitlines(keepends=True)
        if line.endswith(b"\n")
    }


def tried_root(folder: Path) -> DataRoot:
    """A root with a set of probes, before anything was run."""
    root = live_root(folder, WHOLE, items=ITEMS)
    replies = {f"i{i:03d}": f"Of i{i:03d}" for i in range(ITEMS)}
    path = root.probes("tricks")
    path.parent.mkdir(parents=True)
    probes = [asdict(probe) for probe in write_probes(replies, 2, seed=1)]
    path.write_text(json_lines([{"probe": probe.pop("name"), **probe} for probe in probes]))
    return root


@pytest.mark.parametrize("kills", [SOME, pytest.param(ALL, marks=pytest.mark.slow)])
def test_a_process_killed_in_the_middle_pays_no_vote_twice_and_ends_with_the_same_digests(
    kills: Kills, tmp_path: Path, endpoint: Endpoint
) -> None:
    whole = tried_root(tmp_path / "whole")
    for command in (PROBES, SENTINELS):
        succeeded(whole.path, *command)
    assert run_live(whole, LIVE)[1] == []
    asked = Counter(request.call for request in endpoint.seen)
    assert set(asked.values()) == {1}
    endpoint.seen.clear()

    root = tried_root(tmp_path / "killed")
    kept_then = []  # what was kept at a kill, and how many requests there were until then
    for command, after in kills:
        kept_then.append((killed(root, endpoint, after, *command), len(endpoint.seen)))
    for command in (PROBES, SENTINELS):
        succeeded(root.path, *command)
    assert run_live(root, LIVE)[1] == []
    assert {name: digests(root)[name] for name in digests(whole)} == digests(whole)

    for kept, n_before in kept_then:
        assert kept
        assert not kept & {request.call for request in endpoint.seen[n_before:]}
    again = Counter(request.call for request in endpoint.seen)
    assert set(again) == set(asked)
    assert sum(again.values()) - len(again) <= IN_FLIGHT * len(kept_then)  # those under way
    bodies = {
        json.dumps([request.body, request.headers["idempotency-key"]]) for request in endpoint.seen
    }
    assert len(bodies) == len(again)  # and these go out the same, under the same key
    assert files_with(tmp_path, KEY) == []
