"""Every verb is there, says what it does, and starts quickly."""

import subprocess
import sys
from pathlib import Path

import pytest

from eval_pipeline.cli.command import VERBS
from eval_pipeline_tests.cli.calling import called, refused, succeeded

HEAVY = ("dagster", "scipy", "pandas", "matplotlib", "numba", "statsmodels", "sklearn")
LOADED = """
import sys
from eval_pipeline.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code, ended.code
print(*sys.modules, file=sys.stderr)
"""


def loaded(root: Path, *args: str) -> set[str]:
    """The packages that a call loads, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *args],
        capture_output=True,
        text=True,
        check=True,
        env={"EVAL_PIPELINE_DATA": str(root), "PATH": ""},
    )
    return {name.split(".")[0] for name in done.stderr.splitlines()[-1].split()}


def test_help_lists_every_verb_and_loads_next_to_nothing(tmp_path: Path) -> None:
    listed = succeeded(tmp_path, "--help").stdout
    assert all(f"  {verb} " in listed for verb in VERBS)
    assert not {*HEAVY, "pydantic", "pyarrow", "duckdb", "numpy", "rich"} & loaded(
        tmp_path, "--help"
    )


def test_without_a_verb_the_help_is_shown(tmp_path: Path) -> None:
    assert succeeded(tmp_path).stdout == succeeded(tmp_path, "--help").stdout


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_help(tmp_path: Path, verb: str) -> None:
    shown = succeeded(tmp_path, verb, "--help").stdout
    assert f"eval-pipeline {verb} " in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    "call",
    [("ls",), ("ls", "sums"), ("plan",), ("query", "SELECT 1"), ("trace", "sums")],
    ids=lambda call: " ".join(call),
)
def test_quick_verbs_load_nothing_heavy(finished: Path, call: tuple[str, ...]) -> None:
    assert not set(HEAVY) & loaded(finished, *call)


def test_an_unknown_verb_names_the_nearest(tmp_path: Path) -> None:
    assert "did you mean validate?" in refused(tmp_path, "valdate", code=2)


def test_a_wrong_call_is_one_line_that_says_where_to_read_on(tmp_path: Path) -> None:
    assert refused(tmp_path, "freeze", code=2).endswith("(eval-pipeline freeze --help)")


@pytest.mark.parametrize(
    "call",
    [
        ("ls",),
        ("plan",),
        ("plan", "size", "--detect", "0.1"),
        ("query", "SELECT 1"),
        ("report", "sums"),
        ("freeze", "sums"),
        ("diff", "a", "b"),
        ("compare", "a", "b", "--contract", "sums"),
        ("gate", "sums", "a"),
        ("trace", "sums"),
        ("why", "ok"),
    ],
    ids=lambda call: call[0],
)
def test_without_a_data_folder_one_line_says_how_to_get_one(
    tmp_path: Path, call: tuple[str, ...]
) -> None:
    line = refused(tmp_path / "nowhere", *call)
    assert "there is no data folder" in line
    assert "eval-pipeline init --from" in line
    assert "EVAL_PIPELINE_DATA" in line
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "call",
    [
        ("ls", "sumz"),
        ("plan", "--contract", "sumz"),
        ("plan", "size", "--contract", "sumz", "--detect", "0.1"),
        ("report", "sumz"),
        ("freeze", "sumz"),
        ("diff", "sums@1", "sumz"),
        ("compare", "base@1", "better@1", "--contract", "sumz"),
        ("gate", "sumz", "base@1"),
        ("trace", "sumz"),
        ("why", "ok", "--contract", "sumz"),
    ],
    ids=lambda call: call[0],
)
def test_an_unknown_contract_names_the_nearest(finished: Path, call: tuple[str, ...]) -> None:
    assert refused(finished, *call) == ("error: there is no contract 'sumz': did you mean sums?")


def test_a_reader_who_has_seen_enough_is_no_error(finished: Path) -> None:
    code = "import eval_pipeline.cli as c; c.main(['query', 'FROM range(200000)', '--csv'])"
    done = subprocess.run(
        ["/bin/sh", "-c", f'{sys.executable} -c "{code}" | head -n 1'],
        capture_output=True,
        text=True,
        check=True,
        env={"EVAL_PIPELINE_DATA": str(finished), "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout == "range\n"
    assert done.stderr == ""


def test_the_command_names_the_version_that_is_missing(finished: Path) -> None:
    assert refused(finished, "ls", "sums@7") == "error: contract sums has no v7: it has v1, v2"
    assert called(finished, "ls", "sums", "--version", "7").code == 1
    line = refused(finished, "ls", "sums@1", "--version", "2")
    assert "sums@1 names version 1, and --version says 2" in line
