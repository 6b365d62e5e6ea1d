"""Whoever scans, the rows are the same; also when a worker dies over them."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.contamination.corpus.reading import parts
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.segment import Segment, write_segment
from eval_pipeline.contamination.search.shard import scan_shard, summary_of
from eval_pipeline.contamination.search.workforce import Workforce
from eval_pipeline.contamination.text.fields import Field

ITEM = "A robe takes two bolts of blue fiber and half that much white fiber, how many in all?"
GUID = "1c9d2f4e-0a3b-4c5d-8e6f-7a8b9c0d1e2f"
FILLER = "one two three four five six seven eight nine ten eleven twelve "
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="distributed is not installed"
)


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{n}.jsonl" for n in range(8)]
    for n, path in enumerate(paths):
        texts = [FILLER * 2000, f"{n} {ITEM}", FILLER * 2000]
        path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
    return paths


@pytest.fixture
def index(tmp_path: Path) -> Segment:
    return write_segment(tmp_path / "index", entries_of([Field("a", "question", ITEM)]), {})


def scanned(force: Workforce, shards: list[Path], index: Segment) -> list[Any]:
    found = dict(force.scan(shards, index.folder, "reference"))
    return [found[i] for i in range(len(shards))]


def test_threads_give_what_one_gives(shards, index):
    shards[3].write_bytes(b'{"text": "' + b"\xff" * 9)
    (shards[4].parent / "bad.parquet").write_bytes(b"PAR1")
    shards[4] = shards[4].parent / "bad.parquet"
    alone, threads = (scanned(Workforce(n), shards, index) for n in (1, 4))
    assert [str(one) for one in threads] == [str(one) for one in alone]
    assert [isinstance(one, ValueError) for one in alone] == [n == 4 for n in range(8)]
    assert [one.num_rows for n, one in enumerate(alone) if n != 4] == [1, 1, 1, 0, 1, 1, 1]


@pytest.fixture
def one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Parquet file of many row groups, each a part of its own."""
    monkeypatch.setattr("eval_pipeline.contamination.corpus.reading.PART_BYTES", 1)
    words = ITEM.split()
    texts = [
        FILLER,
        None,
        " ".join(words[:9]),
        *[" ".join(words[:6]) + FILLER] * 9,
        ITEM,
        "é" + ITEM,
    ]
    texts += [" ".join(words[3:9]), GUID, FILLER, " ".join(words[-7:])]
    pq.write_table(pa.table({"text": texts}), tmp_path / "one.parquet", row_group_size=2)
    return tmp_path / "one.parquet"


def test_workers_who_share_a_file_give_what_one_gives(one_file, tmp_path):
    fields = [Field("a", "question", ITEM), Field("b", "question", f"{ITEM} so {FILLER} {ITEM}")]
    fields.append(Field("c", "question", " ".join([*ITEM.split()[:7], *"stuvwxyz" * 9])))
    index = write_segment(tmp_path / "index", entries_of(fields), {GUID: "*"})
    assert len(parts(one_file)) == 9
    for engine in ("reference", "kernel"):
        whole = scan_shard(one_file, index.folder, engine)
        assert {row["item_id"] for row in whole.to_pylist()} == {"a", "b", "c", "*"}
        ((_, threads),) = Workforce(3).scan([one_file], index.folder, engine)
        assert threads.equals(whole)
        assert summary_of(threads) == summary_of(whole)
    assert summary_of(whole)["first_unread"] == "row 2: null `text`"


def test_the_first_damaged_part_is_what_is_said(one_file, index):
    content = bytearray(one_file.read_bytes())
    with pq.ParquetFile(one_file) as file:
        for group in (6, 3):
            at = file.metadata.row_group(group).column(0).data_page_offset
            content[at : at + 4] = b"\xff" * 4
    one_file.write_bytes(content)
    ((_, alone),) = Workforce(1).scan([one_file], index.folder, "reference")
    ((_, threads),) = Workforce(3).scan([one_file], index.folder, "reference")
    assert isinstance(alone, ValueError)
    assert str(threads) == str(alone)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, as processes on loopback."""
    file = tmp_path / "scheduler.json"
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    loopback = ["--host", "127.0.0.1", "--scheduler-file", str(file)]
    scheduler = [
        sys.executable, "-m", "distributed.cli.dask_scheduler",
        *loopback, "--port", "0", "--no-dashboard",
    ]  # fmt: skip
    worker = [
        sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file),
        "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny",
        "--local-directory", str(tmp_path / "local"),
    ]  # fmt: skip
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes = [subprocess.Popen(scheduler, env=own, **quiet)]
    try:
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))
        processes += [subprocess.Popen(worker, env=own, **quiet) for _ in range(2)]
        yield json.loads(file.read_text())["address"], processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_until(holds: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


@needs_dask
def test_a_cluster_gives_what_one_gives_also_when_a_worker_is_killed(
    shards, index, cluster, one_file
):
    from distributed import Client

    address, processes = cluster
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        pids = set(client.run(os.getpid).values())
    shards.append(one_file)
    alone = scanned(Workforce(), shards, index)
    assert scanned(Workforce(dask=address), shards, index) == alone
    found = {}
    for i, outcome in Workforce(dask=address).scan(shards, index.folder, "reference"):
        if not found:
            victim = processes[1]
            assert victim.pid in pids
            victim.send_signal(signal.SIGKILL)
            victim.wait()
        found[i] = outcome
    assert [found[i] for i in range(len(shards))] == alone


@needs_dask
def test_a_cluster_that_does_not_answer_is_named(shards, index, monkeypatch):
    monkeypatch.setattr("eval_pipeline.contamination.search.workforce.CONNECT", "300 ms")
    with pytest.raises(ValueError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .*start"):
        scanned(Workforce(dask="tcp://127.0.0.1:9"), shards, index)
    with pytest.raises(ValueError, match="no Dask scheduler answers at nonsense://x"):
        scanned(Workforce(dask="nonsense://x"), shards, index)
