"""The forms by name, and what each is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eval_pipeline.reporting.exports import (
    csv_rows,
    every_eval_ever,
    hugging_face,
    junit,
    lm_eval,
    markdown,
)
from eval_pipeline.reporting.exports.export import Export, Files


@dataclass(frozen=True)
class ExportForm:
    """written: the files of the form. single: whether they are one file, which a screen can take.

    takes_samples: whether replies have a place in it.
    """

    what: str
    written: Callable[[Export], Files]
    single: bool = False
    takes_samples: bool = False


FORMS: Mapping[str, ExportForm] = {
    "csv": ExportForm("a row a checkpoint, safe in a spreadsheet", csv_rows.written, single=True),
    "every_eval_ever": ExportForm(
        "records of Every Eval Ever, schema 0.2.1", every_eval_ever.written, takes_samples=True
    ),
    "hf_eval_results": ExportForm("Hugging Face .eval_results", hugging_face.eval_results),
    "hf_model_index": ExportForm("model-index of a model card", hugging_face.model_index),
    "junit": ExportForm("JUnit XML: a case a decision", junit.written, single=True),
    "lm_eval": ExportForm(
        "result files as lm-evaluation-harness writes them", lm_eval.written, takes_samples=True
    ),
    "markdown": ExportForm("a remark for a pull request", markdown.written, single=True),
}
