"""Reliability diagrams of a checkpoint: stated chances against shares that are right, by bin."""

from collections.abc import Iterable

from eval_pipeline.metrics.calibration.entry import BINS
from eval_pipeline.metrics.calibration.formula_ece import reliability
from eval_pipeline.metrics.calibration.measure import binned, forecasts
from eval_pipeline.metrics.estimates.row import Row
from eval_pipeline.metrics.measures.column_values import nowhere
from eval_pipeline.metrics.registry import METRICS, asked, label_of
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.metrics.view import participation, view_of

DIAGRAM = "ece_event"  # its label names the bins of a diagram


def diagrams(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels of the diagrams that metrics of confidences call for: one for each way of binning.

    A metric that has no bins calls for the default ones.
    """
    found = set()
    for label in labels:
        options = asked(label).options
        chosen = {option.name: options.get(option.name, option.default) for option in BINS}
        found.add(label_of(DIAGRAM, options=chosen))
    return tuple(sorted(found))


def reliability_rows(
    items: Items, samples: Samples, labels: Iterable[str], confidence: float
) -> list[Row]:
    """A row for each bin that holds samples, under the contract's failure policy.

    No rows where the columns cannot be read: `metric_estimates` says why.
    """
    rows: list[Row] = []
    metric = METRICS[DIAGRAM]
    try:
        if nowhere(metric, samples):
            return rows
        who = participation(metric, samples, "primary", "scored")
        view = view_of(metric, samples, "primary", who)
        p, y = forecasts(view)
    except ValueError:  # told in metric_estimates, as the reason of the metric itself
        return rows
    for label in sorted(labels) if len(view) else ():
        bins, rule = binned(asked(label).options)
        clusters = items.clusters[samples.item[view.rows]].tolist()
        diagram = reliability(p, y, bins, rule, clusters=clusters, level=confidence)
        rows += [
            {
                "metric": label,
                "bin": i,
                "low": diagram.low[i],
                "high": diagram.high[i],
                "n_samples": int(diagram.n[i]),
                "mean_confidence": diagram.confidence[i],
                "share_right": diagram.accuracy[i],
                "ci_low": diagram.ci_low[i],
                "ci_high": diagram.ci_high[i],
                "ci_method": diagram.method[i],
                "confidence": confidence,
            }
            for i in range(bins)
            if diagram.n[i]
        ]
    return rows
