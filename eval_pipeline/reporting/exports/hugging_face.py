"""Hugging Face: `.eval_results` files, and the model-index block of a model card.

Source: the Hub's documentation of evaluation results, and `modelcard.md` of hub-docs.
"""

import yaml

from eval_pipeline.layout import checked_name
from eval_pipeline.reporting.exports.export import Export, Files, beside
from eval_pipeline.rows.leaderboard import LeaderboardRow

FRAMEWORK = "eval_pipeline"


def eval_results(export: Export) -> Files:
    """A file a checkpoint, `.eval_results/<contract>.yaml` below a folder of its name.

    No token of verification is written: nobody but the Hub can give one.
    """
    return {
        f"{checked_name(row['checkpoint'], 'checkpoint')}/.eval_results/{export.contract}.yaml": (
            _yaml([_result(export, row)])
        )
        for row in export.rows
        if row["value"] is not None
    }


def model_index(export: Export) -> Files:
    """A block a checkpoint, to be pasted into the head of a model card."""
    return {
        f"{checked_name(row['checkpoint'], 'checkpoint')}.model-index.yaml": _yaml(
            {"model-index": [{"name": row["checkpoint"], "results": [_of_card(export, row)]}]}
        )
        for row in export.rows
        if row["value"] is not None
    }


def _result(export: Export, row: LeaderboardRow) -> dict[str, object]:
    name, _, revision = export.benchmark.partition("@")
    return {
        "dataset": {"id": name, "task_id": row["metric"], "revision": revision},
        "value": row["value"],
        "date": export.written_at[:10],
        "evaluation_framework": f"{FRAMEWORK} {export.release}",
        "notes": "; ".join(f"{key}: {said}" for key, said in beside(export, row).items()),
    }


def _of_card(export: Export, row: LeaderboardRow) -> dict[str, object]:
    name, _, revision = export.benchmark.partition("@")
    return {
        "task": {"type": "text-generation"},
        "dataset": {"type": name, "name": export.population, "revision": revision},
        "metrics": [
            {
                "type": row["metric"],
                "value": row["value"],
                "name": row["quantity"],
                "args": beside(export, row),
            }
        ],
        "source": {"name": f"{FRAMEWORK} {export.release}"},
    }


def _yaml(value: object) -> str:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)
