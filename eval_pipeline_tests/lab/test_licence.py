"""The labelled slice decides: the judge that deserves a licence gets it, whatever the seed."""

from collections import Counter
from typing import Any

import pytest

from eval_pipeline.judging.audits import Evidence, Rules, audit_rows
from eval_pipeline.judging.labels import combine_labels
from eval_pipeline.judging.licence import licence_rows
from eval_pipeline.judging.swap import combine_votes
from eval_pipeline.lab.planted import CHECKPOINTS, JUDGES
from eval_pipeline.lab.replies import prompts, replies, tokens
from eval_pipeline.lab.votes import judged_pairs, labels, votes
from eval_pipeline.warehouse.schemas import TABLES

BARS = {
    "flip_excess": 0.15,
    "position_effect": 0.05,
    "verbosity_per_100_tokens": 0.03,
    "self_preference": 0.05,
    "human_ratio": 0.9,
    "missing_rate": 0.02,
}


def licences(seed: int) -> dict[str, str]:
    """The outcome for each judge of a lab written from this seed."""
    return {row["judge"]: row["outcome"] for row in licence_rows(audits(seed))}


def audits(seed: int) -> list[dict[str, Any]]:
    """Every audit of the judges of a lab written from this seed."""
    asked = prompts()
    ids = [prompt.item_id for prompt in asked]
    texts = {c.name: replies(c, asked, seed) for c in CHECKPOINTS}
    pairs = judged_pairs(CHECKPOINTS, {name: tokens(each) for name, each in texts.items()}, seed)
    recorded = [
        {
            "judge": judge.name,
            "item_id": row["item_id"],
            "cluster_id": row["item_id"],
            "model_a": row["model_a"],
            "model_b": row["model_b"],
            "slot_order": "a_first" if row["shown_first"] == "model_a" else "b_first",
            "repeat": row["repeat"],
            "status": "ok" if row["verdict"] else "judge_unknown",
            "verdict": row["verdict"],
            "file": "",
            "line": 1,
        }
        for judge in JUDGES
        for pair in pairs
        for row in votes(judge, pair, ids, seed)
    ]
    labelled = [
        {**row, "annotation_set": "s", "cluster_id": row["item_id"], "file": "", "line": 1}
        for pair in pairs
        for row in labels(pair, ids, seed)
    ]
    lengths = {
        (name, item): len(text)
        for name, each in texts.items()
        for item, text in zip(ids, each, strict=True)
    }
    evidence = Evidence(
        combine_votes(TABLES["judge_votes"].from_rows(recorded)),
        combine_labels(TABLES["annotations"].from_rows(labelled)),
        lengths,
        {},
        {c.name: c.family for c in CHECKPOINTS},
    )
    rules = Rules({judge.name: judge.family for judge in JUDGES}, BARS, 0.95)
    return audit_rows(evidence, rules)


@pytest.mark.slow
def test_the_right_judge_is_licensed_and_the_others_refused_in_nearly_every_lab() -> None:
    found = Counter(tuple(sorted(licences(seed).items())) for seed in range(40))
    wanted = (("heron_judge", "refused"), ("kindly", "refused"), ("stern", "licensed"))
    assert found[wanted] >= 38, found
