"""How probable the model found its own replies: per token, per character, per byte."""

import math

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

LOGPROBS = MetricColumn("generations.token_logprobs", "numbers")
MASK = MetricColumn("generations.token_mask", "flags", needed=False)
TEXT = MetricColumn("generations.text", "text")
VERDICT = MetricColumn("contamination_items.status", "text", needed=False)
NEAR_ONE = Option(
    "near_one", 0.9, "mean probability of a token from which a text counts as stored", least=0.0,
    most=1.0,
)  # fmt: skip
FORM = Option(
    "unicode_form",
    "as_is",
    "Unicode form of the bytes that the model was given",
    choices=("as_is", "NFC", "NFD", "NFKC", "NFKD"),
)


def _of_replies(
    name: str,
    meaning: str,
    source: str,
    columns: tuple[MetricColumn, ...],
    unit: str,
    *,
    least: float = 0.0,
    most: float = math.inf,
    options: tuple[Option, ...] = (),
    note: str = "",
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        columns,
        higher_is_better=False,
        family="likelihood",
        unit=unit,
        least=least,
        most=most,
        source=source,
        options=options,
        per_item=False,
        note=note,
    )


METRICS = (
    _of_replies(
        "perplexity",
        "exp of the mean surprise of the tokens that are kept, over all replies together.",
        "Jelinek et al. 1977, J. Acoust. Soc. Am. 62:S63; token_mask says which tokens count",
        (LOGPROBS, MASK, VERDICT),
        "perplexity",
        least=1.0,
        options=(NEAR_ONE,),
        note="of one tokenizer: not comparable across others",
    ),
    _of_replies(
        "bits_per_byte",
        "Bits that the replies cost over their UTF-8 bytes; comparable across tokenizers.",
        "Gao et al. 2020, arXiv:2101.00027, section 3.1",
        (LOGPROBS, TEXT, VERDICT),
        "bits/byte",
        options=(FORM, NEAR_ONE),
        note="assumes that the log-probabilities are those of the text's own tokens",
    ),
    _of_replies(
        "bits_per_character",
        "Bits that the replies cost over their Unicode code points.",
        "nats / (ln 2 * characters)",
        (LOGPROBS, TEXT, VERDICT),
        "bits/char",
        options=(FORM, NEAR_ONE),
        note="assumes that the log-probabilities are those of the text's own tokens",
    ),
    _of_replies(
        "stored_share",
        "Share of replies to contaminated items whose likelihood is near 1: storage, not quality.",
        "mean probability of a token, exp(-nats / tokens), joined with contamination_items",
        (LOGPROBS, MASK, MetricColumn("contamination_items.status", "text")),
        "share",
        most=1.0,
        options=(NEAR_ONE,),
        note="an alarm, never a sign of quality",
    ),
)
