"""A lab written from a seed, as the stages read it: replies, votes, labels, probes, nights."""

from functools import cached_property
from typing import Any

import pyarrow as pa

from eval_pipeline.judging.audits.drift import drift_rows
from eval_pipeline.judging.audits.pair_audits import Evidence, Rules, audit_rows
from eval_pipeline.judging.licences.licence import licence_rows
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.judging.people.labels import combine_labels
from eval_pipeline.judging.probes.votes import combine_probe_votes
from eval_pipeline.judging.probes.writing import Probe
from eval_pipeline.lab.nights import night_votes, sentinel_items
from eval_pipeline.lab.planted import CHECKPOINTS, JUDGES, NIGHTS, PlantedJudge
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
Row = dict[str, Any]


class Lab:
    """The judged part of a lab of this seed."""

    def __init__(self, seed: int) -> None:
        asked = prompts()
        self.seed = seed
        self.ids = [prompt.item_id for prompt in asked]
        self.texts = {c.name: replies(c, asked, seed) for c in CHECKPOINTS}
        lengths = {name: tokens(each) for name, each in self.texts.items()}
        self.pairs = judged_pairs(CHECKPOINTS, lengths, seed)
        self.probes = probes(self.texts, self.ids, seed)

    @cached_property
    def votes(self) -> pa.Table:
        rows = [
            vote_row(judge, row)
            for judge in JUDGES
            for pair in self.pairs
            for row in votes(judge, pair, self.ids, self.seed)
        ]
        return TABLES["judge_votes"].from_rows(rows)

    def licences(self) -> dict[str, str]:
        """The outcome for each judge."""
        rows = licence_rows(self.audits(), None, self.drift())
        return {row["judge"]: row["outcome"] for row in rows}

    def drift(self) -> list[Row]:
        """How every judge moved on its sentinels."""
        places = sentinel_items(self.ids, self.seed)
        rows = [
            {"night": night, **vote_row(judge, row)}
            for judge in JUDGES
            for night in NIGHTS
            for row in night_votes(judge, self.pairs[0], self.ids, places, night, self.seed)
        ]
        again = TABLES["judge_sentinel_votes"].from_rows(rows)
        return drift_rows(self.votes, again, [judge.name for judge in JUDGES], 0.95)

    def audits(self) -> list[Row]:
        """Every audit of every judge."""
        labelled = [
            {**row, **PLACE, "annotation_set": "s", "cluster_id": row["item_id"]}
            for pair in self.pairs
            for row in labels(pair, self.ids, self.seed)
        ]
        made = {probe.name: probe for probe in self.probes}
        probed = [
            probe_row(judge, made[row["probe"]], row)
            for judge in JUDGES
            for row in probe_votes(judge, self.probes, self.seed)
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
            combine_probe_votes(TABLES["judge_probe_votes"].from_rows(probed)),
        )
        return audit_rows(evidence, Rules({one.name: one.family for one in JUDGES}, BARS, 0.95))


def vote_row(judge: PlantedJudge, line: Row) -> Row:
    """A line of recorded votes as a row of `judge_votes`."""
    return {
        **_said(judge, line),
        "item_id": line["item_id"],
        "cluster_id": line["item_id"],
        "model_a": line["model_a"],
        "model_b": line["model_b"],
        "slot_order": "a_first" if line["shown_first"] == "model_a" else "b_first",
        "repeat": line.get("repeat", 0),
    }


def probe_row(judge: PlantedJudge, probe: Probe, line: Row) -> Row:
    """A line of votes on probes as a row of `judge_probe_votes`."""
    return {
        **_said(judge, line),
        "probe_set": "s",
        "probe": probe.name,
        "item_id": probe.item_id,
        "cluster_id": probe.item_id,
        "kind": probe.kind,
        "detail": probe.detail,
        "added_tokens": probe.added_tokens,
        "slot_order": f"{line['shown_first']}_first",
        "repeat": 0,
    }


def _said(judge: PlantedJudge, line: Row) -> Row:
    status = "ok" if line["verdict"] else "judge_unknown"
    return {**PLACE, "judge": judge.name, "status": status, "verdict": line["verdict"]}
