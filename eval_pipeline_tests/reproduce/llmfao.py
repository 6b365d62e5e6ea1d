"""Crowd comparisons of 59 models through the whole chain: published Bradley-Terry scores.

Each vote is a battle (`ranking.weigh: votes`) and each of the 13 prompts a cluster. The scores
are exp(strength), scaled to a mean strength of 0 before they are compared. Beside them, the
errors of strengths by prompt and by battle: battles on one prompt move together, so the latter are
about half of what they should be.
Source: dustalov/llmfao (comparisons) and dustalov/evalica (golden scores).
"""

import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from eval_pipeline.layout import DataRoot
from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import Battles, encode_battles, outcome_scores
from eval_pipeline.ranking.uncertainty import Intervals, cluster_covariance, strength_intervals
from eval_pipeline_tests.integration.roots import complete, json_lines, land, write_items
from eval_pipeline_tests.reproduce.row import Row

COMPARISONS = "battles/llmfao_comparisons.parquet"
GOLDEN = "battles/llmfao_golden_scores_evalica.parquet"
ALLOWED = 1e-8
CONFIDENCE = 0.95
MEAN_RATIO, RATIO_ALLOWED = 1.90, 0.005  # standard errors by prompt over those by battle


def rows() -> list[Row]:
    """Strength in logits, mean 0, of each model by the chain's table; then the errors."""
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    published = published_strengths(folder)
    with tempfile.TemporaryDirectory() as work:
        ours = {row["model"]: row for row in ratings(Path(work), folder)}
    found = []
    for model, score in sorted(published.items()):
        theta = ours[checkpoint_name(model)]["theta"]
        found.append(Row(f"llmfao: {model}", score, theta, theta - score, ALLOWED))
    by_prompt, by_battle = intervals(folder)
    for model, se in zip(sorted(published), by_prompt.se, strict=True):
        # The table's error is by prompt, and is held against the library's.
        table = ours[checkpoint_name(model)]["se"]
        found.append(Row(f"llmfao error by prompt: {model}"[:52], se, table, table - se, ALLOWED))
    ratio = float(np.mean(by_prompt.se / by_battle.se))
    name = "llmfao: mean error by prompt / error by battle"
    found.append(Row(name, MEAN_RATIO, ratio, ratio - MEAN_RATIO, RATIO_ALLOWED))
    return found


def table() -> list[str]:
    """Half widths of the 95 % intervals of all strengths, by prompt and by battle, strongest first.

    Thirteen prompts are few: a single ratio says little, and their mean says that intervals by
    battle are about half as wide as they should be.
    """
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data")
    by_prompt, by_battle = intervals(folder)
    wide, narrow = ((one.high - one.low) / 2 for one in (by_prompt, by_battle))
    lines = [
        "llmfao: half widths of 95 % intervals, logits",
        f"{'model':<36} {'strength':>9} {'by prompt':>10} {'by battle':>10} {'ratio':>6}",
    ]
    models = sorted(published_strengths(folder))
    lines += [
        f"{models[k][:36]:<36} {by_prompt.value[k]:>+9.3f} {wide[k]:>10.3f} {narrow[k]:>10.3f} "
        f"{wide[k] / narrow[k]:>6.2f}"
        for k in np.argsort(-by_prompt.value, kind="stable")
    ]
    ratio = wide / narrow
    low, mean, high = float(ratio.min()), float(ratio.mean()), float(ratio.max())
    lines.append(f"{'ratio: least, mean, most':<36} {low:>20.2f} {mean:>10.2f} {high:>6.2f}")
    return lines


def ratings(work: Path, reference_data: Path) -> list[dict[str, Any]]:
    """The crowd's rows of `ratings` after a run of the whole chain."""
    warehouse = complete(llmfao_root(work, reference_data))
    table = warehouse.read("ratings", "llmfao", 1).table().to_pylist()
    return [row for row in table if row["judge"] == "crowd"]


def published_strengths(folder: Path) -> dict[str, float]:
    golden = pq.read_table(folder / GOLDEN, filters=[("algorithm", "==", "bradley_terry")])
    logits = np.log(golden["score"].to_numpy())
    logits = logits - logits.mean()
    return dict(zip(golden["item"].to_pylist(), logits.tolist(), strict=True))


