"""DeepEval: the JSON of a test run, one case a reply, each metric a verdict.

The metrics stand again in `trace`, which is not read. `evaluationCost` is the judge's.
Source: the test runs of confident-ai/deepeval.
"""

from collections.abc import Iterator

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReply
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_list, a_number, a_text, an_object, texts, written

RUN = "test_run"
MODEL = "test_run"  # a run names the judge and not the model that answered


def _claims(glance: Glance) -> str | None:
    return RUN if glance.object.keys() >= {"testCases", "metricsScores"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[RUN]:
        for number, case in enumerate(map(an_object, a_list(glance.object.get("testCases")))):
            metrics = [an_object(one) for one in a_list(case.get("metricsData"))]
            judges = {a_text(one.get("evaluationModel")) for one in metrics} - {None}
            item = case.get("name") if case.get("name") is not None else case.get("order")
            output = a_text(case.get("actualOutput"))
            context: Json = case.get("context")
            yield PeerReply(
                task=glance.path.stem,
                item_id=written(item),
                model=MODEL,
                draw=0,
                question=written(case.get("input")),
                text=output,
                place=f"{glance.name}: testCases[{number}]",
                references=texts(case.get("expectedOutput")),
                said={written(one.get("name")): a_number(one.get("score")) for one in metrics},
                status="ok" if output is not None else "infra_error",
                item_columns={} if context is None else {"context": written(context)},
                columns={"graded_by": ", ".join(sorted(filter(None, judges)))} if judges else {},
            )


FORM = PeerForm("deepeval", "DeepEval: the JSON of a test run", _claims, _read)
