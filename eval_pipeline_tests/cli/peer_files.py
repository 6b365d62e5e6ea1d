"""The files of a small run of another tool."""

from pathlib import Path
from typing import Any

from eval_pipeline_tests.ingest.peers.made import RUN, put_json, put_lines, sample

N = 24
RIGHT = 18
MODEL = "nest--finch-1b"


def lm_eval(
    folder: Path, published: float = RIGHT / N, model: str = "nest/finch-1b", right: int = RIGHT
) -> list[str]:
    """A run of N sums of which so many are right, as arguments of the command."""
    rows = [sample(doc, "none", doc < right) for doc in range(N)]
    run: dict[str, Any] = {
        **RUN,
        "results": {"sums": {"exact_match,none": published}},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=auto"},
        "n-samples": {"sums": {"original": N, "effective": N}},
    }
    return [
        str(put_lines(folder / "samples_sums_2026.jsonl", rows)),
        str(put_json(folder / "results_2026.json", run)),
    ]
