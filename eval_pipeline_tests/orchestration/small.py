"""A project of a few sums: the whole chain in a second, with the real rooms behind it."""

from pathlib import Path

from eval_pipeline.ingest.checkpoint import MARKER, write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.integration.roots import json_lines, land, write_items

ITEMS = 4


def small_root(folder: Path, *contracts: str, checkpoints: int = 1) -> DataRoot:
    """Contracts on a benchmark of their own name, and checkpoints owl@step1, owl@step2, ..."""
    root = DataRoot(folder / "data")
    for contract in contracts:
        add_contract(root, contract)
    for step in range(1, checkpoints + 1):
        land_step(root, step, *contracts)
    return root


def add_contract(root: DataRoot, contract: str, version: int = 1, status: str = "frozen") -> Path:
    path = root.contract_file(contract, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = CONTRACT.format(contract=contract, version=version, status=status)
    path.write_text(text, encoding="utf-8")
    if not root.items(f"{contract}@1").exists():
        rows = [
            {"item_id": f"i{i}", "question": f"What is {i} + {i}?", "answer": str(2 * i)}
            for i in range(ITEMS)
        ]
        write_items(root, f"{contract}@1", rows)
    return path


def land_step(root: DataRoot, step: int, *contracts: str, wrong: int = 1) -> str:
    """A checkpoint with answers for each contract, of which the last `wrong` are wrong."""
    name = f"owl@step{step}"
    answers = answers_of(wrong)
    land(root, name, "owl", f"2026-01-{step:02}", {f"{one}.jsonl": answers for one in contracts})
    return name


def restate(root: DataRoot, checkpoint: str, file: str, text: str) -> None:
    """Writes a file into a landed checkpoint, and its marker anew after it."""
    folder = root.checkpoint(checkpoint)
    (folder / MARKER).unlink()
    (folder / file).write_text(text, encoding="utf-8")
    write_success(folder)


def answers_of(wrong: int) -> str:
    return json_lines(
        [
            {"item_id": f"i{i}", "draw": 0, "text": f"A: {2 * i + (i >= ITEMS - wrong)}"}
            for i in range(ITEMS)
        ]
    )


CONTRACT = """\
contract: {contract}
version: {version}
status: {status}
question:
  text: Does the checkpoint add?
  primary_endpoint: {{metric: pass_at_k, k: 1}}
targets: {{families: [owl], reference: last_accepted}}
task: {{benchmark: {contract}@1, population: sums of two small numbers}}
prompt: {{unknown: answers only}}
decoding: {{unknown: answers only}}
budget: {{draws_per_item: 1}}
unit: {{of_analysis: item}}
aggregation: {{over_draws: unbiased, over_items: micro}}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {{rule: superior, confidence: 0.95}}
evaluator:
  kind: verifier
  reason: the answer is a number
  uncovered: how it was found
verification:
  verifier: numeric@1
  extraction: answer_line@1
  options: {{pattern: gsm8k}}
metrics: [{{name: pass_at_k, k: 1}}]
statistics: {{replicates: 100, seed: 1}}
"""
