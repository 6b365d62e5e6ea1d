"""Where the real public data and the golden vectors are found; what is made once a run."""

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from eval_pipeline.layout import DATA_VARIABLE
from eval_pipeline_tests.once import made_once

settings.register_profile("project", deadline=None)  # a busy machine stalls; that is no failure
settings.load_profile("project")

# rouge-score's logger keeps the stderr of the moment when it is imported: one that pytest closes
# would break the logs of all that runs later.
with contextlib.redirect_stderr(sys.__stderr__), contextlib.suppress(ImportError):
    importlib.import_module("absl.logging")

# What starts the tests may ignore signals (nohup, a shell in the background, a daemon), and all
# that they start would inherit that; exit codes of children are lost where SIGCHLD is ignored.
# A handler that does nothing keeps this process deaf to SIGHUP, and no child gets it.
_HANDLERS = {signal.SIGHUP: lambda number, frame: None, signal.SIGINT: signal.default_int_handler}
for _number in signal.valid_signals() - {signal.SIGPIPE}:
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _HANDLERS.get(_number, signal.SIG_DFL))

PROJECT = Path(__file__).resolve().parent.parent
VECTORS = PROJECT / "eval_pipeline_tests/golden/vectors"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "integration: the whole chain, often in processes of its own; run by default",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what stands in `integration/`; puts what waits for the bundled run behind the rest."""
    for item in items:
        if "integration" in item.path.parent.name:
            item.add_marker(pytest.mark.integration)
    items.sort(key=lambda item: "finished_bundle" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The real public evaluation data; the test is skipped where they are absent."""
    named = os.environ.get("EVAL_PIPELINE_REFERENCE_DATA")
    folder = Path(named or PROJECT / "../shared/data").resolve()
    if not folder.is_dir():
        pytest.skip(f"reference data are absent: {folder} (set EVAL_PIPELINE_REFERENCE_DATA)")
    return folder


@pytest.fixture(scope="session")
def golden_vectors() -> Callable[[str], Any]:
    """Reads `instruments.json`, `ranking.json` or `bug_cases.jsonl`."""

    def read(name: str) -> Any:
        text = (VECTORS / name).read_text(encoding="utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        return json.loads(text)

    return read


@pytest.fixture(scope="session")
def finished_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled data with all numbers up to date; made once a run, never written to."""

    def make(folder: Path) -> None:
        shutil.copytree(
            PROJECT / "data",
            folder,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("warehouse"),
        )
        subprocess.run(
            [sys.executable, "-c", "from eval_pipeline.cli import main; main(['run', '--json'])"],
            check=True,
            env={**os.environ, DATA_VARIABLE: str(folder)},
            stdout=subprocess.DEVNULL,
        )

    return made_once(tmp_path_factory, "bundle", make)
