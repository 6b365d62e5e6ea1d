"""promptfoo: the JSON of an evaluation, format 3. A prompt with a provider is a model of its own.

`error` also holds the text of a failed assertion: only failureReason 2 is a call that failed.
Source: the results of promptfoo 0.1.
"""

from collections.abc import Iterator, Mapping

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_count, a_list, a_number, a_text, an_object, written

EVALUATION = "evaluation"
CALL_FAILED = 2
PASSED = "success"


def _claims(glance: Glance) -> str | None:
    inside = an_object(glance.object.get("results"))
    return EVALUATION if inside.keys() >= {"version", "results", "prompts"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    for glance in files[EVALUATION]:
        inside = an_object(glance.object.get("results"))
        met: dict[tuple[str, str], int] = {}
        rows = [an_object(row) for row in a_list(inside.get("results"))]
        rows.sort(key=lambda row: (a_count(row.get("testIdx")) or 0, _model(row)))
        for row in rows:
            item, model = written(row.get("testIdx")), _model(row)
            draw = met[item, model] = met.get((item, model), -1) + 1
            yield _reply(row, glance.path.stem, (item, model, draw), glance.name)
        for prompt in map(an_object, a_list(inside.get("prompts"))):
            yield from _published(prompt, glance)


def _model(row: Mapping[str, Json]) -> str:
    """Provider and, by its digest, the prompt: two prompts are two things that are measured."""
    provider = an_object(row.get("provider"))
    name = a_text(provider.get("label")) or a_text(provider.get("id")) or "provider"
    return f"{name}@{(a_text(row.get('promptId')) or '')[:8]}"


def _reply(row: Mapping[str, Json], task: str, key: tuple[str, str, int], file: str) -> PeerReply:
    item, model, draw = key
    response, usage = an_object(row.get("response")), an_object(row.get("tokenUsage"))
    failed = row.get("failureReason") == CALL_FAILED
    output = response.get("output")
    return PeerReply(
        task=task,
        item_id=item,
        model=model,
        draw=draw,
        question=_asked(row),
        text=None if failed or output is None else written(output),
        place=f"{file}: {written(row.get('id'))}",
        said={}
        if failed
        else {PASSED: a_number(row.get(PASSED)), "score": a_number(row.get("score"))},
        status="infra_error" if failed or output is None else "ok",
        detail=(a_text(row.get("error")) or "")[:200] or None if failed else None,
        finish_reason=a_text(response.get("finishReason")),
        tokens_in=a_count(usage.get("prompt")),
        tokens_out=a_count(usage.get("completion")),
        latency_ms=a_number(row.get("latencyMs")),
        cost_usd=a_number(row.get("cost")),
        item_columns=dict(an_object(row.get("vars"))),
        columns={"prompt": a_text(an_object(row.get("prompt")).get("raw"))},
    )


def _asked(row: Mapping[str, Json]) -> str:
    """The variables of the test, which all prompts share; the prompt itself where it has none."""
    variables = an_object(row.get("vars"))
    if variables:
        return "\n".join(f"{name}: {written(value)}" for name, value in sorted(variables.items()))
    return a_text(an_object(row.get("prompt")).get("raw")) or ""


def _published(prompt: Mapping[str, Json], glance: Glance) -> Iterator[Entry]:
    """The share of tests that passed, as the counts of a prompt give it."""
    metrics = an_object(prompt.get("metrics"))
    passed, failed = (a_count(metrics.get(f"test{one}Count")) for one in ("Pass", "Fail"))
    if passed is None or failed is None or passed + failed == 0:
        return
    named = {"provider": {"id": prompt.get("provider")}, "promptId": prompt.get("id")}
    place = f"{glance.name}: results.prompts {a_text(prompt.get('label'))}"
    n = passed + failed
    yield PublishedNumber(glance.path.stem, _model(named), PASSED, passed / n, place, n)


FORM = PeerForm("promptfoo", "promptfoo: the JSON of an evaluation", _claims, _read)
