"""Every Eval Ever, schema 0.2.1: a record a checkpoint, and its samples as lines where asked for.

Source: `eval.schema.json` and `instance_level_eval.schema.json` of evaleval/every_eval_ever.
"""

import hashlib
import json
from datetime import datetime

from eval_pipeline.layout import checked_name
from eval_pipeline.reporting.exports.export import Export, Files, beside
from eval_pipeline.rows.leaderboard import LeaderboardRow

SCHEMA = "0.2.1"


def written(export: Export) -> Files:
    """`<checkpoint>.json` for each checkpoint that has a number.

    Raises ValueError where nobody said who publishes.
    """
    files: Files = {}
    for row in export.rows:
        if row["value"] is None:
            continue
        name = checked_name(row["checkpoint"], "checkpoint")
        lines = _lines(export, row)
        if lines:
            files[f"{name}.jsonl"] = lines
        document = _record(export, row, f"{name}.jsonl" if lines else None, lines)
        files[f"{name}.json"] = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return files


def _evaluation_id(export: Export, row: LeaderboardRow) -> str:
    moment = datetime.fromisoformat(export.written_at)
    return f"{export.contract}/{row['checkpoint']}/{int(moment.timestamp())}"


def _record(
    export: Export, row: LeaderboardRow, samples: str | None, lines: str
) -> dict[str, object]:
    publisher = export.asked_publisher()
    moment = datetime.fromisoformat(export.written_at)
    document: dict[str, object] = {
        "schema_version": SCHEMA,
        "evaluation_id": _evaluation_id(export, row),
        "retrieved_timestamp": str(int(moment.timestamp())),
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organization,
            "evaluator_relationship": publisher.relationship,
        },
        "model_info": {"name": row["checkpoint"], "id": row["checkpoint"]},
        "eval_library": {"name": "eval_pipeline", "version": export.release},
        "evaluation_results": [
            {
                "evaluation_name": f"{export.benchmark}: {row['metric']}",
                "source_data": {"dataset_name": export.benchmark, "source_type": "other"},
                "metric_config": {
                    "lower_is_better": row["higher_is_better"] is False,
                    "score_type": "continuous",
                    "min_score": export.least,
                    "max_score": export.most,
                },
                "score_details": {
                    "score": row["value"],
                    "details": beside(export, row),
                    "uncertainty": _uncertainty(row),
                },
            }
        ],
    }
    if samples is not None:
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": samples,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(lines.encode()).hexdigest(),
            "total_rows": lines.count("\n"),
        }
    return document


def _uncertainty(row: LeaderboardRow) -> dict[str, object]:
    found: dict[str, object] = {}
    if row["n_samples"] is not None:
        found["num_samples"] = row["n_samples"]
    if row["se"] is not None:
        found["standard_error"] = {"value": row["se"]}
    if row["ci_low"] is not None and row["ci_high"] is not None:
        found["confidence_interval"] = {
            "lower": row["ci_low"],
            "upper": row["ci_high"],
            "confidence_level": row["confidence"],
            "method": row["ci_method"] or "unknown",
        }
    return found


def _lines(export: Export, row: LeaderboardRow) -> str:
    samples = export.samples.get(row["checkpoint"])
    if samples is None:
        return ""
    items = {item["item_id"]: item for item in samples.items}
    lines = []
    for name, drawn in samples.by_item().items():
        item = items[name]
        for reply, verdict in drawn:
            judged = None if verdict is None else verdict["score"]
            read = None if verdict is None else verdict["extracted"]
            line: dict[str, object] = {
                "schema_version": SCHEMA,
                "evaluation_id": _evaluation_id(export, row),
                "model_id": row["checkpoint"],
                "evaluation_name": f"{export.benchmark}: {row['metric']}",
                "sample_id": f"{name}#{reply['draw']}",
                "interaction_type": "single_turn",
                "input": {"raw": item["question"], "reference": [item["answer"] or ""]},
                "output": {"raw": [reply["text"]]},
                "messages": None,
                "answer_attribution": []
                if read is None or verdict is None
                else [
                    {
                        "turn_idx": 0,
                        "source": "output.raw",
                        "extracted_value": read,
                        "extraction_method": verdict["detail"] or verdict["verifier"],
                        "is_terminal": True,
                    }
                ],
                "evaluation": {"score": judged or 0.0, "is_correct": (judged or 0.0) == 1.0},
            }
            if judged is None:
                line["error"] = reply["detail"] or (verdict and verdict["status"]) or "not judged"
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)
