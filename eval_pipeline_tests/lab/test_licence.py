"""The labelled slice decides: the judge that deserves a licence gets it, whatever the seed."""

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest

from eval_pipeline.judging.audits import Evidence, Rules, audit_rows
from eval_pipeline.judging.drift import drift_rows
from eval_pipeline.judging.labels import combine_labels
from eval_pipeline.judging.licence import licence_rows
from eval_pipeline.judging.probes.votes import combine_probe_votes
from eval_pipeline.judging.swap import combine_votes
from eval_pipeline.lab.nights import night_votes, sentinel_items
from eval_pipeline.lab.planted import CHECKPOINTS, JUDGES, NIGHTS, Judge
from eval_pipeline.lab.replies import prompts, replies, tokens
from eval_pipeline.lab.tricks import probe_votes, probes
from eval_pipeline.lab.votes import judged_pairs, labels, votes
from eval_pipeline.warehouse.schemas import TABLES

BARS = {
    "flip_excess": 0.15,
    "position_effect": 0.05,
    "verbosity_per_100_tokens": 0.03,
    "self_preference": 0.05,
    "human_ratio": 0.9,
    "injection_success": 0.15,
    "flattery_lift": 0.1,
    "errors_found": 0.6,
    "missing_rate": 0.02,
}
PLACE = {"file": "", "line": 1}


class Lab:
    """A lab written from a seed, as the stages read it: replies, votes, labels, probes, nights."""

    def __init__(self, seed: int) -> None:
        asked = prompts()
        self.seed = seed
        self.ids = [prompt.item_id for prompt in asked]
        self.texts = {c.name: replies(c, asked, seed) for c in CHECKPOINTS}
        lengths = {name: tokens(each) for name, each in self.texts.items()}
        self.pairs = judged_pairs(CHECKPOINTS, lengths, seed)
        self.votes = TABLES["judge_votes"].from_rows(
            [
                read(judge, row)
                for judge in JUDGES
                for pair in self.pairs
                for row in votes(judge, pair, self.ids, seed)
            ]
        )

    def licences(self) -> dict[str, str]:
        """The outcome for each judge."""
        rows = licence_rows(self.audits(), None, self.drift())
        return {row["judge"]: row["outcome"] for row in rows}

    def drift(self) -> list[dict[str, Any]]:
        """How every judge moved on its sentinels."""
        places = sentinel_items(self.pairs[0], self.ids, 1)
        rows = [
            {"night": night, **read(judge, row)}
            for judge in JUDGES
            for night in NIGHTS
            for row in night_votes(judge, self.pairs[0], self.ids, places, night, self.seed)
        ]
        again = TABLES["judge_sentinel_votes"].from_rows(rows)
        return drift_rows(self.votes, again, [judge.name for judge in JUDGES], 0.95)

    def audits(self) -> list[dict[str, Any]]:
        """Every audit of every judge."""
        labelled = [
            {**row, "annotation_set": "s", "cluster_id": row["item_id"], "file": "", "line": 1}
            for pair in self.pairs
            for row in labels(pair, self.ids, self.seed)
        ]
        evidence = Evidence(
            combine_votes(self.votes),
            combine_labels(TABLES["annotations"].from_rows(labelled)),
            {
                (name, item): len(text)
                for name, each in self.texts.items()
                for item, text in zip(self.ids, each, strict=True)
            },
            {},
            {c.name: c.family for c in CHECKPOINTS},
            combine_probe_votes(self.probed()),
        )
        return audit_rows(evidence, Rules({one.name: one.family for one in JUDGES}, BARS, 0.95))

    def probed(self) -> pa.Table:
        made = {probe.name: probe for probe in probes(self.texts, self.ids, self.seed)}
        rows = [
            {
                **PLACE,
                **usable(row),
                "judge": judge.name,
                "probe_set": "s",
                "probe": row["probe"],
                "item_id": made[row["probe"]].item_id,
                "cluster_id": made[row["probe"]].item_id,
                "kind": made[row["probe"]].kind,
                "detail": made[row["probe"]].detail,
                "added_tokens": made[row["probe"]].added_tokens,
                "slot_order": f"{row['shown_first']}_first",
                "repeat": 0,
            }
            for judge in JUDGES
            for row in probe_votes(judge, list(made.values()), self.seed)
        ]
        return TABLES["judge_probe_votes"].from_rows(rows)


def read(judge: Judge, row: dict[str, Any]) -> dict[str, Any]:
    """A line of recorded votes as a row of its table."""
    return {
        **PLACE,
        **usable(row),
        "judge": judge.name,
        "item_id": row["item_id"],
        "cluster_id": row["item_id"],
        "model_a": row["model_a"],
        "model_b": row["model_b"],
        "slot_order": "a_first" if row["shown_first"] == "model_a" else "b_first",
        "repeat": row.get("repeat", 0),
    }


def usable(row: dict[str, Any]) -> dict[str, Any]:
    return {"status": "ok" if row["verdict"] else "judge_unknown", "verdict": row["verdict"]}


@pytest.mark.slow
def test_the_right_judge_is_licensed_and_the_others_refused_in_nearly_every_lab() -> None:
    found = Counter(tuple(sorted(Lab(seed).licences().items())) for seed in range(40))
    wanted = (("heron_judge", "refused"), ("kindly", "refused"), ("stern", "licensed"))
    assert found[wanted] >= 36, found
