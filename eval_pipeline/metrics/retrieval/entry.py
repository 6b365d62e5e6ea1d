"""What a retriever found, apart from what was said about it.

`retrieved` lists the names of an item's documents, best first; `relevance` maps names of judged
documents to grades, of which those above 0 are relevant.
"""

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

_COLUMNS = (MetricColumn("generations.retrieved", "texts"), MetricColumn("items.relevance", "json"))
_DEPTH = Option("depth", 10, "how many documents count, from the first", least=1, most=10_000)
_EXHAUSTED = Option("exhausted", False, "whether shorter lists mean that no more was found")
_GAIN = Option(
    "gain", "linear", "a grade itself, or 2^grade - 1", choices=("linear", "exponential")
)
_MANNING = "Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, 8.4"


def _entry(name: str, meaning: str, source: str, *options: Option) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        _COLUMNS,
        higher_is_better=True,
        family="retrieval",
        source=source,
        options=(_DEPTH, _EXHAUSTED, *options),
    )


METRICS = (
    _entry("retrieval_recall", "Share of an item's relevant documents among the first.", _MANNING),
    _entry("retrieval_precision", "Share of the first places with a relevant document.", _MANNING),
    _entry(
        "reciprocal_rank",
        "1 / place of the first relevant document, 0 where none is found.",
        "Voorhees 1999, TREC-8 question answering track",
    ),
    _entry(
        "ndcg",
        "Discounted gain of the first documents over that of the best order.",
        "Järvelin and Kekäläinen 2002, ACM TOIS 20:422; exponential: Burges et al. 2005, ICML",
        _GAIN,
    ),
)
