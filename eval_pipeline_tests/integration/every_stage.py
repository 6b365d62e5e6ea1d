"""A root of two small contracts that together ask for every stage of the chain.

`sums` is verified and searched for leaks, `talks` is judged: by recorded votes, on probes, on
sentinels, and by scores of a live judge, whose replies are kept once it has been asked.
"""

import json
from dataclasses import asdict
from pathlib import Path

from eval_pipeline.judging.probes.writing import write_probes
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.integration import across_checkpoints, three_contracts
from eval_pipeline_tests.integration.roots import json_lines, write_items
from eval_pipeline_tests.judging.asking.endpoint import Answer, Request, said

TRIED = """\
    - {name: marks, family: oak, source: openai, form: pointwise, model: marks-1,
       prompt: reply_rubric@1, decoding: {temperature: 0, max_tokens: 200}}
  probes: [tricks]
  sentinels: 8
  annotations: [truths]
  truth: label
"""
OPTIONS = "  options: {pattern: gsm8k}\n"  # of the verification, the last of its lines
SEARCHED = "contamination: {corpora: [web@1], fields: [question]}\n"


def every_stage(folder: Path) -> DataRoot:
    """The root; the live judge has been asked nothing yet."""
    root = DataRoot(folder / "data")
    metrics = ("ece_event", "robustness_drop")
    contract = across_checkpoints.text(draws=2, metrics=metrics, more=SEARCHED)
    contract = contract.replace(
        OPTIONS, f"{OPTIONS}  recorded: {{field: passed, grader: nobody}}\n"
    )
    pair = ("owl@1", "elk@3")
    across_checkpoints.write_across(root, contract, 2, pair, [pair])
    corpus = root.corpus("web@1")
    corpus.mkdir(parents=True)
    (corpus / "shard.jsonl").write_text(json_lines(three_contracts.documents()), encoding="utf-8")
    _write_talks(root)
    return root


def scores(request: Request) -> Answer:
    """What the live judge says of every reply."""
    return said(json.dumps({"reasoning": "x", "scores": {"helpful": 5, "accurate": 4, "clear": 3}}))


def _write_talks(root: DataRoot) -> None:
    judges = "  judges: [{name: arbiter, family: oak}]\n"
    listed = "  judges:\n    - {name: arbiter, family: oak}\n" + TRIED
    three_contracts.write_contract(root, "talks", {judges: listed})
    items = three_contracts.talk_items()
    write_items(root, "talks@1", items)
    for day, name in enumerate(three_contracts.CHECKPOINTS, start=11):
        answers = {"talks.jsonl": three_contracts.TALK}
        three_contracts.land_answers(root, name, f"2026-01-{day}", files=answers)
    votes = three_contracts.vote_rows()
    replies = {item["item_id"]: f"Water plant {i}. Then wait." for i, item in enumerate(items)}
    probes = write_probes(replies, 4, seed=1)
    said_of = [
        {"probe": probe.name, "shown_first": first, "verdict": "original"}
        for probe in probes
        for first in ("original", "variant")
    ]
    lines = [{"probe": probe.name, **asdict(probe)} for probe in probes]
    about = ("item_id", "model_a", "model_b")
    labels = [
        {**{key: vote[key] for key in about}, "rater": "key", "label": "model_a"}
        for vote in votes
        if vote["shown_first"] == vote["model_a"]
    ]
    written = {
        root.annotations("truths"): labels,
        root.judgments("arbiter", "talks", "late"): votes,
        root.sentinels("arbiter", "talks") / "2026-02-01.jsonl": votes[:16],
        root.probes("tricks"): [{k: v for k, v in row.items() if k != "name"} for row in lines],
        root.probe_votes("arbiter", "tricks"): said_of,
    }
    for path, rows in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json_lines(rows), encoding="utf-8")
    prompt = root.judge_prompt("reply_rubric@1")
    prompt.parent.mkdir(parents=True)
    prompt.write_bytes((PROJECT / "data/prompts/judges/reply_rubric/v1.yaml").read_bytes())
