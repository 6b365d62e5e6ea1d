"""The metrics that a contract may ask for, each said once.

Reads nothing and imports nothing heavy: contracts look names up here while they are validated.

How a metric is added, on the shelf of its family (a folder of this room):

1. `formula.py`, or `formula_<idea>.py` where the family has several: pure functions on arrays.
2. `entry.py`, in `METRICS`: name, version, meaning, the columns it reads (`items.key` and
   `generations.key` as the raw rows spell them, `verifier_scores.column`), unit, range, direction,
   options, source of the formula.
3. `measure.py`, in `MEASURES`, for a metric made from `columns`: how they become a number, in one
   of the forms of `measures.forms`: `PerSample` (a value a sample), `OfSums` (terms a sample and a
   value of their sums), `OfRanks` (a value with each sample's influence) or `OfSet`. Intervals,
   slices, the failure policy and counts follow from the form.

A new family is one more folder, named in `FAMILIES` below. A metric of another package comes in by
an entry point: see `plugins.discovery`.
A formula that changes gets a higher version in its entry, and the tables that hold it are stale.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import TYPE_CHECKING

from eval_pipeline.metrics.calibration import entry as calibration
from eval_pipeline.metrics.classification import entry as classification
from eval_pipeline.metrics.draws import entry as draws
from eval_pipeline.metrics.elsewhere import entry as elsewhere
from eval_pipeline.metrics.entry import KINDS, Metric, MetricColumn, OptionValue
from eval_pipeline.metrics.factuality import entry as factuality
from eval_pipeline.metrics.field_extraction import entry as field_extraction
from eval_pipeline.metrics.images import entry as images
from eval_pipeline.metrics.judged import entry as judged
from eval_pipeline.metrics.likelihood import entry as likelihood
from eval_pipeline.metrics.retrieval import entry as retrieval
from eval_pipeline.metrics.robustness import entry as robustness
from eval_pipeline.metrics.rubric import entry as rubric
from eval_pipeline.metrics.safety import entry as safety
from eval_pipeline.metrics.statuses import entry as statuses
from eval_pipeline.metrics.text_overlap import entry as text_overlap
from eval_pipeline.metrics.vision_language import entry as vision_language

if TYPE_CHECKING:
    from eval_pipeline.metrics.plugins.discovery import InstalledPlugins

FAMILIES = (
    draws,
    statuses,
    judged,
    calibration,
    classification,
    likelihood,
    text_overlap,
    field_extraction,
    retrieval,
    factuality,
    rubric,
    vision_language,
    images,
    safety,
    robustness,
    elsewhere,
)
METRICS: dict[str, Metric] = {
    metric.name: metric for family in FAMILIES for metric in family.METRICS
}
STATUS_RATES = statuses.METRICS
KINDS_BY_NAME = {str(kind): kind for kind in KINDS}

LIKE = 0.6  # how like a name must be to be offered, of 1
OF_A_WORD = 0.9  # what being like a word of a name counts, beside being like the whole
SHOWN = 4
MOST_LETTERS = 80  # of an unknown name that are looked at

_STEMS = {"pass_at_k": "pass@", "pass_hat_k": "pass^", "majority_vote": "majority@"}
_LABEL = re.compile(
    r"(?P<stem>[A-Za-z][A-Za-z0-9_]*[@^]?)(?:(?<=[@^])(?P<k>[1-9][0-9]*))?"
    r"(?:\((?P<options>[^()]+)\))?"
)


@dataclass(frozen=True)
class ChosenMetric:
    """What a label stands for: a metric, its k, and all of its options, defaults included."""

    metric: Metric
    k: int | None
    options: Mapping[str, OptionValue]


def lookup(name: str) -> Metric | None:
    """The built-in metric of that name, else that of an installed package, else None."""
    return METRICS[name] if name in METRICS else plugin_metrics().get(name)


def metric(name: str) -> Metric:
    """As `lookup`; raises ValueError that names the nearest known ones where there is none."""
    if found := lookup(name):
        return found
    raise ValueError(f"unknown metric {name!r:.80}: {mend_of(name)}")


def mend_of(name: str) -> str:
    """What to write in place of an unknown name: those like it, or where all of them are listed.

    A name is like another as a whole or by one of its words: auc is like event_auroc. Where an
    installed package offers the very name, what is wrong with its plug-in.
    """
    if fault := installed().faulty.get(name):
        return fault
    word = name.lower().strip("@^ ")[:MOST_LETTERS]
    likeness = {known: _likeness(word, known) for known in names()}
    near = [known for known in likeness if likeness[known] >= LIKE]
    near = sorted(near, key=lambda known: -likeness[known])[:SHOWN]
    if near:
        return f"did you mean {', '.join(near)}?"
    return f"`eval-pipeline metrics` lists the {len(likeness)} that there are"


def _likeness(word: str, known: str) -> float:
    whole = SequenceMatcher(None, word, known).ratio()
    words = max(SequenceMatcher(None, word, part).ratio() for part in known.split("_"))
    return max(whole, OF_A_WORD * words)


def names() -> tuple[str, ...]:
    """Of all metrics: the built-in ones, then those of installed packages."""
    return (*METRICS, *plugin_metrics())


@cache
def installed() -> "InstalledPlugins":
    """The plug-ins of installed packages, looked for once and only when they are needed."""
    from eval_pipeline.metrics.plugins.discovery import discover

    return discover(METRICS)


@cache
def plugin_metrics() -> Mapping[str, Metric]:
    """The entries of installed plug-ins, by name; their family is `plugins`."""
    return {
        name: Metric(
            name,
            plugin.version,
            plugin.meaning,
            "columns",
            tuple(MetricColumn(column, KINDS_BY_NAME[kind]) for column, kind in plugin.columns),
            plugin.higher_is_better,
            "plugins",
            unit=plugin.unit,
            least=plugin.least,
            most=plugin.most,
            source=plugin.source,
            per_item=math.isfinite(plugin.least) and math.isfinite(plugin.most),
        )
        for name, plugin in installed().plugins.items()
    }


def label_of(
    name: str, k: int | None = None, options: Mapping[str, OptionValue] | None = None
) -> str:
    """How a metric is called in tables: `pass@4`, or `ece_event(bins=10)`.

    Options that are at a default are left out, so that one thing has one label.
    """
    known = {option.name: option for option in METRICS[name].options} if name in METRICS else {}
    written = [
        f"{key}={_written(value, known[key].default if key in known else None)}"
        for key, value in sorted((options or {}).items())
        if key not in known or known[key].required or known[key].default != value
    ]
    stem = name if k is None else f"{_STEMS.get(name, name + '@')}{k}"
    return f"{stem}({', '.join(written)})" if written else stem


def asked(label: str) -> ChosenMetric:
    """What stands behind a label: `pass@4` is pass_at_k with k = 4.

    Raises ValueError where no metric has that label, or no such option.
    """
    parts = _LABEL.fullmatch(label)
    names = {stem: name for name, stem in _STEMS.items()}
    stem = parts["stem"] if parts else label
    if parts is None or (stem[-1] in "@^") != (parts["k"] is not None):
        found = metric(label)  # raises, with the nearest names
    elif (known := lookup(names.get(stem) or stem.removesuffix("@"))) is not None:
        found = known
    else:
        raise ValueError(f"unknown metric {label!r:.80}: {mend_of(stem)}")
    k = int(parts["k"]) if parts and parts["k"] else None
    if found.needs_k and k is None:
        raise ValueError(
            f"metric {label!r} needs a k: write it as {_STEMS.get(found.name, found.name + '@')}1"
        )
    if k is not None and (not found.needs_k or label_of(found.name, k) != f"{stem}{k}"):
        metric(label)
    chosen = {option.name: option.default for option in found.options}
    given = set()
    for choice in parts["options"].split(", ") if parts and parts["options"] else ():
        name, equals, text = choice.partition("=")
        option = found.option(name.strip())
        value = _read(text, option.default)
        if not equals or (fault := option.fault(value)):
            why = fault[0] if equals and fault else "has no value"
            raise ValueError(f"{label!r}: option {name} {why}")
        chosen[name] = value
        given.add(name)
    for option in found.options:
        if option.required and option.name not in given:
            raise ValueError(f"{label!r} needs the option {option.name}: {option.meaning}")
    return ChosenMetric(found.on_scale(chosen), k, chosen)


def from_label(label: str) -> tuple[Metric, int | None]:
    """The metric and the k behind a label; raises as `asked`."""
    chosen = asked(label)
    return chosen.metric, chosen.k


def _written(value: OptionValue, default: OptionValue | None) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(default, float) and isinstance(value, int):
        value = float(value)  # 1 and 1.0 are one choice
    return value if isinstance(value, str) else repr(value)


def _read(text: str, default: OptionValue) -> OptionValue:
    """The value that `_written` wrote, in the type of the default; the text where it is none."""
    if isinstance(default, str):
        return text
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text, text)
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        return text
