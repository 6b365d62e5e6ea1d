"""From a metric's entry to the code that computes it."""

import importlib

from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.measures.forms import Measure, PerSample, SetMeasure


def measure_of(metric: Metric) -> Measure:
    """The measure of a metric that is made from columns: `MEASURES[name]` of its family.

    The module is imported only now: some need libraries that others do not. Those of other
    packages are asked as they are.
    """
    if metric.family == "plugins":
        from eval_pipeline.metrics.plugins.measure import measure_of_plugin
        from eval_pipeline.metrics.registry import installed

        return measure_of_plugin(installed().plugins[metric.name], per_item=metric.per_item)
    module = importlib.import_module(f"eval_pipeline.metrics.{metric.family}.measure")
    measures: dict[str, Measure] = module.MEASURES
    return measures[metric.name]


def item_measure_of(metric: Metric) -> PerSample:
    """The measure of a metric that has a value of each item."""
    measure = measure_of(metric)
    if not isinstance(measure, PerSample):
        raise ValueError(f"metric {metric.name} has no value of a single item")
    return measure


def set_measure_of(metric: Metric) -> SetMeasure:
    """The measure of a metric that has a value of the whole set only."""
    measure = measure_of(metric)
    if isinstance(measure, PerSample):
        raise ValueError(f"metric {metric.name} has a value of each item")
    return measure