def crowd_battles(folder: Path, *, by_prompt: bool = True) -> Battles:
    """The crowd's comparisons; each prompt is a cluster, or each comparison."""
    rows = pq.read_table(folder / COMPARISONS, filters=[("judge", "==", "crowd")])
    return encode_battles(
        rows["left"],
        rows["right"],
        outcome_scores(rows["winner"].to_pylist(), {"left": 1.0, "right": 0.0, "tie": 0.5}),
        cluster=rows["prompt"] if by_prompt else None,
    )


def intervals(folder: Path) -> tuple[Intervals, Intervals]:
    """Of each model's strength, models sorted: by prompt, and as if battles were independent."""
    found = []
    for by_prompt in (True, False):
        battles = crowd_battles(folder, by_prompt=by_prompt)
        fit = fit_bradley_terry(pair_counts(battles))
        found.append(strength_intervals(fit, cluster_covariance(fit, battles), CONFIDENCE))
    return found[0], found[1]


def checkpoint_name(model: str) -> str:
    """The model's name as a folder may be called."""
    return re.sub(r"[^A-Za-z0-9._+-]+", "_", model).strip("_")


def llmfao_root(folder: Path, reference_data: Path) -> DataRoot:
    """59 models without replies, and the crowd's votes as a recorded judge."""
    root = DataRoot(folder / "data")
    votes = pq.read_table(
        reference_data / COMPARISONS, filters=[("judge", "==", "crowd")]
    ).to_pylist()
    prompts = sorted({vote["prompt"] for vote in votes})
    items = [{"item_id": f"prompt-{p:02}", "question": f"prompt {p}"} for p in prompts]
    write_items(root, "llmfao@1", items)
    models = sorted({name for vote in votes for name in (vote["left"], vote["right"])})
    for model in models:
        land(root, checkpoint_name(model), "llmfao", "2023-09-01", {"llmfao.jsonl": ""})
    for checkpoint, lines in recorded(votes).items():
        path = root.judgments("crowd", "llmfao", checkpoint)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json_lines(lines), encoding="utf-8")
    path = root.contract_file("llmfao", 1)
    path.parent.mkdir(parents=True)
    path.write_text(CONTRACT, encoding="utf-8")
    return root


def recorded(votes: list[dict[str, Any]]) -> Mapping[str, list[dict[str, Any]]]:
    """The votes as a judge's file for the later model of each pair; the votes of several people
    on one pair in one order are its repeats.
    """
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    repeats: dict[tuple[str, ...], int] = defaultdict(int)
    for vote in votes:
        left, right = checkpoint_name(vote["left"]), checkpoint_name(vote["right"])
        item = f"prompt-{vote['prompt']:02}"
        winner = {"left": "first", "right": "second", "tie": "tie"}[vote["winner"]]
        sides = {"first": "model_a", "second": "model_b", "tie": "tie"}
        files[max(left, right)].append(
            {
                "item_id": item,
                "model_a": left,
                "model_b": right,
                "shown_first": "model_a",
                "repeat": repeats[item, left, right],
                "verdict": sides[winner],
            }
        )
        repeats[item, left, right] += 1
    return files


CONTRACT = """\
contract: llmfao
version: 1
question:
  text: Which reply would people rather have?
  primary_endpoint: {metric: win_rate}
targets: {families: [llmfao], reference: GPT_4}
task: {benchmark: llmfao@1, population: 13 everyday prompts}
prompt: {unknown: not published with the votes}
decoding: {unknown: not published with the votes}
budget: {unknown: not published with the votes}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures:
  parser_failure: wrong
  model_refusal: wrong
  timeout: wrong
  permission_denied: wrong
  infra_error: exclude
  invalid_sample: exclude
decision: {unknown: nothing is shipped on these votes}
evaluator:
  kind: judge
  reason: people were asked
  uncovered: who they were
metrics: [{name: win_rate}]
statistics: {replicates: 1000, seed: 1}
pairing: {nearest: 58}
judging:
  judges: [{name: crowd, family: people}]
  orders: one
  bars: {}
length_control: {baseline: GPT_4}
ranking: {order_effect: false, weigh: votes}
"""
