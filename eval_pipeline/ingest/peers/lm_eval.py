"""lm-evaluation-harness: `samples_*.jsonl` with the `results_*.json` of the same run.

A line is one document under one filter: two filters are two verdicts on the same replies. The
replies of a document are `resps[0]`; a task of likelihoods has none, and its verdicts stand alone.
Source: the files that lm-evaluation-harness 0.4 writes with --log_samples.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import orjson

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.reading import a_count, a_list, a_number, a_text, an_object, written
from eval_pipeline.ingest.peers.sources import lines_of

SAMPLES, RESULTS = "samples", "results"
NO_FILTER = "none"  # the name of the harness for it; the metric then stands alone
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
        yield from _replies(glance, task, model)
        yield from _published(results[0], task, model)


def _model(results: Mapping[str, Json]) -> str:
    """The weights that answered, else the name of the kind of model."""
    config = an_object(results.get("config"))
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        parts = (part.partition("=") for part in arguments.split(","))
        arguments = {key.strip(): value.strip() for key, _, value in parts}
    named = an_object(arguments)
    # model_name may be made up for a run: only one with a path of its own names weights
    told = a_text(results.get("model_name")) or ""
    named_by_path = told if "/" in told else None
    for value in (named.get("pretrained"), named.get("model"), named_by_path, config.get("model")):
        if isinstance(value, str) and value:
            return value
    return told or "model"


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


def _replies(glance: Glance, task: str, model: str) -> Iterator[Entry]:
    """A reply a draw, with the verdicts of all filters: the file is read twice, and never held."""
    said: dict[str, dict[str, float | None]] = defaultdict(dict)
    for _, row in _rows(glance):
        if isinstance(row, Mapping):
            said[written(row["doc_id"])].update(_verdicts(row))
    first: str | None = None
    for place, row in _rows(glance):
        if isinstance(row, PeerReject):
            yield row
            continue
        name = a_text(row.get("filter")) or NO_FILTER
        first = name if first is None else first
        if name == first:
            yield from _draws(row, task, model, place, said[written(row["doc_id"])])


def _rows(glance: Glance) -> Iterator[tuple[str, Mapping[str, Json] | PeerReject]]:
    for number, line in lines_of(glance.source):
        place = f"{glance.name}:{number}"
        try:
            row = an_object(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            yield place, PeerReject(place, "not_json", str(error))
            continue
        if missing := _OF_A_SAMPLE - row.keys():
            detail = f"the line has no {', '.join(sorted(missing))}"
            yield place, PeerReject(place, "missing_key", detail)
        elif not all(map(_is_said, [one for part in a_list(row["resps"]) for one in a_list(part)])):
            detail = "resps holds neither texts nor likelihoods: write each reply as one string"
            yield place, PeerReject(place, "not_text", detail)
        else:
            yield place, row


def _draws(
    row: Mapping[str, Json], task: str, model: str, place: str, said: Mapping[str, float | None]
) -> Iterator[PeerReply]:
    """The replies to one document; a draw is a repeat of its one request."""
    doc = an_object(row["doc"])
    options = tuple(written(one) for one in a_list(doc.get("choices"))) or None
    texts = _generated(a_list(row["resps"]))
    for draw, text in enumerate([""] if texts is None else texts):
        yield PeerReply(
            task=task,
            item_id=written(row["doc_id"]),
            model=model,
            draw=draw,
            question=_question(doc, row),
            text=text,
            place=place,
            references=(_reference(row, options),),
            options=options,
            said=said if draw == 0 else {},
            detail="likelihoods" if texts is None else None,
            item_columns={key: one for key, one in doc.items() if not isinstance(one, list | dict)},
        )


def _is_said(value: Json) -> bool:
    """Whether it is a text, or a likelihood with whether it is the greatest."""
    if isinstance(value, list) and value:
        likelihood = value[0]
        try:
            return isinstance(likelihood, str | int | float) and float(likelihood) is not None
        except ValueError:
            return False
    return isinstance(value, str)


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
    """metric@filter -> what it gave."""
    name = a_text(row.get("filter")) or NO_FILTER
    metrics = (a_text(metric) for metric in a_list(row.get("metrics")))
    return {_label(one, name): a_number(row.get(one)) for one in metrics if one is not None}


def _label(metric: str, name: str) -> str:
    return metric if name == NO_FILTER else f"{metric}@{name}"


def _published(results: Glance, task: str, model: str) -> Iterator[Entry]:
    """The task's aggregates: `metric,filter` -> value; standard errors are not taken."""
    numbers = an_object(an_object(results.object.get("results")).get(task))
    counts = an_object(an_object(results.object.get("n-samples")).get(task))
    for key, value in numbers.items():
        metric, comma, name = key.partition(",")
        number = a_number(value)
        if comma and number is not None and not metric.endswith("_stderr"):
            place = f"{results.name}: results.{task}.{key}"
            n = a_count(counts.get("effective"))
            yield PublishedNumber(task, model, _label(metric, name), number, place, n)


FORM = PeerForm(
    "lm_eval",
    "lm-evaluation-harness: samples_*.jsonl with results_*.json",
    _claims,
    _read,
)
