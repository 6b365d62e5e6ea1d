"""LiveCodeBench: the graded codes of a scenario, `*_eval_all.json`. The hidden tests are not there.

Source: the evaluation output of LiveCodeBench/LiveCodeBench.
"""

from collections.abc import Iterator

from eval_pipeline.ingest.peers.entries import Entry, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_list, a_number, a_text, an_object, written

GRADED = "graded"
PASSED = "graded"
_KEYS = {"question_id", "code_list", "graded_list"}
_OF_ITEM = ("platform", "difficulty", "contest_id", "question_title")
_MONTH = len("2023-08")


def _claims(glance: Glance) -> str | None:
    first = an_object(glance.rows[0]) if glance.rows else {}
    return GRADED if first.keys() >= _KEYS else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[GRADED]:
        model = glance.path.parent.name or glance.path.stem
        means: list[float] = []
        for number, row in enumerate(map(an_object, glance.rows)):
            columns = {key: row[key] for key in _OF_ITEM if row.get(key) is not None}
            if date := a_text(row.get("contest_date")):
                columns["contest_month"] = date[:_MONTH]
            outputs, codes = a_list(row.get("output_list")), a_list(row.get("code_list"))
            for draw, graded in enumerate(a_list(row.get("graded_list"))):
                code = codes[draw] if draw < len(codes) else None
                text = a_text(outputs[draw] if draw < len(outputs) else code)
                yield PeerReply(
                    task=glance.path.stem,
                    item_id=written(row.get("question_id")),
                    model=model,
                    draw=draw,
                    question=a_text(row.get("question_content")) or "",
                    text=text,
                    place=f"{glance.name}: [{number}]",
                    said={PASSED: a_number(graded)},
                    item_columns=columns,
                    status="ok" if text is not None else "infra_error",
                    columns={"code": code},
                )
            if (mean := a_number(row.get("pass@1"))) is not None:
                means.append(mean)
        if len(means) == len(glance.rows):
            value = sum(means) / len(means)
            yield PublishedNumber(
                glance.path.stem, model, PASSED, value, f"{glance.name}: pass@1", len(means)
            )


FORM = PeerForm("livecodebench", "LiveCodeBench: graded codes", _claims, _read)
