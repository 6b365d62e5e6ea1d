"""Data roots for the whole chain: the bundled one copied, and one made of published answers."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.observer import Silent
from eval_pipeline.orchestration.running.session import SessionOutcome, bring_up_to_date
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.reproduce.gsm8k import reference

BUNDLED = Path(__file__).resolve().parents[2] / "data"


def bundled_root(folder: Path, *contracts: str, checkpoints: int = 4) -> DataRoot:
    """A copy of the bundled data with some of its contracts and its first checkpoints by date."""
    root = DataRoot(folder / "data")
    shutil.copytree(BUNDLED, root.path, ignore=shutil.ignore_patterns("warehouse"))
    for path in root.contracts.iterdir():
        if path.is_dir() and path != root.presets and path.name not in contracts:
            shutil.rmtree(path)
    root.contracts_lock.unlink(missing_ok=True)
    dated = sorted(root.checkpoints.iterdir(), key=lambda p: (_date(p), p.name))
    for extra in dated[checkpoints:]:
        shutil.rmtree(extra)
    return root


def run(root: DataRoot, **narrowed: Any) -> SessionOutcome:
    """What `eval-pipeline run` does, in this process."""
    return bring_up_to_date(root, Silent(), **narrowed)


def complete(root: DataRoot) -> Warehouse:
    """The warehouse after a run in which nothing failed; else RuntimeError says what did."""
    outcome = run(root)
    if outcome.failed or outcome.faults:
        raise RuntimeError(f"the chain failed: {outcome.failed} {outcome.faults}")
    return Warehouse(root.warehouse)


def land(root: DataRoot, name: str, family: str, date: str, files: dict[str, str]) -> Path:
    """A checkpoint folder with its manifest and its marker."""
    folder = root.checkpoint(name)
    folder.mkdir(parents=True)
    manifest = (
        f"family: {family}\nweights_digest: {{unknown: published answers}}\nparent: null\n"
        f"date: {date}\ntrained_on: {{unknown: published answers}}\n"
    )
    (folder / "checkpoint.yaml").write_text(manifest, encoding="utf-8")
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    write_success(folder)
    return folder


def json_lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_items(root: DataRoot, benchmark: str, rows: list[dict[str, Any]]) -> None:
    path = root.items(benchmark)
    path.parent.mkdir(parents=True)
    path.write_text(json_lines(rows), encoding="utf-8")


def gsm8k_root(folder: Path, reference_data: Path) -> DataRoot:
    """Four published models on 1,319 grade-school problems, one draw each."""
    root = DataRoot(folder / "data")
    answers = pq.read_table(reference_data / "math/gsm8k_openai_solutions.parquet").to_pylist()
    items = {
        answer["item_id"]: {
            "item_id": answer["item_id"],
            "question": answer["question"],
            "answer": reference(answer["ground_truth"]),
        }
        for answer in answers
    }
    write_items(root, "gsm8k@1", list(items.values()))
    for day, model in enumerate(sorted({answer["model"] for answer in answers}), start=1):
        rows = [
            {
                "item_id": a["item_id"],
                "draw": 0,
                "text": a["completion"],
                "published": {"correct": a["published_correct"]},
            }
            for a in answers
            if a["model"] == model
        ]
        land(root, model, "openai", f"2021-10-{day:02}", {"gsm8k.jsonl": json_lines(rows)})
    path = root.contract_file("gsm8k", 1)
    path.parent.mkdir(parents=True)
    path.write_text(GSM8K, encoding="utf-8")
    return root


def _date(checkpoint: Path) -> str:
    text = (checkpoint / "checkpoint.yaml").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("date:"))


GSM8K = """\
contract: gsm8k
version: 1
question:
  text: How often does the published answer end in the right number?
  primary_endpoint: {metric: pass_at_k, k: 1}
targets: {families: [openai], reference: 6b_finetuning}
task: {benchmark: gsm8k@1, population: grade-school word problems}
prompt: {unknown: not published with the answers}
decoding: {unknown: not published with the answers}
budget: {draws_per_item: 1}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {rule: superior, confidence: 0.95}
evaluator:
  kind: verifier
  reason: the answer is a number
  uncovered: the reasoning
verification:
  verifier: numeric@1
  extraction: answer_line@1
  options: {pattern: gsm8k, thousands: ","}
  recorded: {field: correct, grader: the authors of the answers}
metrics: [{name: pass_at_k, k: 1}]
statistics: {replicates: 1000, seed: 1}
"""
