"""HumanEval and evalplus: problems and samples joined by `task_id`, and results of evalplus.

Repeated rows of a task are draws. A row may hold what running it gave: `passed`, `result`. The
results of evalplus hold a list a task, newer ones with the solution, older ones in the order of
the samples; `plus` counts only where `base` passes too.
Source: openai/human-eval, evalplus/evalplus.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.ingest.peers.entries import Entry, Json, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.form import Claimed, PeerForm
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.plain import models_of
from eval_pipeline.ingest.peers.reading import a_list, a_number, a_text, an_object, texts, written
from eval_pipeline.ingest.peers.rows import first_row, rows_of

PROBLEMS, SAMPLES, RESULTS = "problems", "samples", "results"
PASSED, BASE, PLUS = "passed", "base", "plus"
_PROBLEM = {"task_id", "prompt", "entry_point"}
_TESTS = {"test", "base_input", "plus_input"}
_CODE = ("completion", "solution")
_PLAIN = {"question", "answer", "reference", "target"}
_PASS = {"pass": 1.0, "success": 1.0}


@dataclass(frozen=True)
class _Problem:
    prompt: str
    columns: Mapping[str, Json]


def _claims(glance: Glance) -> str | None:
    if "eval" in glance.object and isinstance(glance.object["eval"], dict):
        tasks = list(glance.object["eval"].values())
        known = {"base", "base_status", "plus", "plus_status"}
        found = tasks and (a_list(tasks[0])[0] if a_list(tasks[0]) else tasks[0])
        return RESULTS if found and an_object(found).keys() & known else None
    row = first_row(glance)
    if row.keys() >= _PROBLEM and row.keys() & _TESTS:
        return SAMPLES if "completion" in row else PROBLEMS
    is_sample = "task_id" in row and any(key in row for key in _CODE) and not row.keys() & _PLAIN
    return SAMPLES if is_sample else None


def _read(files: Claimed) -> Iterator[Entry]:
    problems: dict[str, _Problem] = {}
    for glance in files.get(PROBLEMS, ()):
        for row in rows_of(glance):
            if isinstance(row, PeerReject):
                yield row
            else:
                problems[written(row[1].get("task_id"))] = _problem(row[1])
    samples, results = files.get(SAMPLES, ()), files.get(RESULTS, ())
    if not samples and not results:
        raise ValueError(
            f"{files[PROBLEMS][0].name} holds problems and no sample: name the file of samples too"
        )
    named = [*files.get(PROBLEMS, ()), *samples, *results]
    task = named[0].path.name.partition(".")[0]
    told = dict[tuple[str, str], list[Mapping[str, float | None]]]()
    of_results = models_of(results)
    alone = len(samples) == len(results) == 1
    for glance, model in zip(results, of_results, strict=True):
        yield from _results(glance, (task, model), problems, told, bool(samples))
    met: Counter[tuple[str, str]] = Counter()
    for glance, name in zip(samples, models_of(samples), strict=True):
        graded = of_results[0] if alone else name
        for row in rows_of(glance):
            if isinstance(row, PeerReject):
                yield row
            else:
                yield _sample(row[1], row[0], (task, name, graded), (problems, told, met))


def _problem(row: Mapping[str, Json]) -> _Problem:
    columns: dict[str, Json] = {"entry_point": a_text(row.get("entry_point"))}
    if (test := a_text(row.get("test"))) is not None:
        columns["test"] = test
    return _Problem(a_text(row.get("prompt")) or "", columns)


def _sample(
    row: Mapping[str, Json],
    place: str,
    named: tuple[str, str, str],
    known: tuple[
        Mapping[str, _Problem],
        Mapping[tuple[str, str], Sequence[Mapping[str, float | None]]],
        Counter[tuple[str, str]],
    ],
) -> Entry:
    task, file_model, graded = named
    problems, told, met = known
    item, model = written(row.get("task_id")), a_text(row.get("model")) or file_model
    own = _problem(row) if row.keys() >= _PROBLEM else None
    problem = own or problems.get(item)
    if problem is None and problems:
        return PeerReject(place, "unknown_item", f"task {item} is not among the problems")
    code = next((row[key] for key in _CODE if row.get(key) is not None), None)
    if not isinstance(code, str):
        return PeerReject(place, "no_reply", f"no text stands under {' or '.join(_CODE)}")
    draw = met[model, item]
    met[model, item] += 1
    said = {
        key: a_number(row[key])
        for key in (PASSED, "reference_passed")
        if isinstance(row.get(key), bool)
    }
    verdicts = told.get((graded, item), ())
    if draw < len(verdicts):
        said |= verdicts[draw]
    columns = {key: row[key] for key in ("result", "temperature") if row.get(key) is not None}
    return PeerReply(
        task=task,
        item_id=item,
        model=model,
        draw=draw,
        question=problem.prompt if problem else f"task {item}",
        text=code,
        place=place,
        said=said,
        item_columns=problem.columns if problem else {},
        columns=columns,
    )


def _results(
    glance: Glance,
    named: tuple[str, str],
    problems: Mapping[str, _Problem],
    told: dict[tuple[str, str], list[Mapping[str, float | None]]],
    has_samples: bool,
) -> Iterator[Entry]:
    """What evalplus found: kept for the samples, or with the solutions where there are none."""
    task, model = named
    for item, value in an_object(glance.object.get("eval")).items():
        verdicts = list(_verdicts(value))
        told[model, item] = [said for said, _ in verdicts]
        if has_samples:
            continue
        for draw, (said, code) in enumerate(verdicts):
            problem = problems.get(item)
            yield PeerReply(
                task=task,
                item_id=item,
                model=model,
                draw=draw,
                question=problem.prompt if problem else f"task {item}",
                text=code or "",
                place=f"{glance.name}: eval.{item}[{draw}]",
                said=said,
                item_columns=problem.columns if problem else {},
            )
    for metric, value in an_object(glance.object.get("pass_at_k")).items():
        number = a_number(an_object(value).get("pass@1"))
        if metric in (BASE, PLUS) and number is not None:
            yield PublishedNumber(task, model, metric, number, f"{glance.name}: pass_at_k.{metric}")


def _verdicts(value: Json) -> Iterator[tuple[Mapping[str, float | None], str | None]]:
    """Verdicts and code of each draw of a task, in either of the two shapes."""
    if isinstance(value, list):
        for one in map(an_object, value):
            base, plus = (_passed(one.get(f"{key}_status")) for key in (BASE, PLUS))
            yield _both(base, plus), a_text(one.get("solution"))
        return
    listed = an_object(value)
    base_runs, plus_runs = a_list(listed.get(BASE)), a_list(listed.get(PLUS))
    for draw, run in enumerate(base_runs):
        plus_run = plus_runs[draw] if draw < len(plus_runs) else None
        yield _both(_passed(run), _passed(plus_run)), None


def _both(base: float | None, plus: float | None) -> Mapping[str, float | None]:
    said: dict[str, float | None] = {BASE: base}
    if plus is not None:
        said[PLUS] = min(plus, base or 0.0)
    return said


def _passed(run: Json) -> float | None:
    """1 for a run that passed, 0 for another; a run is a word, or a list that begins with one."""
    words = texts(run[0]) if isinstance(run, list) and run else texts(run)
    return None if run is None or not words else _PASS.get(words[0], 0.0)


FORM = PeerForm("human_eval", "HumanEval or evalplus: problems and samples", _claims, _read)
