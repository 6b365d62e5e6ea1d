"""LightEval and Every Eval Ever, each on a made file."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline_tests.ingest.peers.made import (
    entries,
    faults,
    numbers,
    put_json,
    put_lines,
    replies,
)


def details(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_the_newer_details_of_light_eval(tmp_path: Path) -> None:
    row = {
        "doc": {"query": "2 + 2?", "choices": ["4"], "gold_index": 0},
        "model_response": {"text": ["It is 4"], "output_tokens": [[7, 8, 9]]},
        "metric": {"em": 1.0},
    }
    name = "details_leaderboard|sums|5_2026-03-01T10-00-00.000001.parquet"
    (one,) = replies(details(tmp_path / "nest" / "finch" / "2026-03-01T10-00-00" / name, [row]))
    assert (one.task, one.model, one.item_id) == ("leaderboard|sums|5", "finch", "0")
    assert (one.question, one.references, one.options) == ("2 + 2?", ("4",), None)
    assert (one.text, one.tokens_out, one.said) == ("It is 4", 3, {"em": 1.0})


def test_the_older_details_of_light_eval(tmp_path: Path) -> None:
    rows = [
        {"full_prompt": "Q: 1?", "predictions": ["1", "2"], "gold": ["1"], "metrics": {"em": 1}},
        {"full_prompt": "Q: 2?", "predictions": ["2"], "gold": ["2"], "metrics": {"em": 1}},
    ]
    found = replies(details(tmp_path / "finch" / "details_sums.parquet", rows))
    assert [(one.item_id, one.draw, one.text, one.said) for one in found] == [
        ("0", 0, "1", {}),
        ("0", 1, "2", {}),
        ("1", 0, "2", {"em": 1.0}),
    ]
    assert found[0].question == "Q: 1?"


def sample(name: str, score: float) -> dict[str, Any]:
    return {
        "schema_version": "0.2.1",
        "evaluation_id": "sums/finch/1",
        "model_id": "nest/finch",
        "evaluation_name": "sums",
        "sample_id": name,
        "interaction_type": "single_turn",
        "input": {"raw": f"{name}?", "reference": ["4", "four"]},
        "output": {"raw": ["4"]},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1},
        "token_usage": {"input_tokens": 3, "output_tokens": 1},
        "performance": {"latency_ms": 12.5},
    }


def test_every_eval_ever_holds_samples_beside_a_record(tmp_path: Path) -> None:
    samples = put_lines(tmp_path / "samples.jsonl", [sample("a", 1.0), sample("b", 0.0)])
    record = put_json(
        tmp_path / "record.json",
        {
            "schema_version": "0.2.1",
            "evaluation_id": "sums/finch/1",
            "model_info": {"name": "finch", "id": "nest/finch"},
            "evaluation_results": [{"evaluation_name": "sums", "score_details": {"score": 0.5}}],
        },
    )
    first, _ = replies(samples, record)
    assert (first.task, first.model, first.references) == ("sums", "nest/finch", ("4", "four"))
    assert (first.tokens_in, first.tokens_out, first.latency_ms) == (3, 1, 12.5)
    assert [one.value for one in numbers(samples, record)] == [0.5]
    assert faults(entries(samples, record)) == []
    with pytest.raises(ValueError, match=r"record\.json is the record .* no replies"):
        entries(record)
