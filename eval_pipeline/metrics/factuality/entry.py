"""What becomes of the claims in a reply: supported, decidable, cited.

`claims` lists what was found about each claim: {verdict: supported, unsupported or unknown, cited:
true or false, link_supports: true, false or left out}.
"""

from eval_pipeline.metrics.entry import Metric, MetricColumn

_CLAIMS = (MetricColumn("generations.claims", "json"),)


def _entry(
    name: str,
    meaning: str,
    source: str,
    columns: tuple[MetricColumn, ...] = _CLAIMS,
    note: str = "",
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        columns,
        higher_is_better=True,
        family="factuality",
        source=source,
        per_item=False,
        note=note,
    )


METRICS = (
    _entry(
        "support_precision",
        "Supported claims over those that could be decided.",
        "Min et al. 2023, arXiv:2305.14251, with undecided claims apart",
        note="rises by deciding less: read it with decidable_rate",
    ),
    _entry(
        "decidable_rate",
        "Claims that could be decided over all claims.",
        "share of claims that are supported or unsupported",
    ),
    _entry(
        "citation_completeness",
        "Claims that name a source over all claims.",
        "Liu et al. 2023, arXiv:2304.09848, citation recall by presence",
    ),
    _entry(
        "citation_precision",
        "Sources that support their claim over the sources that were looked at.",
        "Liu et al. 2023, arXiv:2304.09848, citation precision",
    ),
    _entry(
        "faithfulness",
        "Claims that the retrieved context supports over all claims.",
        "Es et al. 2023, arXiv:2309.15217, section 3",
        (
            MetricColumn("generations.n_supported", "number"),
            MetricColumn("generations.n_claims", "number"),
        ),
    ),
)
