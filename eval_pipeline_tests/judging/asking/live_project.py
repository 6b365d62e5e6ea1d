"""A small project whose judges are asked live, and a run of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.orchestration.stage import UnfinishedError
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.integration.roots import json_lines, land, write_items

ITEMS = 30
STAGES = (
    "contract", "items", "generations", "pair_plan", "judge_votes", "judge_scores",
    "awaited_votes", "judge_audits", "judge_licences", "pair_outcomes",
)  # fmt: skip
CONTRACT = """\
contract: talks
version: 1
status: frozen
question:
  text: Which reply is preferred?
  primary_endpoint: {metric: win_rate}
targets: {families: [ash], reference: early}
task: {benchmark: talks@1, population: requests, slices: [topic]}
prompt: {unknown: replies only}
decoding: {unknown: replies only}
budget: {draws_per_item: 1}
unit: {of_analysis: item}
aggregation: {over_draws: unbiased, over_items: micro}
failures: {parser_failure: wrong, model_refusal: wrong, timeout: wrong,
  permission_denied: wrong, infra_error: exclude, invalid_sample: exclude}
decision: {rule: superior, confidence: 0.95}
evaluator: {kind: judge, reason: no reference exists, uncovered: facts}
statistics: {replicates: 100, seed: 4}
pairing: {anchors: [early]}
judging:
  judges:
    - {name: owl, family: owl, source: openai, model: owl-1, prompt: better_reply@1,
       decoding: {temperature: 0, max_tokens: 200}}
  repeats: 2
  bars: {flip_excess: 0.15}
metrics: [{name: win_rate}]
length_control: {baseline: early}
"""
MARKS = """\
    - {name: marks, family: owl, source: openai, form: pointwise, model: owl-1,
       prompt: reply_rubric@1, decoding: {temperature: 0, max_tokens: 200}}
"""


def live_root(folder: Path, contract: str = CONTRACT, items: int = ITEMS) -> DataRoot:
    """Two checkpoints; `late` writes more, and refuses one item."""
    root = DataRoot(folder / "data")
    for name in ("better_reply", "reply_rubric"):
        path = root.judge_prompt(f"{name}@1")
        path.parent.mkdir(parents=True, exist_ok=True)
        source = PROJECT / "data" / "prompts" / "judges" / name / "v1.yaml"
        path.write_bytes(source.read_bytes())
    names = [f"i{i:03d}" for i in range(items)]
    write_items(
        root,
        "talks@1",
        [
            {"item_id": n, "question": f"Tell of {n}.", "answer": "42", "topic": n[-1]}
            for n in names
        ],
    )
    for day, model in enumerate(("early", "late"), 1):
        rows = [
            {"item_id": n, "draw": 0, "text": f"Of {n}" + ", at length" * (day - 1)} for n in names
        ]
        if model == "late":
            rows[0] = {"item_id": names[0], "draw": 0, "text": "No.", "status": "model_refusal"}
        land(root, model, "ash", f"2026-01-0{day}", {"talks.jsonl": json_lines(rows)})
    write_contract(root, contract)
    return root


def write_contract(root: DataRoot, text: str, version: int = 1) -> None:
    path = root.contract_file("talks", version)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("version: 1\n", f"version: {version}\n"), encoding="utf-8")


def run_live(root: DataRoot, stages: Sequence[str] = STAGES) -> tuple[Evaluation, list[str]]:
    """Runs the stages, up to the outcomes; what could not be finished, a line each."""
    evaluation = Evaluation(root, settings_from_environment(), "test")
    unfinished = []
    with evaluation.exclusive():
        assert not evaluation.world.faults, evaluation.world.faults
        for stage in stages:
            for one in evaluation.plan().cells:
                if one.cell.stage == stage and one.runs:
                    try:
                        evaluation.run_cell(one.cell)
                    except UnfinishedError as error:
                        unfinished.append(str(error))
    return evaluation, unfinished


def digests(root: DataRoot) -> Mapping[str, str | None]:
    """Output digest of every table that was published."""
    evaluation = Evaluation(root, settings_from_environment(), "test")
    return {str(place): r.digest for place, r in evaluation.warehouse.standing().items()}
