"""Metrics of other packages: their columns go in as they are, their scores come out checked."""

from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options, PerSample
from eval_pipeline.metrics.plugins.discovery import MetricPlugin, plugin_scores
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.sums import Sums, mean_sums
from eval_pipeline.metrics.view import View


def measure_of_plugin(plugin: MetricPlugin, *, per_item: bool) -> Measure:
    """Its scores averaged; one without ends of its range leaves failed samples out."""

    def values(view: View, options: Options) -> Floats:
        given = {name: view[name].tolist() for name, _ in plugin.columns}
        return plugin_scores(plugin, given)

    def sums(view: View, options: Options) -> Sums:
        return mean_sums(values(view, options))

    return PerSample(values) if per_item else OfSums(sums, on_failure="left_out")
