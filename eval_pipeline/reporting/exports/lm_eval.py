"""lm-evaluation-harness: `results_*.json` a checkpoint, and `samples_*.jsonl` where asked for.

A line is a document; its value is the mean over its draws that count. Source: the files that
lm-evaluation-harness 0.4 writes.
"""

import json

from eval_pipeline.layout import checked_name
from eval_pipeline.reporting.exports.export import Export, Files, SampleRows, beside
from eval_pipeline.rows.leaderboard import LeaderboardRow

FILTER = "none"


def written(export: Export) -> Files:
    """A folder a checkpoint that has a number, with the names that the harness gives."""
    files: Files = {}
    for row in export.rows:
        if row["value"] is None:
            continue
        folder = checked_name(row["checkpoint"], "checkpoint")
        stamp = export.written_at[:19].replace(":", "-")
        results = json.dumps(_results(export, row), ensure_ascii=False, indent=2) + "\n"
        files[f"{folder}/results_{stamp}.json"] = results
        if row["checkpoint"] in export.samples:
            lines = _lines(export.samples[row["checkpoint"]], row["metric"])
            files[f"{folder}/samples_{export.contract}_{stamp}.jsonl"] = lines
    return files


def _results(export: Export, row: LeaderboardRow) -> dict[str, object]:
    task, metric = export.contract, row["metric"]
    numbers: dict[str, object] = {
        "alias": task,
        f"{metric},{FILTER}": row["value"],
        f"{metric}_stderr,{FILTER}": "N/A" if row["se"] is None else row["se"],
    }
    effective = row["n_items"] if row["n_items"] is not None else row["n_total"]
    return {
        "results": {task: numbers},
        "configs": {task: {"task": task, "metadata": beside(export, row)}},
        "versions": {task: export.version},
        "n-shot": {task: None},
        "higher_is_better": {task: {metric: row["higher_is_better"]}},
        "n-samples": {task: {"original": row["n_total"], "effective": effective}},
        "config": {"model": row["checkpoint"], "model_args": {"pretrained": row["checkpoint"]}},
        "date": export.written_at,
        "model_name": row["checkpoint"],
        "eval_pipeline": {"release": export.release, "contract_identity": export.identity},
    }


def _lines(samples: SampleRows, metric: str) -> str:
    lines = []
    drawn = samples.by_item()
    for item in sorted(samples.items, key=lambda item: item["item_id"]):
        replies = drawn.get(item["item_id"], [])
        counted = [v["score"] for _, v in replies if v is not None and v["score"] is not None]
        if not counted:
            continue
        texts = [reply["text"] for reply, _ in replies]
        read = [(verdict and verdict["extracted"]) or "[invalid]" for _, verdict in replies]
        doc = {"question": item["question"], "answer": item["answer"]}
        line: dict[str, object] = {
            "doc_id": item["item_id"],
            "doc": doc,
            "target": item["answer"] or "",
            "arguments": {"gen_args_0": {"arg_0": item["question"]}},
            "resps": [texts],
            "filtered_resps": read,
            "filter": FILTER,
            "metrics": [metric],
            metric: sum(counted) / len(counted),
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)
