"""A small project: sums that a program can check, hostile text, and pairs that a judge saw."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.reporting.attacks import ATTACKS

ITEMS = 14
BASE, BETTER, WORSE = "base@1", "better@1", "worse@1"
DATES = {BASE: "2026-01-01", BETTER: "2026-02-01", WORSE: "2026-03-01"}
RIGHT = {BASE: 11, BETTER: 13, WORSE: 1}  # items whose first draw is right

SUMS = """\
contract: sums
version: {version}
status: {status}
question:
  text: Does the checkpoint add two numbers on the first try?
  primary_endpoint: {{metric: pass_at_k, k: 1}}
targets: {{families: [finch], reference: base@1}}
task: {{benchmark: sums@1, population: sums of two small numbers, slices: [size]}}
prompt: {{unknown: not told}}
decoding: {{unknown: not told}}
budget: {{draws_per_item: 2}}
unit: {{of_analysis: item}}
aggregation: {{over_draws: unbiased, over_items: micro}}
failures: {{parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}}
decision: {{rule: {rule}, margin: {margin}, confidence: 0.95}}
evaluator: {{kind: verifier, reason: sums can be checked, uncovered: the way there}}
verification: {{verifier: numeric@1, extraction: last_number@1, options: {{}}}}
metrics: [{{name: pass_at_k, k: [1, 2]}}]
statistics: {{replicates: 200, seed: {seed}, multiplicity: holm}}
"""

HOSTILE = """\
contract: hostile
version: 1
status: draft
question: {text: "Is <script> [bold]text[/bold] =1+1 harmless?",
  primary_endpoint: {metric: accuracy}}
targets: {families: [finch], exclude: [better@1, worse@1]}
task: {benchmark: hostile@1, population: "=cmd|' /C calc'!A0 [red]x[/red]"}
prompt: {unknown: "[link=http://127.0.0.1]x[/link]"}
decoding: {unknown: not told}
budget: {draws_per_item: 1}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures: {parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}
decision: {unknown: not told}
evaluator: {kind: verifier, reason: text is compared, uncovered: much}
verification: {verifier: exact@1, extraction: whole_text@1, options: {policy: stripped}}
metrics: [{name: accuracy}]
statistics: {replicates: 200, seed: 3, multiplicity: holm}
"""

PREFERENCES = """\
contract: preferences
version: 1
status: frozen
question:
  text: Which reply is preferred?
  primary_endpoint: {metric: win_rate}
targets: {families: [finch], reference: base@1, exclude: [worse@1]}
task: {benchmark: sums@1, population: sums of two small numbers}
prompt: {unknown: not told}
decoding: {unknown: not told}
budget: {draws_per_item: 2}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures: {parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}
decision: {rule: superior, confidence: 0.95}
evaluator: {kind: judge, reason: to try the judge, uncovered: much}
statistics: {replicates: 200, seed: 4, multiplicity: holm}
pairing: {anchors: [base@1]}
judging:
  judges: [{name: owl, family: owl}]
  bars: {flip_excess: 0.15, position_effect: 0.05}
metrics: [{name: win_rate}]
length_control: {baseline: base@1}
"""


def write_project(root: DataRoot) -> None:
    """Writes everything that a first run needs."""
    contracts = {
        ("sums", 1): SUMS.format(
            version=1, status="frozen", rule="non_inferior", margin=0.3, seed=1
        ),
        ("sums", 2): SUMS.format(version=2, status="frozen", rule="superior", margin=0.0, seed=2),
        ("hostile", 1): HOSTILE,
        ("preferences", 1): PREFERENCES,
    }
    for (name, version), text in contracts.items():
        put(root.contract_file(name, version), text)
    put(root.items("sums@1"), lines(sum_item(i) for i in range(ITEMS)))
    put(root.items("hostile@1"), lines(hostile_item(i) for i in range(len(ATTACKS))))
    for name in DATES:
        write_checkpoint(root, name)
    votes = [vote(i, first) for i in range(ITEMS) for first in ("model_a", "model_b")]
    put(root.judgments("owl", "sums", BETTER), lines(votes))


def write_odd_checkpoints(root: DataRoot) -> None:
    """A folder that still waits for its marker, and one that is refused."""
    (root.checkpoints / "waiting@1").mkdir()
    (root.checkpoints / "\x1b[31mred=1").mkdir()


def write_checkpoint(root: DataRoot, name: str) -> None:
    folder = root.checkpoint(name)
    put(folder / "checkpoint.yaml", manifest(DATES[name]))
    samples = [sum_sample(name, i, draw) for i in range(ITEMS) for draw in (0, 1)]
    del samples[-1]  # a draw is missing
    twice = samples[3]
    put(folder / "sums.jsonl", lines([*samples, twice]))
    if name == BASE:
        hostile = lines(hostile_sample(i) for i in range(len(ATTACKS)))
        broken = "".join(f"{attack!r:.60} \x1b[2J\u202e no JSON\n" for attack in ATTACKS[:5])
        put(folder / "hostile.jsonl", hostile + broken)
    write_success(folder)


def manifest(date: str) -> str:
    return f"""\
family: finch
weights_digest: {{unknown: not told}}
parent: null
date: {date}
trained_on: {{}}
engine: "[bold]engine[/bold] =1+1"
"""


def sum_item(i: int) -> dict[str, Any]:
    size = "small" if i < ITEMS // 2 else "large"
    return {"item_id": f"s-{i:02d}", "question": f"{i} + 2 = ?", "answer": str(i + 2), "size": size}


def sum_sample(name: str, i: int, draw: int) -> dict[str, Any]:
    if i == 0 and draw == 1:
        return {"item_id": "s-00", "draw": 1, "text": "I will not say.", "status": "model_refusal"}
    said = i + 2 if i < RIGHT[name] + draw else 100
    return {"item_id": f"s-{i:02d}", "draw": draw, "text": f"It is {said}."}


def hostile_id(i: int) -> str:
    """Names may hold anything that can be printed."""
    attack = ATTACKS[i]
    return f"{attack} {i}" if attack.isprintable() and len(attack) < 100 else f"h-{i:02d}"


def hostile_item(i: int) -> dict[str, Any]:
    return {"item_id": hostile_id(i), "question": ATTACKS[i], "answer": ATTACKS[i]}


def hostile_sample(i: int) -> dict[str, Any]:
    text, note = ATTACKS[i], ATTACKS[-1 - i]
    return {"item_id": hostile_id(i), "draw": 0, "text": text, "reasoning": note, note[:40]: text}


def vote(i: int, first: str) -> dict[str, Any]:
    verdict = None if i == 5 else "tie" if i == 6 else "model_b" if i % 3 else first
    return {
        "item_id": f"s-{i:02d}",
        "model_a": BASE,
        "model_b": BETTER,
        "shown_first": first,
        "repeat": 0,
        "verdict": verdict,
        "raw": "\x1b[2J I cannot say." if verdict is None else "Clearly.",
    }


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
