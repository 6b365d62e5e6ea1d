"""AlpacaEval 2 through the whole chain: raw and length-controlled win rates of published models.

Raw rates are published exactly. Length control needs difficulties that were never published; they
were recovered from published weights (`lc_reference_DERIVED`), none of it from the 25 models held
out, whose mean error is what counts. Six models lack one to three of the 805 instructions; their
published rates join difficulty by position, where a gap shifts all that follows. Both ways are
shown: by position we come out where they did, by instruction we do not.
Source: tatsu-lab/alpaca_eval; Dubois et al. 2024, arXiv:2404.04475.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from eval_pipeline.layout import DataRoot
from eval_pipeline.length_control.model import length_controlled_win_rate
from eval_pipeline_tests.integration.roots import complete, json_lines, land, write_items
from eval_pipeline_tests.length_control.alpaca import (
    BASELINE,
    Annotations,
    Reference,
    annotations,
    lengths_of_gamed_replies,
    reference,
    statistics_of_gamed_replies,
)
from eval_pipeline_tests.reproduce.row import Row

RAW_ALLOWED = 1e-8  # percent
MEAN_ALLOWED = 0.25  # points, over the models held out
WORST_ALLOWED = 1.2
BY_POSITION_ALLOWED, BY_INSTRUCTION = 0.25, 2.67  # points, the worst of the six either way


def rows() -> list[Row]:
    """All from the chain's table, save the six models' rates by position, which it refuses."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    known, models = reference(folder), annotations(folder)
    with tempfile.TemporaryDirectory() as work:
        table = win_rates(Path(work), folder)
    found = []
    for model, row in sorted(table.items()):
        published, ours = known.raw[model], 100 * row["raw"]
        found.append(
            Row(f"alpaca_eval raw: {model}", published, ours, ours - published, RAW_ALLOWED)
        )
    errors = []
    for model in known.held_out:
        published, ours = known.length_controlled[model], 100 * table[model]["length_controlled"]
        errors.append(abs(ours - published))
        name = f"alpaca_eval length-controlled: {model}"
        found.append(Row(name[:52], published, ours, ours - published, WORST_ALLOWED))
    mean = float(np.mean(errors))
    found.append(Row("alpaca_eval: mean error of 25 held out", 0, mean, mean, MEAN_ALLOWED))
    return found + _six(known, models, table)


def _six(
    known: Reference, models: Mapping[str, Annotations], table: Mapping[str, Any]
) -> list[Row]:
    found, by_instruction = [], []
    for model in sorted(table):
        rows = models[model]
        if model == BASELINE or len(rows.preference) == len(known.difficulty):
            continue
        published = known.length_controlled[model]
        slipped = length_controlled_win_rate(
            rows.length_difference,
            rows.preference,
            difficulty=known.difficulty[: len(rows.preference)],
            gamed=known.gamed,
        )
        ours = 100 * slipped.length_controlled
        name = f"alpaca_eval by position: {model}"
        found.append(Row(name, published, ours, ours - published, BY_POSITION_ALLOWED))
        joined = 100 * table[model]["length_controlled"]
        by_instruction.append(abs(joined - published))
        name = f"alpaca_eval by instruction: {model}"
        found.append(Row(name, published, joined, joined - published, BY_INSTRUCTION + 0.01))
    worst = max(by_instruction)
    name = "alpaca_eval: worst of the six, by instruction"
    return [*found, Row(name, BY_INSTRUCTION, worst, worst - BY_INSTRUCTION, 0.01)]


def win_rates(work: Path, reference_data: Path) -> dict[str, dict[str, Any]]:
    """The judge's rows of `length_controlled_win_rates` after a run of the whole chain."""
    warehouse = complete(alpaca_root(work, reference_data))
    table = warehouse.read("length_controlled_win_rates", "alpaca_eval", 1).table()
    return {row["model"]: row for row in table.to_pylist() if row["judge"] == "weighted_gpt4"}


def alpaca_root(folder: Path, reference_data: Path) -> DataRoot:
    """The published models against the baseline on 805 instructions, one order a pair.

    The replies themselves are not published here: each is as many dots as it had characters. The
    order was drawn and not recorded; the baseline is written down as shown first.
    """
    root = DataRoot(folder / "data")
    known, models = reference(reference_data), annotations(reference_data)
    lengths = lengths_of_gamed_replies(reference_data)
    items = [
        {
            "item_id": item_name(k),
            "question": f"instruction {k}",
            "difficulty": float(known.difficulty[k]),
            **{key: int(values[k]) for key, values in lengths.items()},
        }
        for k in range(len(known.difficulty))
    ]
    write_items(root, "alpaca_eval@1", items)
    plain = {item_name(k): int(n) for k, n in enumerate(lengths["len_baseline"])}
    land_replies(root, BASELINE, "2023-11-06", plain)
    for model, found in models.items():
        if model not in known.raw or model == BASELINE:
            continue
        names = [item_name(k) for k in found.instruction.tolist()]
        land_replies(
            root, model, "2024-01-01", dict(zip(names, found.n_chars.tolist(), strict=True))
        )
        votes = [
            {
                "item_id": name,
                "model_a": BASELINE,
                "model_b": model,
                "shown_first": "model_a",
                "repeat": 0,
                "verdict": "model_b" if chance > 0.5 else "model_a" if chance < 0.5 else "tie",
                "prob_first": 1 - chance,
            }
            for name, chance in zip(names, found.preference.tolist(), strict=True)
        ]
        path = root.judgments("weighted_gpt4", "alpaca_eval", model)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json_lines(votes), encoding="utf-8")
    path = root.contract_file("alpaca_eval", 1)
    path.parent.mkdir(parents=True)
    weight, won_length, won_difficulty = statistics_of_gamed_replies(reference_data)
    text = CONTRACT.format(weight=weight, won_length=won_length, won_difficulty=won_difficulty)
    path.write_text(text, encoding="utf-8")
    return root


def land_replies(root: DataRoot, model: str, date: str, n_chars: Mapping[str, int]) -> None:
    lines = [{"item_id": item, "draw": 0, "text": "." * length} for item, length in n_chars.items()]
    land(root, model, "alpaca", date, {"alpaca_eval.jsonl": json_lines(lines)})


def item_name(instruction: int) -> str:
    return f"i{instruction:03}"


CONTRACT = """\
contract: alpaca_eval
version: 1
question:
  text: How often is the reply preferred to the baseline's at equal length?
  primary_endpoint: {{metric: length_controlled_win_rate}}
targets: {{families: [alpaca], reference: gpt4_1106_preview}}
task: {{benchmark: alpaca_eval@1, population: 805 instructions to a helpful assistant}}
prompt: {{unknown: not published with the annotations}}
decoding: {{unknown: not published with the annotations}}
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
decision: {{unknown: a published leaderboard decides nothing}}
evaluator:
  kind: judge
  reason: open replies have no reference
  uncovered: whether they are true
metrics: [{{name: win_rate}}, {{name: length_controlled_win_rate}}]
statistics: {{replicates: 1000, seed: 1}}
pairing: {{anchors: [gpt4_1106_preview]}}
judging:
  judges: [{{name: weighted_gpt4, family: gpt4}}]
  orders: one
  score: probability
  bars: {{}}
length_control:
  baseline: gpt4_1106_preview
  difficulty: difficulty
  gamed_statistics:
    baseline_length: len_baseline
    lengths: [len_verbose, len_concise]
    weight: {weight}
    won_length: {won_length}
    won_difficulty: {won_difficulty}
ranking: {{order_effect: false}}
"""
