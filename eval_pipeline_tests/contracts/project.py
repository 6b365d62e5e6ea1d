"""A small project on disk, with texts that tests can change in one place."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot

WORDS = """\
# words: numbers in short stories
contract: words
version: 1
status: frozen   # said aloud
question:
  text: Does the checkpoint solve a word problem on the first try?
  primary_endpoint: {metric: pass_at_k, k: 1}
targets: {families: [tern, heron], reference: last_accepted}
task:
  benchmark: words@1
  population: word problems of primary school
  slices: [operation]
prompt: {template: prompts/plain.txt, few_shot: 0}
decoding: {temperature: 0.8, top_p: 0.95, max_tokens: 256}
budget: {draws_per_item: 8, retries: 2, timeout_seconds: 60}
unit: {clustered_by: template_id}
aggregation: {over_items: micro}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision:
  rule: non_inferior
  margin: 0.02
  guardrails: [{metric: refusal_rate, at_most: 0.05}]
evaluator: {kind: verifier, reason: answers are numbers, uncovered: the explanation}
verification: {verifier: numeric@1, extraction: last_number@1, options: {thousands: ","}}
metrics: [{name: pass_at_k, k: [1, 4, 8]}, {name: majority_vote, k: 8}]
statistics: {seed: 7}
"""

JUDGED = """\
contract: replies
version: 1
question:
  text: Which checkpoint writes the more helpful reply?
  primary_endpoint: {metric: length_controlled_win_rate}
targets: {families: [tern]}
task: {benchmark: words@1, population: people who ask for help, slices: [operation]}
prompt: {template: prompts/plain.txt}
decoding: {temperature: 0.7, max_tokens: 512}
budget: {draws_per_item: 1}
unit: {clustered_by: template_id}
aggregation: {}
failures: {parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}
decision: {rule: superior}
evaluator: {kind: judge, reason: no reference exists, uncovered: facts}
statistics: {seed: 7}
pairing: {anchors: [tern@step1], nearest: 1}
judging:
  judges: [{name: stern, family: heron}, {name: mild, family: tern}]
  bars: {flip_excess: 0.15, human_ratio: 0.9}
  annotations: [helpful_labels]
length_control: {baseline: tern@step1}
ranking: {}
"""

ITEMS: Sequence[Mapping[str, Any]] = (
    {
        "item_id": "w-2",
        "question": "Two and two?",
        "answer": "4",
        "template_id": "t1",
        "operation": "add",
    },
    {
        "item_id": "w-1",
        "question": "Three times two?",
        "answer": "6",
        "template_id": "t2",
        "operation": "multiply",
        "source": {"page": 3},
    },
)

FACTS = """\
family: tern
weights_digest: sha256:00
parent: null
date: 2026-01-05
trained_on: {}
engine: {name: vllm, version: "0.9"}
"""


def write(root: DataRoot, place: str, content: str | bytes) -> Path:
    """A file below the data root."""
    path = root.path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_items(root: DataRoot, items: Sequence[Mapping[str, Any]] = ITEMS) -> Path:
    """The items of words@1."""
    lines = "".join(json.dumps(item) + "\n" for item in items)
    return write(root, "benchmarks/words/v1/items.jsonl", lines)


def write_project(root: DataRoot, text: str = WORDS) -> Path:
    """Items, prompt and one contract, which lies where its text says; returns its path."""
    write_items(root)
    write(root, "prompts/plain.txt", "{question}\n")
    name, version = (line.split(": ")[1] for line in text.splitlines() if _names(line))
    return write(root, f"contracts/{name}/v{version}.yaml", text)


def parsed(root: DataRoot, text: str = WORDS) -> Contract:
    """The contract of that text."""
    return load_contract(root, write_project(root, text)).contract


def _names(line: str) -> bool:
    return line.startswith(("contract: ", "version: "))
