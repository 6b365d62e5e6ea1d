"""HELM: the folder of a run, with run_spec.json, scenario_state.json and per_instance_stats.json.

Perturbed instances and the metrics computed on them are left out: what is asked first is the
plain instance. The reply to a choice may be a letter that `output_mapping` leads to an option.
Source: the run folders of stanford-crfm/helm.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_count, a_list, a_number, a_text, an_object, written

STATE, PER_INSTANCE, STATS, SPEC, SCENARIO = (
    "scenario_state",
    "per_instance_stats",
    "stats",
    "run_spec",
    "scenario",
)
Verdicts = Mapping[tuple[str, int], Mapping[str, float | None]]


def _claims(glance: Glance) -> str | None:
    if glance.object.keys() >= {"adapter_spec", "request_states"}:
        return STATE
    if glance.object.keys() >= {"scenario_spec", "adapter_spec", "metric_specs"}:
        return SPEC
    if glance.object.keys() >= {"name", "tags", "definition_path"}:
        return SCENARIO
    first = an_object(glance.rows[0]) if glance.rows else {}
    if first.keys() >= {"instance_id", "train_trial_index", "stats"}:
        return PER_INSTANCE
    return STATS if first.keys() >= {"name", "count", "sum_squared"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    runs: dict[str, dict[str, Glance]] = defaultdict(dict)
    for part, glances in files.items():
        for glance in glances:
            runs[str(glance.path.parent)][part] = glance
    for folder, parts in sorted(runs.items()):
        if STATE not in parts:
            raise ValueError(f"{folder} has no scenario_state.json: import the whole run folder")
        said = _said(parts[PER_INSTANCE]) if PER_INSTANCE in parts else {}
        model, metrics = "model", set[str]()
        spec = parts[SPEC].object if SPEC in parts else {}
        task = (a_text(spec.get("name")) or parts[STATE].path.parent.name).partition(":model=")[0]
        for entry in _replies(parts[STATE], said, task):
            model = entry.model
            metrics |= entry.said.keys()
            yield entry
        if STATS in parts:
            yield from _published(parts[STATS], task, model, metrics)


def _replies(glance: Glance, said: Verdicts, task: str) -> Iterator[PeerReply]:
    for number, state in enumerate(a_list(glance.object.get("request_states"))):
        found = an_object(state)
        instance = an_object(found.get("instance"))
        if instance.get("perturbation") is not None:
            continue
        request, result = an_object(found.get("request")), an_object(found.get("result"))
        completions = [an_object(one) for one in a_list(result.get("completions"))]
        trial = a_count(found.get("train_trial_index")) or 0
        item = written(instance.get("id"))
        mapping = {k: written(v) for k, v in an_object(found.get("output_mapping")).items()}
        references = [an_object(one) for one in a_list(instance.get("references"))]
        right = tuple(
            a_text(an_object(one.get("output")).get("text")) or ""
            for one in references
            if "correct" in a_list(one.get("tags"))
        )
        place = f"{glance.name}: request_states[{number}]"
        failed = result.get("success") is False
        for index, completion in enumerate(completions or [{}]):
            text = a_text(completion.get("text"))
            yield PeerReply(
                task=task,
                item_id=item,
                model=a_text(request.get("model")) or "model",
                draw=trial * max(1, len(completions)) + index,
                question=a_text(an_object(instance.get("input")).get("text")) or "",
                text=None if failed else text,
                place=place,
                references=right,
                options=tuple(mapping.values()) or None,
                said=said.get((item, trial), {}) if index == 0 else {},
                status="infra_error" if failed or text is None else "ok",
                detail=a_text(result.get("error")),
                finish_reason=a_text(an_object(completion.get("finish_reason")).get("reason")),
            )


def _said(glance: Glance) -> Verdicts:
    """(instance, trial) -> metric -> mean, of plain instances and what is a share of right."""
    said: dict[tuple[str, int], dict[str, float | None]] = {}
    for row in glance.rows:
        found = an_object(row)
        if found.get("perturbation") is not None:
            continue
        key = written(found.get("instance_id")), a_count(found.get("train_trial_index")) or 0
        said[key] = dict(_shares(a_list(found.get("stats"))))
    return said


def _shares(stats: Sequence[Json]) -> Iterator[tuple[str, float]]:
    for stat in stats:
        found = an_object(stat)
        name = an_object(found.get("name"))
        metric, mean = a_text(name.get("name")), a_number(found.get("mean"))
        plain = name.get("perturbation") is None and "sub_split" not in name
        if metric and plain and mean is not None and "match" in metric:
            yield metric, mean


def _published(glance: Glance, task: str, model: str, metrics: set[str]) -> Iterator[Entry]:
    """The run's own means of the metrics that its instances have."""
    for metric, mean in _shares(glance.rows):
        if metric in metrics:
            yield PublishedNumber(task, model, metric, mean, f"{glance.name}: {metric}")


FORM = PeerForm("helm", "HELM: a run folder", _claims, _read)
