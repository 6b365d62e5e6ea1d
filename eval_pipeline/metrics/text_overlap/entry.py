"""What the reply shares with reference texts: BLEU and ROUGE. All of them reward copying."""

from collections.abc import Sequence

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

REPLY = MetricColumn("generations.text", "text")
REFERENCES = MetricColumn("items.references", "texts", instead="answer")

METRICS: Sequence[Metric] = (
    Metric(
        "bleu",
        1,
        "n-grams of the replies that their references have, with a penalty for short replies.",
        "columns",
        (REPLY, REFERENCES),
        higher_is_better=True,
        family="text_overlap",
        unit="BLEU, 0 to 1",
        source="Papineni et al. 2002, ACL; Post 2018, arXiv:1804.08771, tokens and signature",
        options=(
            Option("max_order", 4, "longest n-grams that are counted, 1 to 9", least=1, most=9),
            Option(
                "smoothing",
                "none",
                "what stands for an order without a match",
                choices=("none", "exp"),
            ),
            Option(
                "tokenize",
                "13a",
                "how texts are cut into words",
                choices=("13a", "intl", "char", "zh", "none"),
            ),
            Option("lowercase", False, "whether case is ignored"),
        ),
        per_item=False,
    ),
    Metric(
        "rouge",
        1,
        "What the reply shares with its best reference: n-grams, or common subsequences.",
        "columns",
        (REPLY, REFERENCES),
        higher_is_better=True,
        family="text_overlap",
        unit="share",
        source="Lin 2004, ROUGE: A package for automatic evaluation of summaries, sections 2 to 4",
        options=(
            Option(
                "variant",
                "rougeL",
                "n-grams of that length, longest common subsequence, or the weighted one",
                choices=("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeW"),
            ),
            Option(
                "measure",
                "f",
                "harmonic mean of precision and recall, or one of them",
                choices=("f", "precision", "recall"),
            ),
            Option(
                "tokens",
                "rouge",
                "how texts are cut into words",
                choices=("rouge", "rouge_stemmed", "whitespace", "13a", "intl", "char", "zh"),
            ),
        ),
    ),
)
