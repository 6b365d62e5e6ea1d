"""Answers about images. A failed sample that counts as wrong gets 0; as a probe it is answered
wrongly: no where the object is there, yes where it is not.
"""

from collections.abc import Callable

import numpy as np

from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options, PerSample, keywords
from eval_pipeline.metrics.samples import Bools, Floats
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View
from eval_pipeline.metrics.vision_language.formula_cider import (
    DocumentFrequencies,
    caption_tokens,
    cider,
    document_frequencies,
)
from eval_pipeline.metrics.vision_language.formula_pope import pope_sums
from eval_pipeline.metrics.vision_language.formula_spice import spice
from eval_pipeline.metrics.vision_language.formula_vqa import vqa_scores

NO_KIND = "there are no such probes, or no such answers"


def _vqa(view: View, options: Options) -> Floats:
    said, wanted = view["generations.answer"].tolist(), view["items.human_answers"].tolist()
    return vqa_scores(said, wanted, **keywords(options))


def _probes(view: View) -> tuple[Bools, Bools]:
    present = view["items.present"].astype(bool)
    said = zip(view["generations.said_yes"], view.failed, present, strict=True)
    return np.array([not there if failed else yes for yes, failed, there in said]), present


def _pope(rate: str) -> Callable[[View, Options], Sums]:
    return lambda view, options: pope_sums(*_probes(view))[rate]


def _of_probes(rate: str) -> OfSums:
    return OfSums(_pope(rate), NO_KIND, on_failure="missed", remark=_present_share)


def _present_share(view: View, options: Options) -> str:
    return f"{_probes(view)[1].mean():.4f} of the probes ask for present objects"


def _frequencies(view: View) -> DocumentFrequencies:
    """Of the references of all items, so that every checkpoint is held against one corpus."""
    references = [texts for texts in view.of_items("items.references") if texts is not None]
    documents = [[caption_tokens(text) for text in texts] for texts in references]
    return document_frequencies(documents, f"references of {len(documents)} items")


def _cider(view: View, options: Options) -> Floats:
    said = [caption_tokens(text) for text in view["generations.text"]]
    wanted = [[caption_tokens(text) for text in texts] for texts in view["items.references"]]
    return cider(said, wanted, _frequencies(view), **keywords(options)).scores


def _corpus(view: View, options: Options) -> str:
    known = sum(texts is not None for texts in view.of_items("items.references"))
    return f"document frequencies of the references of {known} items"


def _statements(view: View, options: Options) -> Floats:
    said, wanted = view["generations.statements"].tolist(), view["items.statements"].tolist()
    for i, both in enumerate(zip(said, wanted, strict=True)):
        if not all(isinstance(side, list) for side in both):
            raise ValueError(f"{view.name(i)}: statements must be lists of one to three words each")
    return spice(said, wanted).f1


MEASURES: dict[str, Measure] = {
    "vqa_accuracy": PerSample(_vqa),
    "pope_accuracy": _of_probes("accuracy"),
    "pope_precision": _of_probes("precision"),
    "pope_recall": _of_probes("recall"),
    "pope_f1": _of_probes("f1"),
    "pope_yes_rate": _of_probes("yes_rate"),
    "cider": PerSample(_cider, remark=_corpus),
    "statement_f1": PerSample(_statements),
}
