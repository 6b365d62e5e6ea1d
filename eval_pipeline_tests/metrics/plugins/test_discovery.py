"""Metrics from other packages: a real one, and each way in which one can be at fault."""

import importlib.metadata
import math
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from eval_pipeline.metrics.plugins.discovery import (
    GROUP,
    MetricPlugin,
    checked_scores,
    discover,
    plugin_scores,
)
from eval_pipeline_tests.metrics.example_plugin import bigram_dice as example

EXAMPLE = Path(example.__file__).parent
COLUMNS = {
    "generations.text": ["night", "same", ""],
    "items.references": [["nacht"], ["other", "same"], ["x"]],
}


def installed(folder: Path) -> Path:
    """The example in a folder, with the metadata that an installer writes beside a package."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    record = folder / f"eval_pipeline_bigram_dice-{project['version']}.dist-info"
    record.mkdir(parents=True)
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (record / "METADATA").write_text(head, encoding="utf-8")
    lines = [f"[{group}]" for group in project["entry-points"]]
    lines += [f"{k} = {v}" for group in project["entry-points"].values() for k, v in group.items()]
    (record / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(EXAMPLE / "bigram_dice.py", folder)
    return folder


def test_an_installed_package_is_found_and_scores(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(installed(tmp_path / "site")))
    monkeypatch.delitem(sys.modules, "bigram_dice", raising=False)
    found = discover(["accuracy"])
    assert not [fault for fault in found.faults if "bigram" in fault]
    plugin = found.plugins["bigram_dice"]
    assert isinstance(plugin, MetricPlugin)
    np.testing.assert_allclose(plugin_scores(plugin, COLUMNS), [0.25, 1.0, 0.0])
    monkeypatch.delitem(sys.modules, "bigram_dice")


@pytest.mark.slow
def test_the_example_can_be_installed_with_pip(tmp_path) -> None:
    """Without a network: the environment's own setuptools builds it."""
    parts = importlib.metadata.version("setuptools").split(".")
    if int(parts[0]) < 71:
        pytest.skip("setuptools older than 71 cannot build a wheel on its own")
    shutil.copytree(EXAMPLE, tmp_path / "source")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--target", str(tmp_path / "site")]
    subprocess.run([*command, str(tmp_path / "source")], check=True)
    code = f"import importlib.metadata as m; print(m.entry_points(group='{GROUP}').names)"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "bigram_dice" in shown.stdout


class Plugin(example.BigramDice):
    """The example with some fields changed."""

    def __init__(self, **fields) -> None:
        for name, value in fields.items():
            setattr(self, name, value)


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


@pytest.fixture
def offered(monkeypatch):
    """Offers an object under a name, as an entry point of this very module."""

    def offer(thing, name: str = "bigram_dice") -> EntryPoint:
        monkeypatch.setattr(sys.modules[__name__], "OFFERED", thing, raising=False)
        return entry(name, f"{__name__}:OFFERED")

    return offer


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        (Plugin(name="other"), "it calls itself 'other': the entry point must have the same name"),
        (Plugin(name="Bigram Dice"), "its name is 'Bigram Dice'"),
        (Plugin(version=True), "its version is True"),
        (Plugin(version="1"), "its version is '1'"),
        (Plugin(meaning="two\nlines"), "its meaning"),
        (Plugin(columns=("generations.text",)), "its columns is"),
        (Plugin(columns=(("replies.text", "text"),)), "table one of generations"),
        (Plugin(columns=(("items.x", "words"),)), "kind one of score"),
        (Plugin(columns=()), "its columns is"),
        (Plugin(least=math.nan), "its least is nan"),
        (Plugin(least=1.0), "its range 1 to 1 is empty"),
        (Plugin(higher_is_better="yes"), "its higher_is_better"),
        (Plugin(scores=None), "its scores is no function"),
        (example.BigramDice, "is a class: offer an instance"),
        (object(), "lacks name, version, meaning"),
    ],
)
def test_a_plugin_that_describes_itself_wrongly_is_told_and_left_out(offered, thing, told) -> None:
    found = discover([], [offered(thing)])
    assert not found.plugins
    (fault,) = found.faults
    assert told in fault
    assert fault.startswith("metric plug-in 'bigram_dice' of ")
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import no_such_module_at_all", "ModuleNotFoundError: No module named 'no_such_module"),
        ("raise RuntimeError('two\\nlines')", "RuntimeError: two lines"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = (", "SyntaxError"),
        ("", "AttributeError"),
    ],
)
def test_a_module_that_fails_to_import_is_told_and_the_others_stay(
    tmp_path, monkeypatch, offered, source, told
) -> None:
    (tmp_path / "broken_metric.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "broken_metric", raising=False)
    found = discover([], [entry("broken", "broken_metric:METRIC"), offered(Plugin())])
    assert list(found.plugins) == ["bigram_dice"]
    assert f"'broken' of broken_metric:METRIC: cannot be imported: {told}" in found.faults[0]
    monkeypatch.delitem(sys.modules, "broken_metric", raising=False)


def test_no_plugin_may_bear_the_name_of_a_built_in_metric_or_of_another(offered) -> None:
    one = offered(Plugin())
    assert "a built-in metric has that name" in discover(["bigram_dice"], [one]).faults[0]
    twice = discover([], [one, entry("bigram_dice", "elsewhere:METRIC")])
    assert not twice.plugins
    assert "offered by elsewhere:METRIC and by " in twice.faults[0]


def returns(value) -> Plugin:
    return Plugin(scores=lambda columns: value)


def raises(columns):
    raise KeyError("weights")


@pytest.mark.parametrize(
    ("plugin", "columns", "told"),
    [
        (returns([0.5]), COLUMNS, "gave 1 scores for 3 samples"),
        (returns([0.5, math.nan, 1.0]), COLUMNS, r"score\[1\] is undefined"),
        (returns([0.5, None, 1.0]), COLUMNS, r"score\[1\] is undefined"),
        (returns([0.5, True, 1.0]), COLUMNS, r"score\[1\] is True"),
        (returns([0.5, "1", 1.0]), COLUMNS, r"score\[1\] is '1'"),
        (returns([0.5, 1.5, 1.0]), COLUMNS, r"score\[1\] is 1.5: it must be a number in \[0, 1\]"),
        (returns(0.5), COLUMNS, "gave 0.5: it must give one number a sample"),
        (returns(np.ones((3, 1))), COLUMNS, r"score\[0\] is \[1.0\]"),
        (Plugin(scores=raises), COLUMNS, "bigram_dice@1 failed: KeyError: 'weights'"),
        (Plugin(), {"generations.text": ["a"]}, "needs items.references"),
        (Plugin(), {**COLUMNS, "generations.text": ["a"]}, r"different lengths: \[1, 3\]"),
    ],
)
def test_scores_that_cannot_be_right_are_refused(plugin, columns, told) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        plugin_scores(plugin, columns)
    assert "bigram_dice@1" in str(caught.value)


def test_values_outside_their_description_are_refused() -> None:
    assert checked_scores([0.2, 0.4], 2, "meteor", 0.0, 1.0).tolist() == [0.2, 0.4]
    with pytest.raises(ValueError, match=r"meteor: score\[1\] is 1.2"):
        checked_scores([0.2, 1.2], 2, "meteor", 0.0, 1.0)
