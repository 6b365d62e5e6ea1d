"""SIGKILL at every step of a publication, and at random moments, with real processes."""

import os
import random
import shutil
import signal
import subprocess
import sys

import pytest

from eval_pipeline.warehouse.lineage import Lineage
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.pointer import pointer_to
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import publish, scores

STEP1 = Place("verifier_scores", "qa", 1, "step1")
BEFORE, AFTER = scores([1.0]), scores([0.25, 0.75])

# One process loads Arrow, then forks a victim for each step. The victim dies on the threshold of
# its own step: whatever it had done until then is on disk, and nothing else.
KILL_EACH_STEP = """
import os, signal, sys
from pathlib import Path
import pandas  # Arrow loads it for every list: loaded once here, before the forks
from eval_pipeline.warehouse import enforcement, parts
from eval_pipeline.warehouse.lineage import Lineage
from eval_pipeline.warehouse.packages import package_versions
from eval_pipeline_tests.warehouse.samples import publish, scores

package_versions()

def die_at(step):
    made = 0
    def guarded(call):
        def guard(*arguments, **named):
            nonlocal made
            made += 1
            if made == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)
        return guard
    for name in ("replace", "fsync", "open", "mkdir", "unlink", "pwrite"):
        setattr(os, name, guarded(getattr(os, name)))

def survived(home, step):
    child = os.fork()
    if child == 0:
        die_at(step)
        DO_IT
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0

step = 1
while not survived(Path(sys.argv[1]) / str(step), step):
    step += 1
print(step - 1)
"""
MOST_STEPS = 50


def killed_at_each_step(home, body, template):
    """Copies of a warehouse, in each of which a process died one step later."""
    home.mkdir()
    for step in range(1, MOST_STEPS):
        shutil.copytree(template, home / str(step))
    script = KILL_EACH_STEP.replace("DO_IT", body)
    done = subprocess.run(
        [sys.executable, "-c", script, str(home)], check=True, capture_output=True, text=True
    )
    last = int(done.stdout)
    assert last > 3
    return [home / str(step) for step in range(1, last + 1)]


def test_killed_at_any_step_of_a_publication_the_next_run_ends_the_same(tmp_path):
    expected = publish(tmp_path / "undisturbed", data=AFTER).digest
    template = tmp_path / "template"
    first = publish(template, data=BEFORE)

    body = 'publish(home, data=scores([0.25, 0.75]), key="key-2")'
    committed = set()
    for folder in killed_at_each_step(tmp_path / "killed", body, template):
        warehouse = Warehouse(folder)
        left = warehouse.read("verifier_scores", "qa", 1, checkpoint="step1")
        assert left.refs[0].digest in {first.digest, expected}  # one or the other, and whole
        left.table()
        record = warehouse.standing()[STEP1]
        committed.add(record.digest == expected)
        with warehouse.lock():  # the next run begins
            assert warehouse.pointer(STEP1) == pointer_to(record)
        again = publish(warehouse, data=AFTER, key="key-2")
        assert again.digest == expected
        assert warehouse.pointer(STEP1).record == again.id
        swept = warehouse.gc(dry_run=False)
        assert all(
            file.path.name.endswith(".tmp") or file.path.suffix == ".parquet" for file in swept
        )
        parts = sorted(path.stem for path in folder.glob("tables/*/**/*.parquet"))
        assert parts == sorted(f"part-{digest}" for digest in (first.digest, expected))
        assert len(Lineage(warehouse.lineage.folder).history()) in {2, 3}
    assert committed == {True, False}


def test_killed_at_any_step_of_a_compaction_no_record_is_lost_or_doubled(tmp_path):
    template = tmp_path / "template"
    publish(template, data=BEFORE)
    publish(template, data=AFTER)
    expected = Warehouse(template).history().records()

    body = (
        "import eval_pipeline.warehouse.lineage as l; l.SEGMENT_RECORDS = 2; "
        'log = Lineage(home / "tables" / "lineage"); log.compact(); log.compact()'
    )
    for folder in killed_at_each_step(tmp_path / "killed", body, template):
        assert Warehouse(folder).history().records() == expected
        with Warehouse(folder).lock():
            pass
        assert Warehouse(folder).history().records() == expected


