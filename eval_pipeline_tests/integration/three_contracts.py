"""A project of a few items that runs in seconds: three contracts, two checkpoints.

`sums` is verified, `leaks` is verified and searched for leaks, `talks` is judged. `sums` and
`leaks` share a benchmark; each of the three can be broken without the others.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.integration.roots import json_lines, write_items

CONTRACTS = ("leaks", "sums", "talks")
CHECKPOINTS = ("early", "late")
SUMS, TALKS = 12, 16
DRAWS = 2


def three_contracts(
    folder: Path, *contracts: str, checkpoints: Sequence[str] = CHECKPOINTS
) -> DataRoot:
    """The project with these contracts (all where none is named) and checkpoints."""
    root = DataRoot(folder / "data")
    for contract in contracts or CONTRACTS:
        write_contract(root, contract)
    write_items(root, "sums@1", sum_items())
    write_items(root, "talks@1", talk_items())
    corpus = root.corpus("web@1")
    corpus.mkdir(parents=True)
    (corpus / "shard.jsonl").write_text(json_lines(documents()), encoding="utf-8")
    for checkpoint in checkpoints:
        land_answers(root, checkpoint, f"2026-01-0{CHECKPOINTS.index(checkpoint) + 1}")
    votes = root.judgments("arbiter", "talks", "late")
    votes.parent.mkdir(parents=True)
    votes.write_text(json_lines(vote_rows()), encoding="utf-8")
    return root


def write_contract(root: DataRoot, name: str, changes: Mapping[str, str] | None = None) -> Path:
    """Writes v1 of one of the contracts, some words of it replaced."""
    return variant(root, name, name, changes)


def variant(
    root: DataRoot, name: str, new_name: str, changes: Mapping[str, str] | None = None
) -> Path:
    """Writes v1 of one of the contracts under another name, some words of it replaced."""
    text = TEXTS[name].replace(f"contract: {name}", f"contract: {new_name}")
    for old, new in (changes or {}).items():
        if old not in text:
            raise ValueError(f"contract {name} does not say {old!r}")
        text = text.replace(old, new)
    path = root.contract_file(new_name, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def land_answers(
    root: DataRoot,
    name: str,
    date: str,
    family: str = "ash",
    files: Mapping[str, str] | None = None,
) -> Path:
    """A checkpoint folder that answers both benchmarks, or holds the files that are given."""
    folder = root.checkpoint(name)
    folder.mkdir(parents=True)
    (folder / "checkpoint.yaml").write_text(manifest(family, date), encoding="utf-8")
    written = files if files is not None else {"sums.jsonl": sums_of(name), "talks.jsonl": TALK}
    for file, text in written.items():
        (folder / file).write_text(text, encoding="utf-8")
    write_success(folder)
    return folder


def manifest(family: str, date: str) -> str:
    return (
        f"family: {family}\nweights_digest: {{unknown: made for a test}}\nparent: null\n"
        f"date: {date}\ntrained_on: {{}}\n"
    )


def sum_items() -> list[dict[str, Any]]:
    return [
        {
            "item_id": f"sum-{i:02}",
            "question": f"Ann has {i + 2} plums and buys {3 * i + 1} more at the old market. "
            "How many plums does she have then?",
            "answer": str(4 * i + 3),
            "size": "small" if i < SUMS // 2 else "large",
        }
        for i in range(SUMS)
    ]


def talk_items() -> list[dict[str, Any]]:
    return [
        {"item_id": f"talk-{i:02}", "question": f"How do I keep plant number {i} alive?"}
        for i in range(TALKS)
    ]


def documents() -> list[dict[str, str]]:
    plain = [{"text": f"Page {i}: nothing about plums here, only weather."} for i in range(20)]
    return [*plain, {"text": sum_items()[3]["question"]}]


def sums_of(checkpoint: str) -> str:
    """Answers of which a share that depends on the checkpoint is right."""
    rng = generator(7, "answers", checkpoint)
    rows = []
    for item in sum_items():
        for draw in range(DRAWS):
            right = rng.random() < 0.6
            answer = item["answer"] if right else "0"
            rows.append({"item_id": item["item_id"], "draw": draw, "text": f"Answer: {answer}"})
    return json_lines(rows)


TALK = json_lines(
    [{"item_id": item["item_id"], "draw": 0, "text": "Water it."} for item in talk_items()]
)


def vote_rows() -> list[dict[str, Any]]:
    """Votes in both orders; the later checkpoint wins two of three."""
    pair = {"model_a": "early", "model_b": "late"}
    return [
        {
            "item_id": item["item_id"],
            **pair,
            "shown_first": first,
            "repeat": 0,
            "verdict": "early" if i % 3 == 0 else "late",
        }
        for i, item in enumerate(talk_items())
        for first in pair.values()
    ]


_HEAD = """\
contract: {name}
version: 1
question:
  text: How good is it?
  primary_endpoint: {endpoint}
targets: {{families: [ash], reference: early}}
task: {task}
prompt: {{unknown: made for a test}}
decoding: {{unknown: made for a test}}
budget: {{draws_per_item: {draws}}}
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
statistics: {{replicates: 100, seed: 1}}
"""
_VERIFIED = """\
evaluator: {kind: verifier, reason: the answer is a number, uncovered: the reasoning}
verification: {verifier: numeric@1, extraction: last_number@1}
metrics: [{name: pass_at_k, k: [1, 2]}]
"""
_SUMS = {
    "endpoint": "{metric: pass_at_k, k: 1}",
    "task": "{benchmark: sums@1, population: small sums, slices: [size]}",
    "draws": DRAWS,
}
_TALKS = {
    "endpoint": "{metric: win_rate}",
    "task": "{benchmark: talks@1, population: questions about plants}",
    "draws": 1,
}
TEXTS = {
    "sums": _HEAD.format(name="sums", **_SUMS) + _VERIFIED,
    "leaks": _HEAD.format(name="leaks", **_SUMS)
    + _VERIFIED
    + "contamination: {corpora: [web@1], fields: [question]}\n",
    "talks": _HEAD.format(name="talks", **_TALKS)
    + """\
evaluator: {kind: judge, reason: advice has no reference, uncovered: whether it is true}
metrics: [{name: win_rate}]
pairing: {nearest: 1}
judging:
  judges: [{name: arbiter, family: oak}]
  orders: both
  bars: {flip_excess: 0.5}
length_control: {baseline: early}
ranking: {anchor: early}
""",
}


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
