"""lm-evaluation-harness: `samples_*.jsonl` with the `results_*.json` of the same run.

A line is one document under one filter: two filters are two verdicts on the same replies. The
replies of a document are `resps[0]`; a task of likelihoods has none, and its verdicts stand alone.
Source: the files that lm-evaluation-harness 0.4 writes with --log_samples.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import orjson

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.reading import a_count, a_list, a_number, a_text, an_object, written
from eval_pipeline.ingest.peers.recognition import Claimed, Form, Glance
from eval_pipeline.ingest.peers.sources import lines_of

SAMPLES, RESULTS = "samples", "results"
_OF_A_SAMPLE = {"doc_id", "doc", "resps", "filtered_resps", "arguments"}
_FREE_TEXT = ("question", "query", "problem", "input", "prompt")


def _claims(glance: Glance) -> str | None:
    if glance.first.keys() >= _OF_A_SAMPLE:
        return SAMPLES
    return RESULTS if glance.object.keys() >= {"results", "versions", "config"} else None


def _read(files: Claimed) -> Iterator[Entry]:
    results = files.get(RESULTS, ())
    samples = files.get(SAMPLES, ())
    if not samples:
        names = ", ".join(glance.name for glance in results)
        raise ValueError(
            f"{names} holds numbers and no sample: import the samples_*.jsonl of the run too "
            "(--log_samples writes them)"
        )
    if not results:
        names = ", ".join(glance.name for glance in samples)
        raise ValueError(
            f"{names} does not say which model answered: import the results_*.json of the run too"
        )
    if len(results) > 1:
        names = ", ".join(glance.name for glance in results)
        raise ValueError(f"{names} are several runs: import each with its own samples")
    model = _model(results[0].object)
    for glance in samples:
        task = _task(glance, results[0].object)
        yield from _replies(glance, model)
        yield from _published(results[0], task, model)


def _model(results: Mapping[str, Json]) -> str:
    """The weights that answered, else the name of the kind of model."""
    config = an_object(results.get("config"))
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(
            (key.strip(), value.strip())
            for key, _, value in (part.partition("=") for part in arguments.split(","))
        )
    named = an_object(arguments)
    for value in (named.get("pretrained"), named.get("model"), results.get("model_name")):
        if isinstance(value, str) and value:
            return value
    return a_text(config.get("model")) or "model"


def _task(glance: Glance, results: Mapping[str, Json]) -> str:
    """The task of a file of samples: the one whose name stands in the file's name."""
    tasks = an_object(results.get("results"))
    named = [task for task in tasks if f"samples_{task}_" in glance.name]
    if len(named) != 1:
        raise ValueError(
            f"{glance.name} belongs to none of the tasks of the results "
            f"({', '.join(sorted(tasks))}): keep the name that the harness gave it"
        )
    return named[0]


def _replies(glance: Glance, model: str) -> Iterator[Entry]:
    """A reply a draw, once every filter has been read: its verdicts are all of them."""
    met: dict[str, list[PeerReply]] = {}
    for number, line in lines_of(glance.source):
        place = f"{glance.name}:{number}"
        try:
            row: Json = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            yield PeerReject(place, "not_json", str(error))
            continue
        found = an_object(row)
        if not found.keys() >= _OF_A_SAMPLE:
            missing = ", ".join(sorted(_OF_A_SAMPLE - found.keys()))
            yield PeerReject(place, "missing_key", f"the line has no {missing}")
            continue
        item = written(found["doc_id"])
        known = met.setdefault(item, [])
        if not known:
            known += _draws(found, item, model, place)
        said = _verdicts(found)
        met[item] = [replace(one, said={**one.said, **said}) for one in known]
    for replies in met.values():
        yield from replies


def _draws(row: Mapping[str, Json], item: str, model: str, place: str) -> list[PeerReply]:
    doc = an_object(row["doc"])
    texts = _generated(a_list(row["resps"]))
    options = tuple(written(one) for one in a_list(doc.get("choices"))) or None
    reply = PeerReply(
        item_id=item,
        model=model,
        draw=0,
        question=_question(doc, row),
        text=None if texts is None else "",
        place=place,
        references=(_reference(row, options),),
        options=options,
        item_columns={key: value for key, value in doc.items() if not isinstance(value, list)},
    )
    if texts is None:
        return [replace(reply, detail="likelihoods")]
    return [replace(reply, draw=draw, text=text) for draw, text in enumerate(texts)]


def _generated(resps: Sequence[Json]) -> list[str] | None:
    """The texts of the one request; None where requests are options with their likelihoods."""
    first = a_list(resps[0]) if resps else ()
    if len(resps) == 1 and all(isinstance(text, str) for text in first):
        return [text for text in first if isinstance(text, str)]
    return None


def _question(doc: Mapping[str, Json], row: Mapping[str, Json]) -> str:
    """The document's own question, else the prompt of its first request."""
    for key in _FREE_TEXT:
        if text := a_text(doc.get(key)):
            return text
    request = an_object(an_object(row["arguments"]).get("gen_args_0"))
    return a_text(request.get("arg_0")) or ""


def _reference(row: Mapping[str, Json], options: tuple[str, ...] | None) -> str:
    """The target; a place among the options stands for the option."""
    target = written(row.get("target"))
    if options is not None and target.isdecimal() and int(target) < len(options):
        return options[int(target)]
    return target


def _verdicts(row: Mapping[str, Json]) -> dict[str, float | None]:
    """metric@filter -> what it gave; `@none` is left out, as the harness has only that filter."""
    name = a_text(row.get("filter")) or "none"
    metrics = (a_text(metric) for metric in a_list(row.get("metrics")))
    return {
        metric if name == "none" else f"{metric}@{name}": a_number(row.get(metric))
        for metric in metrics
        if metric is not None
    }


def _published(results: Glance, task: str, model: str) -> Iterator[Entry]:
    """The task's aggregates: `metric,filter` -> value; standard errors are not taken."""
    numbers = an_object(an_object(results.object.get("results")).get(task))
    counts = an_object(an_object(results.object.get("n-samples")).get(task))
    for key, value in numbers.items():
        metric, comma, name = key.partition(",")
        number = a_number(value)
        if comma and number is not None and not metric.endswith("_stderr"):
            label = metric if name == "none" else f"{metric}@{name}"
            place = f"{results.name}: results.{task}.{key}"
            yield PublishedNumber(model, label, number, place, a_count(counts.get("effective")))


FORM = Form(
    "lm_eval",
    "lm-evaluation-harness: samples_*.jsonl with results_*.json",
    _claims,
    _read,
)
