"""A question to the warehouse in a process of its own, which ends at its limits whatever it does.

DuckDB can be asked to stop and does so between blocks of rows; a single function over one long text
never comes to that point, and its memory is not what DuckDB counts. A child that is ended holds
both limits.
"""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa

from eval_pipeline.warehouse.errors import DamagedPart, QueryFailed, QueryRefused

GRACE = 1.0  # seconds beyond the limit for a question that stops by itself
_START = 10.0  # seconds for the child to come up; they are not the question's
_KINDS = {kind.__name__: kind for kind in (DamagedPart, QueryFailed, QueryRefused)}
_READY = b"\n"


def asked(folder: Path, sql: str, seconds: float, memory_mb: int) -> pa.Table:
    """The answer to one question over a warehouse's folder.

    seconds, memory_mb: what the question may take. Raises what `query.query` raises, and
    QueryFailed that names the limit where the child was ended at it.
    """
    try:
        question = sql.encode()
    except UnicodeEncodeError as error:
        raise QueryRefused(
            "the question holds bytes that are no text: write it in UTF-8"
        ) from error
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, str(folder), f"{seconds!r}", str(memory_mb)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        said = _exchanged(child, question, seconds)
    finally:
        child.kill()
        ended = child.wait()
    if said is None:
        raise QueryFailed(f"no answer within {seconds:g} s: ask for less, or allow it more seconds")
    head, _, answer = said.partition(b"\n")
    if not head:
        raise QueryFailed(_why_it_died(ended, memory_mb))
    told = json.loads(head)
    if "kind" in told:
        raise _KINDS[told["kind"]](told["why"])
    with pa.ipc.open_stream(answer) as stream:
        return stream.read_all()


def _exchanged(child: "subprocess.Popen[bytes]", sql: bytes, seconds: float) -> bytes | None:
    """What the child says of the question; None where it says nothing in time."""
    if child.stdin is None or child.stdout is None:
        return b""
    with child.stdin as line, child.stdout as source:
        if _read(source.fileno(), time.monotonic() + _START, len(_READY)) != _READY:
            return b""
        try:
            line.write(sql)
            line.close()
        except BrokenPipeError:
            return b""
        return _read(source.fileno(), time.monotonic() + seconds + GRACE)


def _read(source: int, deadline: float, most: int | None = None) -> bytes | None:
    """All bytes until the end, or the first ones; None at the deadline."""
    parts: list[bytes] = []
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([source], [], [], left)
        if not ready:
            continue
        part = os.read(source, most or 2**20)
        parts.append(part)
        if not part or most is not None:
            return b"".join(parts)
    return None


def _why_it_died(ended: int, memory_mb: int) -> str:
    if ended in (-signal.SIGXCPU, -signal.SIGKILL):
        return "the question was ended at its limit of CPU time: ask for less"
    return f"the question needs more than {memory_mb} MiB of memory: ask for less, or allow it more"


def main() -> None:
    """The child: answers the question on its standard input."""
    folder, seconds, memory_mb = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    from eval_pipeline.warehouse.query import query
    from eval_pipeline.warehouse.store import Warehouse

    out = sys.stdout.buffer
    _hold(seconds, memory_mb)
    out.write(_READY)
    out.flush()
    sql = sys.stdin.buffer.read().decode()
    try:
        answer = query(Warehouse(Path(folder)), sql, seconds, memory_mb)
        head = {}
    except tuple(_KINDS.values()) as error:
        head = {"kind": type(error).__name__, "why": str(error)}
    except MemoryError:
        head = {"kind": QueryFailed.__name__, "why": _why_it_died(0, memory_mb)}
    out.write(json.dumps(head).encode() + b"\n")
    if not head:
        with pa.ipc.new_stream(out, answer.schema) as stream:
            stream.write_table(answer)
    out.flush()


def _hold(seconds: float, memory_mb: int) -> None:
    """Limits that the process can't lift; memory is what it writes, not what it maps."""
    used = memory_mb * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = used if hard == resource.RLIM_INFINITY else min(used, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    cores = os.cpu_count() or 1
    limit = int(time.process_time() + (seconds + GRACE) * cores) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
