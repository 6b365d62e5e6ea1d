"""HELM, OpenCompass, promptfoo, OpenAI evals, LiveCodeBench and DeepEval, each on a made file."""

from pathlib import Path
from typing import Any

import pytest

from eval_pipeline_tests.ingest.peers.made import (
    entries,
    faults,
    numbers,
    put_json,
    put_lines,
    rejects,
    replies,
)


def test_open_compass_keys_are_numbers_and_lists_are_draws(tmp_path: Path) -> None:
    rows: dict[str, Any] = {
        str(i): {"origin_prompt": f"q{i}", "prediction": f"p{i}", "gold": f"g{i}"}
        for i in (10, 2, 0, 1)
    }
    rows["1"]["prediction"] = ["a", "b"]
    rows["2"] |= {
        "prediction": None,
        "origin_prompt": [
            {"role": "HUMAN", "prompt": "old"},
            {"role": "BOT", "prompt": "yes"},
            {"role": "HUMAN", "prompt": "new"},
        ],
    }
    found = replies(put_json(tmp_path / "finch" / "law.json", rows))
    assert [(one.item_id, one.draw) for one in found] == [
        ("0", 0),
        ("1", 0),
        ("1", 1),
        ("2", 0),
        ("10", 0),
    ]
    assert {(one.task, one.model) for one in found} == {("law", "finch")}
    assert (found[3].status, found[3].text, found[3].question) == ("infra_error", None, "new")
    assert found[0].said == {}


def promptfoo_row(test: int, prompt: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{test}-{prompt}",
        "testIdx": test,
        "promptId": prompt,
        "provider": {"id": "nest:finch"},
        "prompt": {"raw": f"{prompt} {test}"},
        "vars": {"city": f"c{test}"},
        "response": {"output": "It rains"},
        "tokenUsage": {"prompt": 4, "completion": 2},
        "latencyMs": 12,
        "cost": 0.5,
        "success": True,
        "score": 1,
        **more,
    }


def test_prompts_of_promptfoo_are_models_and_repeats_are_draws(tmp_path: Path) -> None:
    rows = [promptfoo_row(test, prompt) for test in (0, 1) for prompt in ("aaaaaaaa1", "bbbbbbbb1")]
    rows.append(promptfoo_row(0, "aaaaaaaa1", success=False, score=0, failureReason=1, error="no"))
    rows.append(promptfoo_row(1, "bbbbbbbb1", response={}, failureReason=2, error="503"))
    prompts = [
        {
            "id": "aaaaaaaa1",
            "provider": "nest:finch",
            "metrics": {"testPassCount": 2, "testFailCount": 1},
        }
    ]
    path = put_json(
        tmp_path / "out.json", {"results": {"version": 3, "results": rows, "prompts": prompts}}
    )
    found = replies(path)
    assert [(one.item_id, one.model[-8:], one.draw) for one in found] == [
        ("0", "aaaaaaaa", 0),
        ("0", "aaaaaaaa", 1),
        ("0", "bbbbbbbb", 0),
        ("1", "aaaaaaaa", 0),
        ("1", "bbbbbbbb", 0),
        ("1", "bbbbbbbb", 1),
    ]
    assert (found[1].status, found[1].said["success"]) == ("ok", 0.0)  # a failed assertion
    assert (found[5].status, found[5].said, found[5].detail) == ("infra_error", {}, "503")
    assert (found[0].tokens_in, found[0].cost_usd, found[0].latency_ms) == (4, 0.5, 12.0)
    (number,) = numbers(path)
    assert (number.n, number.value) == (3, pytest.approx(2 / 3))


def openai_record(path: Path, accuracy: float) -> Path:
    def event(sample: str, kind: str, **data: Any) -> dict[str, Any]:
        return {"sample_id": sample, "type": kind, "data": data}

    prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}]
    rows = [
        {"spec": {"completion_fns": ["finch"], "base_eval": "sums"}},
        {"final_report": {"accuracy": accuracy}},
        event("sums.1", "sampling", prompt=prompt, sampled=["4"]),
        event("sums.1", "sampling", prompt="Is it right?", sampled=["the judge says yes"]),
        event("sums.1", "match", correct=True, expected="4", picked="4"),
        event("sums.2", "sampling", prompt=prompt, sampled="5"),
        event("sums.2", "match", correct=False, expected=["4", "four"], picked=None),
    ]
    return put_lines(path, rows)


def test_the_second_sampling_of_openai_evals_is_the_judges(tmp_path: Path) -> None:
    path = openai_record(tmp_path / "record.jsonl", 0.5)
    found = replies(path)
    assert [(one.item_id, one.text) for one in found] == [("sums.1", "4"), ("sums.2", "5")]
    assert found[1].references == ("4", "four")
    assert found[0].question == "system: Be brief.\n\nuser: 2+2?"
    assert faults(entries(path)) == []
    with path.open("a") as file:
        file.write("{\n")
    assert [one.place for one in rejects(path)] == ["record.jsonl:8"]


