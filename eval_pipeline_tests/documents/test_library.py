"""The worked examples of LIBRARY.md run, print what is shown, and start nothing heavy."""

import subprocess
import sys
from typing import Any

from eval_pipeline_tests.documents.examples import examples
from eval_pipeline_tests.documents.generated import DOCS

TEXT = (DOCS / "LIBRARY.md").read_text(encoding="utf-8")
HEAVY = ("dagster", "matplotlib", "pandas", "statsmodels")


def test_examples_print_what_is_shown() -> None:
    names: dict[str, Any] = {}
    for example in examples(TEXT):
        assert example.printed(names) == example.shown, example.code


def test_every_part_has_an_example() -> None:
    assert all("```python" in part for part in TEXT.split("\n## ")[1:])


def test_examples_need_no_orchestration() -> None:
    lines = [line for one in examples(TEXT) for line in one.code.splitlines()]
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    code = "\n".join([*imports, "import sys", "print(*sys.modules)"])
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)
