"""Text overlap. A failed sample that counts as wrong said nothing: BLEU reads it as an empty text,
ROUGE gives it 0.
"""

from eval_pipeline.metrics.measures.column_values import once
from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options, PerSample, keywords
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.text_overlap.formula_bleu import bleu_sums, signature
from eval_pipeline.metrics.text_overlap.formula_rouge import cut_texts, rouge_of
from eval_pipeline.metrics.text_overlap.references import references_each
from eval_pipeline.metrics.view import View


def _texts(view: View) -> tuple[list[str], list[list[str]]]:
    """What each sample said, and its references."""
    replies = zip(view["generations.text"], view.failed, strict=True)
    return ["" if failed else text for text, failed in replies], view["items.references"].tolist()


def _bleu(view: View, options: Options) -> Sums:
    return bleu_sums(*_texts(view), **keywords(options))


def _signature(view: View, options: Options) -> str:
    return signature(references_each(view["items.references"].tolist()), **keywords(options))


def _rouge(view: View, options: Options) -> Floats:
    variant, measure = str(options["variant"]), str(options["measure"])
    tokens = str(options["tokens"])
    # the variants of one way to cut the texts are asked for one by one
    cut = once(view, {"tokens": tokens}, "texts", lambda: cut_texts(*_texts(view), tokens))
    variants = rouge_of(cut, [variant])[variant]
    scores: Floats = getattr(variants, measure)
    return scores


MEASURES: dict[str, Measure] = {
    "bleu": OfSums(_bleu, pooled=True, on_failure="missed", remark=_signature),
    "rouge": PerSample(_rouge),
}
