"""The real files of other tools: what was published follows from the verdicts that they hold."""

from pathlib import Path

import pytest

from eval_pipeline_tests.ingest.peers.made import entries, faults, numbers, replies

READ = {  # folder -> files, replies, the numbers that were published
    "lm_eval_harness": (("*2026*",), 15, {0.0, 1 / 3}),
    "helm": (("*/*.json",), 5, {0.0}),
    "inspect_ai/a": (("*_mj7khqpMM4GBCfVQozKgzB.eval",), 10, {0.8}),
    "inspect_ai/b": (("2025-05-12*popularity.json",), 3, {2 / 3}),
    "inspect_ai/c": (("*security-guide.json",), 3, {1.0}),
    "inspect_ai/d": (("mmlu-summary-choices.eval",), 1, {0.0}),
    "livecodebench": (("*.json",), 3, {1.0}),
    "openai_evals": (("*.jsonl",), 3, {1 / 3}),
    "promptfoo": (("*.json",), 4, {0.5}),
    "opencompass": (("LawBench*",), 3, set()),
    "deepeval": (("*.json",), 1, set()),
    "human_eval": (("*.jsonl",), 6, set()),
    "bigcode_eval_harness": (("humaneval*",), 4, set()),
}
CUT_SHORT = ("*_dPiJifoWeEQBrfWsAopzWr.eval", ["ok"] * 10)
FAILED = ("2026-*_arith_*.eval", ["infra_error"] * 12)


def files(reference_data: Path, *patterns: str) -> list[Path]:
    folder = reference_data / "formats"
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    if not found:
        pytest.skip(f"the result files of other tools are absent: {folder} has no {patterns[0]}")
    return found


@pytest.mark.parametrize("named", READ)
def test_the_verdicts_give_the_published_number(reference_data: Path, named: str) -> None:
    patterns, n_replies, values = READ[named]
    paths = files(reference_data, *(f"{named.split('/')[0]}/{one}" for one in patterns))
    found = entries(*paths)
    assert len(replies(*paths)) == n_replies
    assert {one.value for one in numbers(*paths)} == values
    assert faults(found) == []


@pytest.mark.parametrize(("pattern", "statuses"), [CUT_SHORT, FAILED])
def test_a_run_without_results_is_kept_without_a_number(
    reference_data: Path, pattern: str, statuses: list[str]
) -> None:
    paths = files(reference_data, f"inspect_ai/{pattern}")
    assert [one.status for one in replies(*paths)] == statuses
    assert numbers(*paths) == []


def test_numbers_without_samples_are_refused(reference_data: Path) -> None:
    paths = files(reference_data, "lm_eval_harness/results_v0.3*.json")
    with pytest.raises(ValueError, match="holds numbers and no sample"):
        entries(*paths)
