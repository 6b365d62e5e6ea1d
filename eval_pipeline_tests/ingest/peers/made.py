"""Small files in the shape of other tools' files, and what the readers make of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_pipeline.ingest.imports.equality import Recomputed
from eval_pipeline.ingest.peers.entries import Entry, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.recognition import claimed

RUN = {
    "results": {"sums": {"alias": "sums", "exact_match,strict": 0.5, "exact_match,last": 0.75}},
    "versions": {"sums": 3},
    "config": {"model": "hf", "model_args": {"pretrained": "nest/finch-1b"}},
    "n-samples": {"sums": {"original": 4, "effective": 4}},
}
STRICT, LAST = (1, 1, 0, 0), (1, 1, 1, 0)


def entries(*paths: Path, form: str | None = None) -> list[Entry]:
    """All entries of the files, as the form that recognises them reads them."""
    read = claimed([Glance(path) for path in paths], form)
    return [entry for form_, parts in read for entry in form_.read(parts)]


def replies(*paths: Path) -> list[PeerReply]:
    return [entry for entry in entries(*paths) if isinstance(entry, PeerReply)]


def numbers(*paths: Path) -> list[PublishedNumber]:
    return [entry for entry in entries(*paths) if isinstance(entry, PublishedNumber)]


def rejects(*paths: Path) -> list[PeerReject]:
    return [entry for entry in entries(*paths) if isinstance(entry, PeerReject)]


def faults(found: Sequence[Entry]) -> list[str]:
    """What the verdicts do not give of the numbers."""
    recomputed, places = Recomputed(), dict[tuple[str, str], int]()
    for entry in found:
        if isinstance(entry, PeerReply):
            key = (entry.task, entry.item_id)
            recomputed.add(entry, places.setdefault(key, len(places)))
    return recomputed.faults(one for one in found if isinstance(one, PublishedNumber))


def put_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def put_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sample(doc: int, name: str, right: int, texts: Sequence[str] = ()) -> dict[str, Any]:
    """A line of lm-eval: one document under one filter."""
    return {
        "doc_id": doc,
        "doc": {"question": f"{doc} + 2?", "answer": str(doc + 2)},
        "target": str(doc + 2),
        "arguments": {"gen_args_0": {"arg_0": f"Q: {doc} + 2?\nA:"}},
        "resps": [list(texts) or [f"It is {doc + 2 if right else 99}"]],
        "filtered_resps": [str(doc + 2)],
        "filter": name,
        "metrics": ["exact_match"],
        "exact_match": float(right),
    }


def lm_eval_run(folder: Path, run: Mapping[str, Any] = RUN) -> tuple[Path, Path]:
    """Samples of four documents under two filters, and the results of the run."""
    rows = [sample(doc, "strict", right) for doc, right in enumerate(STRICT)]
    for doc, right in enumerate(LAST):
        rows.append({**sample(doc, "last", right), "resps": rows[doc]["resps"]})
    samples = put_lines(folder / "samples_sums_2026-01-01.jsonl", rows)
    return samples, put_json(folder / "results_2026-01-01.json", run)


def inspect_sample(item: str, epoch: int, grade: str | None) -> dict[str, Any]:
    """A sample of Inspect; no grade: its call failed."""
    made: dict[str, Any] = {
        "id": item,
        "epoch": epoch,
        "input": f"Name of {item}?",
        "target": f" {item}",
        "output": {"choices": [], "usage": None},
        "scores": {},
    }
    if grade is None:
        return {**made, "error": {"message": "RateLimitError: slow down\ntraceback"}}
    message = {"role": "assistant", "content": f"ANSWER: {item}"}
    made["output"] = {
        "choices": [{"message": message, "stop_reason": "stop"}],
        "usage": {"input_tokens": 7, "output_tokens": 3},
        "time": 0.25,
    }
    return {**made, "scores": {"match": {"value": grade}}}


def inspect_log(samples: Sequence[Mapping[str, Any]], accuracy: float | None) -> dict[str, Any]:
    scores = [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": accuracy}}}]
    return {
        "version": 2,
        "status": "success" if accuracy is not None else "error",
        "eval": {"task": "names", "model": "nest/finch-1b"},
        "results": {"scores": scores if accuracy is not None else []},
        "samples": list(samples),
    }
