"""Values that were computed elsewhere: read, checked against their range, averaged."""

from eval_pipeline.metrics.elsewhere.entry import METRICS
from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options, PerSample
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.sums import Sums, mean_sums
from eval_pipeline.metrics.view import View


def _read(view: View, options: Options) -> Floats:
    (column,) = view.metric.columns
    values: Floats = view[column.name]
    return values


def _mean(view: View, options: Options) -> Sums:
    return mean_sums(_read(view, options))


def _measure(metric: Metric) -> Measure:
    """A range without ends has no worst value: failed samples are left out of it."""
    return PerSample(_read) if metric.per_item else OfSums(_mean, on_failure="left_out")


MEASURES: dict[str, Measure] = {metric.name: _measure(metric) for metric in METRICS}
