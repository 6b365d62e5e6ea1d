"""Votes on probes and sentinels: the audits find what the closed forms say."""

import numpy as np
import pytest

from eval_pipeline.judging.audits.drift import drift_rows
from eval_pipeline.judging.probes.findings import probe_findings
from eval_pipeline.judging.probes.votes import combine_probe_votes
from eval_pipeline.lab.nights import drift_values, night_votes, on
from eval_pipeline.lab.planted import JUDGES, NIGHTS, PROBES, PlantedJudge
from eval_pipeline.lab.tricks import expected_audits, probe_votes
from eval_pipeline.lab.votes import votes
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.lab.as_read import Lab, probe_row, vote_row

SEEDS = 12
LARGE = 4.0  # standard errors


@pytest.fixture(scope="module")
def lab() -> Lab:
    return Lab(1)


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_the_audits_by_probes_find_what_was_planted(judge: PlantedJudge, lab: Lab) -> None:
    made = {probe.name: probe for probe in lab.probes}
    rows = [
        probe_row(judge, made[row["probe"]], row) | {"probe_set": str(seed)}
        for seed in range(SEEDS)
        for row in probe_votes(judge, lab.probes, seed)
    ]
    table = TABLES["judge_probe_votes"].from_rows(rows)
    found = {one.audit: one.estimate for one in probe_findings(combine_probe_votes(table), 0.95)}
    expected = expected_audits(judge, lab.probes)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value, abs=LARGE * found[name].se + 0.005), name


def test_there_are_as_many_probes_of_every_kind_on_short_replies(lab: Lab) -> None:
    kinds = [probe.kind for probe in lab.probes]
    assert {kinds.count(kind) for kind in set(kinds)} == {PROBES}
    shortest = {min(texts, key=len) for texts in zip(*lab.texts.values(), strict=True)}
    assert {probe.original for probe in lab.probes} <= shortest


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.name)
def test_the_sentinels_find_how_far_the_judge_has_moved(judge: PlantedJudge, lab: Lab) -> None:
    """Over labs: the items of each under names of their own, so that all are one large night."""
    audit, night = [], []
    pair, n = lab.pairs[0], len(lab.ids)
    for seed in range(SEEDS):
        ids = [f"{seed}-{item}" for item in lab.ids]
        again = night_votes(judge, pair, ids, np.arange(n), NIGHTS[-1], seed)
        audit += [vote_row(judge, row) for row in votes(judge, pair, ids, seed)]
        night += [{**vote_row(judge, row), "night": NIGHTS[-1]} for row in again]
    rows = drift_rows(
        TABLES["judge_votes"].from_rows(audit),
        TABLES["judge_sentinel_votes"].from_rows(night),
        [judge.name],
        0.95,
    )
    planted = {
        one.where["measure"]: one.value
        for one in drift_values("c", pair, np.arange(n))
        if one.where["judge"] == judge.name
    }
    assert len(rows) == len(planted) == 3
    for row in rows:
        within = LARGE * row["se"]
        assert row["estimate"] == pytest.approx(planted[row["measure"]], abs=within), row["measure"]


def test_a_judge_is_another_one_from_its_night_on_and_not_before() -> None:
    moved = [judge for judge in JUDGES if judge.change is not None]
    assert [judge.name for judge in moved] == ["heron_judge"]
    shifts = [on(moved[0], night).bias.position - moved[0].bias.position for night in NIGHTS]
    assert shifts == pytest.approx([0.0, 0.15, 0.15])
