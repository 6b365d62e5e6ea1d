"""Whether stated confidences can be believed: the chance of being right, against being right.

`confidence` is the stated chance that the reply is right, so the event is being right. Where a
model gives a probability to each option, `probabilities` lists them in the order of the options.
"""

import math

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

CONFIDENCE = (
    MetricColumn("generations.confidence", "share"),
    MetricColumn("verifier_scores.score", "score"),
)
PROBABILITIES = (
    MetricColumn("generations.probabilities", "numbers"),
    MetricColumn("items.options", "texts"),
    MetricColumn("items.answer", "text"),
)
BINS = (
    Option("bins", 10, "number of bins of the confidence, 1 to 1000", least=1, most=1000),
    Option(
        "rule",
        "equal_width",
        "bins [i/n, (i+1)/n), or (i/n, (i+1)/n], or of equally many samples",
        choices=("equal_width", "equal_width_right", "equal_mass"),
    ),
)
MOST_NATS = -math.log(1e-12)  # of one outcome, after the clip
_MURPHY = "Murphy 1973, J. Appl. Meteor. 12:595; Stephenson et al. 2008, Weather Forecast. 23:752"
_BIASED = "the ECE of a finite sample is biased upwards: its interval, of these bins, allows for it"


def _entry(
    name: str,
    meaning: str,
    source: str,
    columns: tuple[MetricColumn, ...] = CONFIDENCE,
    *,
    higher_is_better: bool | None = False,
    unit: str = "share",
    least: float = 0.0,
    most: float = 1.0,
    options: tuple[Option, ...] = (),
    per_item: bool = False,
    note: str = "",
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        columns,
        higher_is_better,
        "calibration",
        unit=unit,
        least=least,
        most=most,
        source=source,
        options=options,
        per_item=per_item,
        note=note,
    )


METRICS = (
    _entry(
        "brier_binary",
        "Mean squared gap between the stated chance of being right and being right.",
        "Brier 1950, Mon. Weather Rev. 78:1, the half of it",
        unit="squared error",
        per_item=True,
    ),
    _entry(
        "brier_sum",
        "Mean over samples of the squared gaps summed over options; twice the binary one for two.",
        "Brier 1950, Mon. Weather Rev. 78:1",
        PROBABILITIES,
        unit="squared error",
        most=2.0,
        per_item=True,
    ),
    _entry(
        "nll_binary",
        "Mean surprise at being right or wrong, given the stated chance.",
        "-ln of the chance given to what happened, at least 1e-12",
        unit="nats",
        most=MOST_NATS,
        per_item=True,
    ),
    _entry(
        "nll_options",
        "Mean surprise at the right option, given the probability of each.",
        "-ln of the probability of the right option, at least 1e-12",
        PROBABILITIES,
        unit="nats",
        most=MOST_NATS,
        per_item=True,
    ),
    _entry(
        "overconfidence",
        "Mean stated chance of being right minus the share that is right.",
        "mean of confidence - right",
        higher_is_better=None,
        unit="difference",
        least=-1.0,
        per_item=True,
    ),
    _entry(
        "ece_event",
        "Gap between stated chance and share right, mean over bins of the chance.",
        "Naeini et al. 2015, AAAI; Guo et al. 2017, arXiv:1706.04599, section 2",
        options=BINS,
        note=_BIASED,
    ),
    _entry(
        "ece_top_label",
        "As ece_event, of the most probable option and whether it is the right one.",
        "Guo et al. 2017, arXiv:1706.04599, section 2",
        PROBABILITIES,
        options=BINS,
        note=_BIASED,
    ),
    _entry(
        "murphy_reliability",
        "Term of the Brier score for stated chances that are off; 0 is best.",
        _MURPHY,
        unit="squared error",
        options=BINS,
    ),
    _entry(
        "murphy_resolution",
        "Term of the Brier score for chances that tell right from wrong; it is subtracted.",
        _MURPHY,
        higher_is_better=True,
        unit="squared error",
        most=0.25,
        options=BINS,
    ),
    _entry(
        "murphy_uncertainty",
        "Term of the Brier score that the items alone decide: share right times share wrong.",
        _MURPHY,
        higher_is_better=None,
        unit="squared error",
        most=0.25,
        options=BINS,
    ),
    _entry(
        "murphy_within_variance",
        "Term of the Brier score for chances that differ within their bin.",
        _MURPHY,
        higher_is_better=None,
        unit="squared error",
        most=0.25,
        options=BINS,
    ),
    _entry(
        "murphy_within_covariance",
        "Term of the Brier score for chances that follow the outcome within their bin; subtracted.",
        _MURPHY,
        higher_is_better=None,
        unit="squared error",
        least=-0.5,
        most=0.5,
        options=BINS,
    ),
    _entry(
        "risk_coverage_area",
        "Mean share of wrong replies among those accepted, over all thresholds of confidence.",
        "Geifman et al. 2018, arXiv:1805.08206; equal confidences are accepted together",
    ),
)