PUBLISH_FOR_EVER = """
import sys
from pathlib import Path
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import publish, scores
warehouse = Warehouse(Path(sys.argv[1]))
print("started", flush=True)
while True:
    for i in range(4):
        publish(warehouse, data=scores([i / 4]), checkpoint=f"step{i % 2}")
"""


def test_killed_at_random_moments_the_warehouse_stays_whole(tmp_path):
    moments = random.Random(5)
    folder = tmp_path / "warehouse"
    expected = publish(tmp_path / "undisturbed", data=AFTER).digest
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", PUBLISH_FOR_EVER, str(folder)], stdout=subprocess.PIPE
        ) as victim:
            victim.stdout.readline()
            try:
                victim.wait(moments.uniform(0.02, 0.3))
            except subprocess.TimeoutExpired:
                victim.send_signal(signal.SIGKILL)
            assert victim.wait() == -signal.SIGKILL
        warehouse = Warehouse(folder)
        warehouse.read("verifier_scores", "qa", 1).table()
        with warehouse.lock():
            for place, record in warehouse.standing().items():
                assert warehouse.pointer(place) == pointer_to(record)
        ids = [record.id for record in warehouse.history().records()]
        assert len(ids) == len(set(ids))
        assert publish(warehouse, data=AFTER).digest == expected


ON_A_SMALL_DISK = """
import random, subprocess, sys
from pathlib import Path
import pyarrow as pa
from eval_pipeline.warehouse.catalog import publish_catalog
from eval_pipeline.warehouse.errors import DiskFull
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.warehouse.samples import publish, scores
home = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", home], check=True)
warehouse = Warehouse(home / "warehouse")
first = publish(warehouse, data=scores([1.0]))
noise = random.Random(1)
big = scores([noise.random() for _ in range(40_000)])
texts = pa.array([noise.randbytes(20).hex() for _ in range(40_000)])
big = big.set_column(big.schema.get_field_index("explanation"), "explanation", texts)
try:
    publish(warehouse, data=big)
except DiskFull as error:
    print(error)
stored = warehouse.read("verifier_scores", "qa", 1, checkpoint="step1")
assert stored.refs[0].digest == first.digest
assert stored.table().num_rows == 1
assert not list(warehouse.path.rglob("*.tmp*"))
assert publish(warehouse, data=scores([0.5])).outcome == "ok"
(home / "filler").write_bytes(b"")
with open(home / "filler", "ab", buffering=0) as filler:
    try:
        while True:
            filler.write(b"x" * 1024)
    except OSError:
        pass
for attempt in (publish_catalog, lambda warehouse: publish(warehouse, data=scores([0.75]))):
    try:
        attempt(warehouse)
    except DiskFull as error:
        print(error)
assert not list(warehouse.path.rglob("*.tmp*"))
stored = warehouse.read("verifier_scores", "qa", 1, checkpoint="step1")
assert stored.table()["score"].to_pylist() == [0.5]
(home / "filler").unlink()
publish(warehouse, data=scores([0.75]))
publish_catalog(warehouse)
"""


def test_a_full_disk_leaves_what_was_there_and_says_so_in_one_line(tmp_path):
    may_mount = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if os.getuid() != 0 or may_mount.returncode:
        pytest.skip("a small disk can be mounted by root in a namespace of its own only")
    done = subprocess.run(
        ["unshare", "-m", sys.executable, "-c", ON_A_SMALL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    for line in lines:
        assert line.startswith(f"no room to write in {tmp_path}/warehouse")
        assert "the results there are as they were; free some space and run again" in line


UNDER_A_FILE_LIMIT = """
import resource, sys
from pathlib import Path
from eval_pipeline.warehouse.errors import DiskFull
from eval_pipeline_tests.warehouse.samples import publish, scores
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    publish(Path(sys.argv[1]), data=scores([i / 7919 for i in range(40_000)]))
except DiskFull as error:
    print(error)
"""


def test_a_limit_on_file_size_is_a_full_disk_too(tmp_path):
    publish(tmp_path, data=BEFORE)
    done = subprocess.run(
        [sys.executable, "-c", UNDER_A_FILE_LIMIT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"no room to write in {tmp_path}/tables/verifier_scores/")
    assert Warehouse(tmp_path).read("verifier_scores", "qa", 1).rows == 1
