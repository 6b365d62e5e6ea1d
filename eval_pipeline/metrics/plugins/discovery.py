"""Metrics from other packages.

A package offers a metric under the entry-point group `eval_pipeline.metrics`; what it says of
itself is checked when it is found, what it returns each time it is asked. A package that fails is
told by its name and leaves the others as they are. Nothing is loaded until a name is looked for.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, runtime_checkable

from eval_pipeline.metrics.entry import KINDS
from eval_pipeline.metrics.inputs import Floats, numbers

GROUP = "eval_pipeline.metrics"

# table -> what stands in it; a column is named table.key
TABLES = ("generations", "items", "verifier_scores")

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@runtime_checkable
class MetricPlugin(Protocol):
    """What a package must offer: a description, and a score a sample.

    columns: (column, kind) pairs, such as ("generations.text", "text") or ("items.references",
    "texts"); further keys of the raw rows are columns too. unit: of the scores. least, most: their
    range, infinite where there is none. higher_is_better: None where neither way is. source: of
    the formula. A formula that changes needs a higher version.
    """

    name: str
    version: int
    meaning: str
    columns: Sequence[tuple[str, str]]
    unit: str
    least: float
    most: float
    higher_is_better: bool | None
    source: str

    def scores(self, columns: Mapping[str, Sequence[Any]]) -> Sequence[float]:
        """One finite number a sample, in [least, most], in the order of the columns' entries."""
        ...


@dataclass(frozen=True)
class InstalledPlugins:
    """The plug-ins that can be used, by name, and by name a line for each one that cannot."""

    plugins: Mapping[str, MetricPlugin]
    faulty: Mapping[str, str]

    @property
    def faults(self) -> tuple[str, ...]:
        """The lines alone."""
        return tuple(self.faulty.values())


def discover(taken: Iterable[str], entries: Iterable[EntryPoint] | None = None) -> InstalledPlugins:
    """The plug-ins of all installed packages, in the order of their names.

    taken: names of the built-in metrics, which no plug-in may bear. entries: to look through, by
    default those of the group `eval_pipeline.metrics`.
    """
    offered = list(entry_points(group=GROUP)) if entries is None else list(entries)
    built_in = set(taken)
    plugins: dict[str, MetricPlugin] = {}
    faulty: dict[str, str] = {}
    for name in sorted({entry.name for entry in offered}):
        same = sorted((e for e in offered if e.name == name), key=_package)
        packages = [_package(entry) for entry in same]
        if name in built_in:
            faulty[name] = (
                f"metric plug-in {name!r} of {packages[0]}: a built-in metric has that name: "
                "rename it there"
            )
        elif len(same) > 1:
            faulty[name] = (
                f"metric plug-in {name!r} is offered by {' and by '.join(packages)}: uninstall "
                "all but one"
            )
        else:
            plugin, fault = _loaded(same[0])
            if plugin is None:
                faulty[name] = f"metric plug-in {name!r} of {packages[0]}: {fault}"
            else:
                plugins[name] = plugin
    return InstalledPlugins(plugins, faulty)


def plugin_scores(plugin: MetricPlugin, columns: Mapping[str, Sequence[Any]]) -> Floats:
    """The plug-in's score of each sample, shape (samples,).

    columns: those that it asked for, one entry a sample. Raises ValueError, with the plug-in's
    name, for columns that lack or differ in length, for what it raises itself, and for scores that
    are too few or many, no finite numbers, or outside the range that it declares.
    """
    said = f"metric plug-in {plugin.name}@{plugin.version}"
    wanted = [name for name, _ in plugin.columns]
    if lacking := sorted(set(wanted) - columns.keys()):
        raise ValueError(f"{said} needs {', '.join(lacking)}: the samples lack it")
    given = {name: tuple(columns[name]) for name in wanted}
    lengths = {len(values) for values in given.values()}
    if len(lengths) != 1:
        raise ValueError(f"{said}: its columns have different lengths: {sorted(lengths)}")
    n = lengths.pop()
    try:
        scores = plugin.scores(given)
    except Exception as error:
        raise ValueError(f"{said} failed: {_told(error)}") from error
    return checked_scores(scores, n, said, plugin.least, plugin.most)


def checked_scores(
    scores: Iterable[Any], n_samples: int, name: str, least: float, most: float
) -> Floats:
    """The scores as floats, if there is one for each sample, finite and in [least, most].

    Raises ValueError that begins with the name and names the first sample that is at fault.
    """
    values = scores.tolist() if hasattr(scores, "tolist") else scores
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name} gave {values!r:.60}: it must give one number a sample")
    listed = list(values)
    if len(listed) != n_samples:
        raise ValueError(
            f"{name} gave {len(listed)} scores for {n_samples} samples: it must give one a sample"
        )
    return numbers(listed, f"{name}: score", least, most)


def _loaded(entry: EntryPoint) -> tuple[MetricPlugin | None, str]:
    """The plug-in, or None and what is wrong with it."""
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's module does when imported
        return None, f"cannot be imported: {_told(error)}: install what it needs, or uninstall it"
    if isinstance(plugin, type):
        return None, f"{entry.value} is a class: offer an instance of it"
    lacking = [name for name in (*_FIELDS, "scores") if not hasattr(plugin, name)]
    if lacking:
        return None, f"{entry.value} lacks {', '.join(lacking)}"
    for field, (sound, wanted) in _FIELDS.items():
        value = getattr(plugin, field)
        if not sound(value):
            return None, f"its {field} is {value!r:.60}: it must be {wanted}"
    if not callable(plugin.scores):
        return None, "its scores is no function"
    if plugin.least >= plugin.most:
        return None, f"its range {plugin.least:g} to {plugin.most:g} is empty"
    if plugin.name != entry.name:
        return None, f"it calls itself {plugin.name!r}: the entry point must have the same name"
    return plugin, ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_end(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _are_columns(value: Any) -> bool:
    if not isinstance(value, tuple | list) or not value:
        return False
    for pair in value:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(map(_is_text, pair)):
            return False
        table, _, key = pair[0].partition(".")
        if table not in TABLES or not key or pair[1] not in KINDS:
            return False
    return len({name for name, _ in value}) == len(value)


_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "name": (
        lambda value: isinstance(value, str) and _NAME.fullmatch(value) is not None,
        "lower-case letters, digits and _, a letter first",
    ),
    "version": (lambda value: type(value) is int and value >= 1, "a whole number of at least 1"),
    "meaning": (_is_text, "a line of text"),
    "columns": (
        _are_columns,
        f"pairs (table.key, kind), table one of {', '.join(TABLES)}, kind one of "
        f"{', '.join(KINDS)}",
    ),
    "unit": (_is_text, "a word"),
    "least": (_is_end, "a number"),
    "most": (_is_end, "a number"),
    "higher_is_better": (lambda value: value is None or type(value) is bool, "True, False or None"),
    "source": (_is_text, "a line of text"),
}


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _told(error: BaseException) -> str:
    """The error's kind and its words, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
