"""Scores of single replies through the real stages, from files on disk to the gate's answer."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.judging.asking.live_project import run_live

ITEMS, REFUSED, LOST = 60, 3, 2
GAINS = {"early": 0.0, "late": 0.6, "later": -0.5}
LENIENT = 0.7  # points that the judge `kind` adds, and `fair` does not
STAGES = (
    "contract", "items", "annotations", "raters", "generations", "metric_estimates",
    "judge_scores", "awaited_votes", "judge_audits", "judge_licences", "judge_score_estimates",
    "paired_comparisons", "decisions", "leaderboard", "report",
)  # fmt: skip
CONTRACT = """\
contract: advice
version: 1
status: frozen
question:
  text: Does the advice score higher?
  primary_endpoint: {metric: judge_score}
targets: {families: [ash], reference: early}
task: {benchmark: advice@1, population: requests, slices: [topic]}
prompt: {unknown: replies only}
decoding: {unknown: replies only}
budget: {draws_per_item: 1}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures: {parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}
decision: {rule: superior, confidence: 0.95,
  guardrails: [{metric: judge_score(criterion=clear), at_least: 1.5}]}
evaluator: {kind: judge, reason: no reference exists, uncovered: facts}
metrics: [{name: judge_score, options: {criterion: clear}}]
statistics: {replicates: 100, seed: 4}
judging:
  judges:
    - {name: fair, family: owl, form: pointwise, prompt: reply_rubric@1}
    - {name: kind, family: owl, form: pointwise, prompt: reply_rubric@1}
  bars: {human_ratio: 0.5, missing_rate: 0.05, scores: {offset: 0.3}}
  annotations: [people]
