"""The command in a process of its own: what it says, and with which exit code."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.layout import DATA_VARIABLE, DataRoot

PROJECT = Path(__file__).resolve().parents[2]
START = [sys.executable, "-c", "from eval_pipeline.cli import main; main()"]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> list[str]:
        """The lines on stderr, but for those of progress."""
        return [line for line in self.err.splitlines() if not line.startswith("[")]

    def tells(self, *words: str) -> list[str]:
        """The lines on stderr that hold all the words."""
        return [line for line in self.told if all(word in line for word in words)]


def environment(root: DataRoot | Path | str | None, **more: str) -> dict[str, str]:
    """This process's environment with another data root, and without its settings and home."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("EVAL_PIPELINE_") and name != "DAGSTER_HOME"
    }
    kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PROJECT), kept.get("PYTHONPATH")]))
    if root is not None:
        kept[DATA_VARIABLE] = str(root.path if isinstance(root, DataRoot) else root)
    return {**kept, **more}


def eval_pipeline(
    root: DataRoot | Path | str | None,
    *arguments: str,
    before: Callable[[], None] | None = None,
    within: Sequence[str] = (),
    folder: Path | None = None,
    **more: str,
) -> Done:
    """Runs the command on a data root.

    before: called in the child before it starts. within: a command that starts it in turn.
    folder: where it is started. more: further variables of the environment.
    """
    done = subprocess.run(
        [*within, *START, *arguments],
        env=environment(root, **more),
        cwd=folder,
        preexec_fn=before,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return Done(done.returncode, done.stdout, done.stderr)