def test_an_accuracy_that_the_matches_do_not_give_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(entries(openai_record(tmp_path / "record.jsonl", 1.0)))
    assert fault == ("record.jsonl:2: match of finch was published as 1.0, its verdicts give 0.5")


def helm_run(folder: Path, mean: float) -> list[Path]:
    def state(item: str, letter: str, **more: Any) -> dict[str, Any]:
        options = ({"output": {"text": "red"}, "tags": ["correct"]}, {"output": {"text": "blue"}})
        return {
            "instance": {"id": item, "input": {"text": "Colour?"}, "references": options, **more},
            "request": {"model": "nest/finch"},
            "result": {"success": True, "completions": [{"text": f" {letter}"}]},
            "output_mapping": {"A": "red", "B": "blue"},
            "train_trial_index": 0,
        }

    def verdict(item: str, value: float, **more: Any) -> dict[str, Any]:
        stats = [{"name": {"name": "exact_match"}, "mean": value, "count": 1}]
        return {"instance_id": item, "train_trial_index": 0, "stats": stats, **more}

    harmed = {"perturbation": {"name": "typos"}}
    failed = state("i3", "A") | {"result": {"success": False, "error": "503", "completions": []}}
    states = [state("i1", "A"), state("i2", "B"), state("i1", "B", **harmed), failed]
    name = {"name": "exact_match", "split": "test"}
    stats = [
        {"name": name, "count": 2, "sum_squared": 1, "mean": mean},
        {"name": name | harmed, "count": 2, "sum_squared": 1, "mean": 0.25},
        {"name": name, "count": 0, "sum_squared": 0},
    ]
    return [
        put_json(folder / "scenario_state.json", {"adapter_spec": {}, "request_states": states}),
        put_json(
            folder / "per_instance_stats.json",
            [verdict("i1", 1), verdict("i2", 0), verdict("i1", 0, **harmed)],
        ),
        put_json(folder / "stats.json", stats),
        put_json(
            folder / "run_spec.json",
            {"name": "mcqa:model=f", "scenario_spec": {}, "adapter_spec": {}, "metric_specs": []},
        ),
    ]


def test_helm_leaves_out_what_is_perturbed(tmp_path: Path) -> None:
    paths = helm_run(tmp_path / "run", 0.5)
    found = replies(*paths)
    assert [(one.item_id, one.text, one.status) for one in found] == [
        ("i1", " A", "ok"),
        ("i2", " B", "ok"),
        ("i3", None, "infra_error"),
    ]
    assert found[0].references == ("red",)
    assert found[0].options == ("red", "blue")
    assert [one.value for one in numbers(*paths)] == [0.5]
    assert faults(entries(*paths)) == []
    assert len(faults(entries(*helm_run(tmp_path / "off", 1.0)))) == 1


def test_helm_without_its_states_is_refused(tmp_path: Path) -> None:
    _, *rest = helm_run(tmp_path / "run", 0.5)
    with pytest.raises(ValueError, match=r"has no scenario_state\.json"):
        entries(*rest)


def test_live_code_bench_draws_keep_reply_and_code(tmp_path: Path) -> None:
    rows = [
        {
            "question_id": f"q{i}",
            "question_content": "Sort.",
            "contest_date": "2023-08-21T00:00:00",
            "output_list": ["Here: x", "Here: y"],
            "code_list": ["x", "y"],
            "graded_list": [i == 0, True],
            "pass@1": (1 + (i == 0)) / 2,
        }
        for i in range(2)
    ]
    path = put_json(tmp_path / "finch" / "eval_all.json", rows)
    found = replies(path)
    assert [(one.item_id, one.draw, one.said["graded"]) for one in found] == [
        ("q0", 0, 1.0),
        ("q0", 1, 1.0),
        ("q1", 0, 0.0),
        ("q1", 1, 1.0),
    ]
    assert (found[1].text, found[1].columns["code"]) == ("Here: y", "y")
    assert found[0].item_columns["contest_month"] == "2023-08"
    assert [one.value for one in numbers(path)] == [0.75]
    assert faults(entries(path)) == []


def test_live_code_bench_with_fewer_texts_than_grades(tmp_path: Path) -> None:
    row = {"question_id": "q", "code_list": [], "output_list": [], "graded_list": [True]}
    (one,) = replies(put_json(tmp_path / "finch" / "all.json", [row]))
    assert (one.text, one.status) == (None, "infra_error")


def test_deep_eval_metrics_are_verdicts(tmp_path: Path) -> None:
    metrics = [{"name": "Relevancy", "score": 0.8, "evaluationModel": "owl-judge"}]
    case = {
        "name": "t1",
        "input": "Hello?",
        "actualOutput": "Hello.",
        "metricsData": metrics,
        "trace": {"metricsData": metrics * 3},
    }
    silent = {"order": 1, "input": "Hello?", "metricsData": None}
    path = put_json(tmp_path / "run.json", {"testCases": [case, silent], "metricsScores": []})
    first, second = replies(path)
    assert (first.item_id, first.said) == ("t1", {"Relevancy": 0.8})
    assert first.columns == {"graded_by": "owl-judge"}
    assert (second.item_id, second.status, second.said) == ("1", "infra_error", {})