"""


def points(mean: np.ndarray[Any, np.dtype[np.float64]], rng: np.random.Generator) -> list[int]:
    """Whole points whose mean is exact: the fraction is the chance of the next one."""
    return [int(value) for value in np.floor(mean) + (rng.random(mean.size) < mean % 1)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    """Three checkpoints whose replies deserve known points; `early` refuses, `fair` is lost."""
    made = DataRoot(tmp_path_factory.mktemp("scores") / "data")
    prompt = made.judge_prompt("reply_rubric@1")
    prompt.parent.mkdir(parents=True)
    prompt.write_bytes((PROJECT / "data/prompts/judges/reply_rubric/v1.yaml").read_bytes())
    names = [f"i{i:03d}" for i in range(ITEMS)]
    write_items(
        made,
        "advice@1",
        [{"item_id": n, "question": f"{n}?", "answer": "-", "topic": n[-1]} for n in names],
    )
    rng = np.random.default_rng(5)
    luck = rng.uniform(-0.8, 0.8, ITEMS)
    people = []
    for day, (model, gain) in enumerate(GAINS.items(), 1):
        rows: list[dict[str, Any]] = [
            {"item_id": n, "draw": 0, "text": "word " * int(rng.integers(20, 90))} for n in names
        ]
        if model == "early":
            for row in rows[:REFUSED]:
                row |= {"text": "No.", "status": "model_refusal"}
        land(made, model, "ash", f"2026-01-0{day}", {"advice.jsonl": json_lines(rows)})
        deserved = 2.8 + gain + luck
        for judge, extra in (("fair", 0.0), ("kind", LENIENT)):
            given = [points(deserved + extra, rng) for _ in range(3)]
            scores = [
                {
                    "item_id": n,
                    "scores": dict(zip(("helpful", "accurate", "clear"), p, strict=True)),
                }
                for n, *p in zip(names, *given, strict=True)
            ]
            if judge == "fair":
                scores[10]["scores"] = None
                del scores[11]
            path = made.judgments(judge, "advice", model)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json_lines(scores), encoding="utf-8")
        for rater in ("ann", "bob"):
            people += [
                {"item_id": n, "checkpoint": model, "rater": rater, "score": p}
                for n, p in zip(names, points(deserved, rng), strict=True)
            ]
    made.annotations("people").parent.mkdir(parents=True)
    made.annotations("people").write_text(json_lines(people), encoding="utf-8")
    write(made, CONTRACT)
    write(made, biased(CONTRACT))
    assert run_live(made, STAGES)[1] == []
    return made


def biased(contract: str) -> str:
    """The same contract under another name, judged by the lenient judge alone."""
    kept = [line for line in contract.splitlines() if "name: fair" not in line]
    return "\n".join(kept).replace("contract: advice\n", "contract: lenient\n") + "\n"


def write(root: DataRoot, text: str) -> None:
    name = text.splitlines()[0].removeprefix("contract: ")
    path = root.contract_file(name, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def rows(root: DataRoot, table: str, contract: str = "advice", **wanted: Any) -> list[Any]:
    stage = "judge_score_estimates" if table == "reply_scores" else table
    evaluation = Evaluation(root, settings_from_environment(), "test")
    found = evaluation.published_table(Cell(contract, 1, stage), table).to_pylist()
    return [row for row in found if all(row[key] == value for key, value in wanted.items())]


def test_the_licensed_judge_alone_makes_the_panel(root: DataRoot) -> None:
    licences = {row["judge"]: row for row in rows(root, "judge_licences", slice="all")}
    assert licences["fair"]["outcome"] == "licensed"
    assert licences["kind"]["outcome"] == "refused"
    assert "score_offset" in licences["kind"]["failed_audits"]
    (offset,) = rows(root, "judge_audits", judge="kind", slice="all", audit="score_offset")
    assert offset["ci_low"] < LENIENT < offset["ci_high"]
    whole = {"slice": "all", "policy": "primary", "metric": "judge_score"}
    for checkpoint in GAINS:
        found = {
            row["judge"]: row
            for row in rows(root, "judge_score_estimates", checkpoint=checkpoint, **whole)
        }
        assert set(found) == {"fair", "kind", "panel"}
        assert found["panel"]["value"] == found["fair"]["value"]
        assert [found[one]["quarantined"] for one in ("fair", "kind", "panel")] == [
            False,
            True,
            False,
        ]


def test_the_mean_counts_refusals_as_the_lowest_and_leaves_the_judges_failures_out(
    root: DataRoot,
) -> None:
    whole = {"judge": "panel", "slice": "all", "criterion": "all", "checkpoint": "early"}
    by_policy = {row["policy"]: row for row in rows(root, "judge_score_estimates", **whole)}
    scores = rows(root, "reply_scores", judge="panel", checkpoint="early", criterion="all")
    given = [row["score"] for row in scores if row["status"] == "ok"]
    assert Counter(row["status"] for row in scores) == {
        "ok": ITEMS - REFUSED - LOST,
        "no_reply": REFUSED,
        "judge_unknown": 1,
        "missing": 1,
    }
    primary = by_policy["primary"]
    assert primary["value"] == pytest.approx((sum(given) + REFUSED) / (len(given) + REFUSED))
    assert by_policy["valid_only"]["value"] == pytest.approx(np.mean(given))
    counts = ("n_failed", "n_unknown", "n_error", "n_missing", "n_excluded")
    assert [primary[name] for name in counts] == [REFUSED, 1, 0, 1, LOST]
    assert primary["bound_low"] == pytest.approx((sum(given) + REFUSED + LOST) / ITEMS)
    assert primary["bound_high"] == pytest.approx((sum(given) + REFUSED + 5 * LOST) / ITEMS)
    assert primary["measured_in"] == "points, 1 to 5"


def test_the_score_decides_as_a_primary_endpoint(root: DataRoot) -> None:
    found = {row["checkpoint"]: row for row in rows(root, "paired_comparisons", slice="all")}
    difference = found["late"]
    assert difference["metric"] == "judge_score"
    assert not difference["quarantined"]
    assert difference["ci_low"] < 0.6 + 1.8 * REFUSED / ITEMS < difference["ci_high"]
    shipped = called(root.path, "gate", "advice", "late", "--json")
    assert (shipped.code, shipped.json["outcome"]) == (0, "ship")
    assert called(root.path, "gate", "advice", "later").code == 10
    board = succeeded(root.path, "ls", "advice", "--json").json
    assert [row["checkpoint"] for row in board["rows"]] == ["late", "early", "later"]
    assert not board["quarantined"]
    told = succeeded(root.path, "compare", "--contract", "advice", "late", "early", "--json").json
    assert told["rows"][0]["difference"] == pytest.approx(difference["difference"])
    assert "no checkpoint 'nobody'" in refused(
        root.path, "compare", "--contract", "advice", "late", "nobody"
    )


def test_without_a_licence_the_gate_is_blocked_and_every_number_says_so(root: DataRoot) -> None:
    blocked = called(root.path, "gate", "lenient", "late", "--json")
    assert (blocked.code, blocked.json["reason_code"]) == (12, "quarantine")
    for table in ("judge_score_estimates", "reply_scores", "paired_comparisons"):
        assert {row["quarantined"] for row in rows(root, table, "lenient")} == {True}
    assert "QUARANTINED" in succeeded(root.path, "ls", "lenient").stdout
    said = "board quarantined: no judge of single replies holds a licence"
    assert said in succeeded(root.path, "ls", "--json").stdout
    (page,) = rows(root, "report", "lenient")
    assert "QUARANTINED: mean score, points, 1 to 5" in page["html"]
    assert "rests on judges without a licence" in page["html"]


def test_a_guardrail_may_stand_on_a_criterion(root: DataRoot) -> None:
    (row,) = rows(root, "decisions", checkpoint="late")
    (guardrail,) = json.loads(row["guardrails"])
    (clear,) = rows(
        root,
        "judge_score_estimates",
        judge="panel",
        checkpoint="late",
        criterion="clear",
        slice="all",
        policy="primary",
    )
    assert guardrail["verdict"] == "satisfied"
    assert guardrail["value"] == pytest.approx(clear["value"])


def test_a_contract_that_cannot_score_says_so_in_a_line(root: DataRoot) -> None:
    other = root.judge_prompt("other_rubric@1")
    other.parent.mkdir(parents=True, exist_ok=True)
    text = root.judge_prompt("reply_rubric@1").read_text(encoding="utf-8")
    other.write_text(text.replace("weight: 0.5", "weight: 0.4").replace("0.3}", "0.4}"))
    broken = {
        "two rubrics": (
            CONTRACT.replace("reply_rubric@1", "other_rubric@1", 1),
            "score by rubrics of different criteria or weights",
        ),
        "no such criterion": (
            CONTRACT.replace("criterion=clear", "criterion=clea").replace(
                "criterion: clear", "criterion: clea"
            ),
            "is clea, which is no criterion of the rubric",
        ),
        "no prompt": (
            CONTRACT.replace(", prompt: reply_rubric@1", "", 1),
            "scores single replies and has no prompt",
        ),
    }
    for number, (text, said) in enumerate(broken.values(), 2):
        path = root.contract_file("advice", number)
        path.write_text(text.replace("version: 1\n", f"version: {number}\n"), encoding="utf-8")
        faults = called(root.path, "validate")
        path.unlink()
        assert faults.code != 0
        lines = [line for line in (faults.stdout + faults.stderr).splitlines() if said in line]
        assert len(lines) == 1, faults
