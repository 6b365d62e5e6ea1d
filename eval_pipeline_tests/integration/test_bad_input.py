"""Everything wrong at once: each fault in one line, the rest complete, and mended all is good.

The project is spoilt in every way that there is, so that no fault may hide another.
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import Done, eval_pipeline
from eval_pipeline_tests.integration.spoiling import SPOILINGS, Spoiling
from eval_pipeline_tests.integration.three_contracts import land_answers, three_contracts, variant
from eval_pipeline_tests.orchestration.plainly import run_plainly

SOUND = "sound"  # a checkpoint without fault that lands among the spoilt ones
Digests = Mapping[Place, str | None]


@dataclass(frozen=True)
class Story:
    """A healthy project is run, spoilt, run, validated, mended and run."""

    root: DataRoot
    healthy: Digests
    spoilt: Done
    after_spoilt: Digests
    validated: Done
    mended: Done
    after_mended: Digests


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    root = three_contracts(tmp_path_factory.mktemp("bad_input"))
    variant(root, "sums", "healthy", {"[ash]": "[ash, oak]"})
    assert not run_plainly(root).failed
    healthy = digests(root)
    land_answers(root, SOUND, "2026-02-01", family="oak")
    for spoiling in SPOILINGS:
        spoiling.spoil(root)
    spoilt = eval_pipeline(root, "run")
    after_spoilt = digests(root)
    validated = eval_pipeline(root, "validate", "--json")
    for spoiling in SPOILINGS:
        spoiling.mend(root)
    mended = eval_pipeline(root, "run", "--json")
    return Story(root, healthy, spoilt, after_spoilt, validated, mended, digests(root))


def digests(root: DataRoot) -> Digests:
    standing = Warehouse(root.warehouse).standing()
    return {place: record.digest for place, record in standing.items()}


def test_the_run_fails_and_shows_no_trace(story: Story) -> None:
    assert story.spoilt.code == 1
    assert "Traceback" not in story.spoilt.err + story.spoilt.out
    assert all(line.split(": ")[0] in ("fault", "failed", "note") for line in story.spoilt.told)


@pytest.mark.parametrize("spoiling", SPOILINGS, ids=lambda one: one.name)
def test_one_line_names_the_thing_the_place_and_the_mend(story: Story, spoiling: Spoiling) -> None:
    if spoiling.says:
        assert len(story.spoilt.tells(*spoiling.says)) == 1, story.spoilt.err


def test_what_is_set_aside_is_counted(story: Story) -> None:
    said = " ".join(story.spoilt.out.split())
    assert "talks/v1 judge_votes of late rejected_votes: missing_key 1, rejected_votes: " in said
    assert "leaks/v1 contamination_hits lines without a document 2" in said


def test_the_other_contracts_are_complete(story: Story) -> None:
    assert story.healthy.keys() <= story.after_spoilt.keys()
    assert Place("metric_estimates", "healthy", 1, SOUND) in story.after_spoilt
    decisions = Place("decisions", "healthy", 1)
    assert story.after_spoilt[decisions] != story.healthy[decisions]


@pytest.mark.parametrize(
    "spoiling", [one for one in SPOILINGS if one.seen_before_a_run], ids=lambda one: one.name
)
def test_validate_says_so_before_a_run(story: Story, spoiling: Spoiling) -> None:
    assert story.validated.code == 1
    found = json.loads(story.validated.out)
    words = [word.removeprefix("fault: ").removeprefix("note: ") for word in spoiling.says]
    words = [word for word in words if not word.startswith("failed: ")]
    lines = [line for line in found["faults"] + found["notes"] if all(w in line for w in words)]
    assert len(lines) == 1


def test_results_of_a_spoilt_contract_stay(story: Story) -> None:
    kept = {at: digest for at, digest in story.healthy.items() if at.contract == "sums"}
    assert kept
    assert kept.items() <= story.after_spoilt.items()


def test_mended_all_is_good(story: Story) -> None:
    assert story.mended.code == 0, story.mended.out
    outcome = json.loads(story.mended.out)
    assert not outcome["failed"]
    assert not outcome["faults"]
    assert not outcome["not_run"]


def test_nothing_is_lost_or_left_of_the_faults(story: Story, tmp_path: Path) -> None:
    undisturbed = DataRoot(tmp_path / "data")
    left_out = shutil.ignore_patterns("warehouse", "contracts.lock")
    shutil.copytree(story.root.path, undisturbed.path, ignore=left_out)
    assert not run_plainly(undisturbed).failed
    assert story.after_mended == digests(undisturbed)
