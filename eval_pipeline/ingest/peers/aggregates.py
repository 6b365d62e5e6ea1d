"""Files that hold numbers over all items and no reply: refused, and told what they are."""

import re
from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Json
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_list, a_number, an_object

MEND = "it holds numbers and no replies: import the file of samples that stands beside it"
LOOKED_AT = 64 << 10
_FRONT_MATTER = re.compile(
    rb"\A(?:\xef\xbb\xbf)?---\s*\n.*?^model-index:", re.DOTALL | re.MULTILINE
)
_RESULTS = re.compile(rb"^- +dataset:|^ +dataset: *\n? +(?:id|name):", re.MULTILINE)
_VALUE = re.compile(rb"^[- ] +value:", re.MULTILINE)


def refuse_aggregate(glance: Glance) -> None:
    """Raises ValueError that names the tool whose numbers over all items the file holds."""
    for what in _tools(glance):
        raise ValueError(f"{glance.name} is {what}: {MEND}")


def _tools(glance: Glance) -> Iterator[str]:
    if glance.members:
        return
    if {"judge", "judgment", "score", "question_id"} <= glance.first.keys():
        yield "a file of a judge's scores of single replies (FastChat)"
    with glance.source.open() as file:
        start = file.read(LOOKED_AT)
    if _FRONT_MATTER.search(start):
        yield "a Hugging Face model card with a model-index"
    if _RESULTS.search(start) and _VALUE.search(start) and start.lstrip()[:1] not in b"{[":
        yield "a list of Hugging Face evaluation results"
    if start.lstrip()[:1] not in (b"{", b"["):
        return
    document = glance.object
    results = [an_object(one) for one in an_object(document.get("results")).values()]
    if results and all(map(_is_numbers, results)):
        yield "a results file of lm-evaluation-harness"
    if "score" in document and _is_numbers(document):
        yield "the metrics of simple-evals"
    index = a_list(document.get("model-index"))
    if index and "results" in an_object(index[0]):
        yield "a Hugging Face model-index"


def _is_numbers(values: Mapping[str, Json]) -> bool:
    """Whether all values are numbers."""
    return bool(values) and all(a_number(one) is not None for one in values.values())
