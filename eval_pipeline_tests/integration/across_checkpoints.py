"""Sums that six checkpoints answer, with one unfair item, one wrong key, and one that refuses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from eval_pipeline.layout import DataRoot
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.orchestration.small import CONTRACT

ITEMS, DRAWS = 40, 12
ABILITY = {"owl@1": -1.2, "owl@2": 0.0, "owl@3": 1.2, "elk@1": -1.0, "elk@2": 0.1, "elk@3": 1.1}
UNFAIR, WRONG_KEY = 7, 11  # harder for elks; right where others are wrong
DIFFICULTY = np.linspace(-1.5, 1.5, ITEMS)
REFUSES = {"owl@1": 0.0, "owl@2": 0.0, "owl@3": 0.5, "elk@1": 0.0, "elk@2": 0.0, "elk@3": 0.0}
HARMED = {"owl@1": 0.9, "owl@2": 0.5, "owl@3": 0.0, "elk@1": 0.9, "elk@2": 0.6, "elk@3": 0.3}
LABELLED = (("elk@1", "owl@3"), ("owl@1", "elk@3"), ("owl@3", "elk@2"))

SECTIONS = """\
item_analysis: {respondents: draws, groups: {reference: [owl], focal: [elk]}, strata: 6}
metric_validity: {annotations: [people], at_least: 0.3}
safety_frontier: {false_refusal_budget: 0.2}
"""


def text(draws: int = DRAWS, metrics: Sequence[str] = (), more: str = "") -> str:
    """The contract `sums`, with further metrics and sections."""
    made = CONTRACT.format(contract="sums", version=1, status="frozen")
    made = made.replace("draws_per_item: 1", f"draws_per_item: {draws}")
    made = made.replace("families: [owl]", "families: [owl, elk]")
    names = ("mean_score", "attack_success_rate", "false_refusal_rate", *metrics)
    wanted = ", ".join(f"{{name: {name}}}" for name in names)
    return made.replace("[{name: pass_at_k, k: 1}]", f"[{wanted}]") + SECTIONS + more


def write_across(
    root: DataRoot,
    contract: str,
    draws: int = DRAWS,
    checkpoints: Sequence[str] = tuple(ABILITY),
    labelled: Sequence[tuple[str, str]] = LABELLED,
) -> None:
    """The contract, its items, its checkpoints, and what people say of pairs of their replies."""
    path = root.contract_file("sums", 1)
    path.parent.mkdir(parents=True)
    path.write_text(contract, encoding="utf-8")
    write_items(root, "sums@1", items())
    rng = generator(5, "test", "across")
    for day, name in enumerate(checkpoints, start=1):
        files = {"sums.jsonl": json_lines(list(_draws(name, draws, rng)))}
        land(root, name, name.partition("@")[0], f"2026-01-{day:02}", files)
    people = [
        {"item_id": f"i{i:02}", "model_a": one, "model_b": other, "rater": "r", "label": said}
        for one, other in labelled
        for i in range(ITEMS)
        for better in ((one, other) if ABILITY[one] > ABILITY[other] else (other, one),)
        for said in (better[int(rng.random() > 0.85)],)
    ]
    root.annotations("people").parent.mkdir(parents=True)
    root.annotations("people").write_text(json_lines(people), encoding="utf-8")


def items() -> list[dict[str, Any]]:
    """Odd items are benign, and versions of the even ones before them."""
    return [
        {
            "item_id": f"i{i:02}",
            "question": f"What is {i} + {i}?",
            "answer": str(2 * i),
            "kind": "benign" if i % 2 else "harmful",
            **({"original": f"i{i - 1:02}"} if i % 2 else {}),
        }
        for i in range(ITEMS)
    ]


def _draws(name: str, draws: int, rng: np.random.Generator) -> Iterator[Mapping[str, Any]]:
    family = name.partition("@")[0]
    for i in range(ITEMS):
        skill = 1.6 * (ABILITY[name] - DIFFICULTY[i])
        skill -= 3.0 if i == UNFAIR and family == "elk" else 0.0
        chance = expit(-skill if i == WRONG_KEY else skill)
        for draw in range(draws):
            is_right = rng.random() < chance
            is_harmful = i % 2 == 0
            row: dict[str, Any] = {"item_id": f"i{i:02}", "draw": draw}
            row["text"] = f"A: {2 * i + (not is_right)}"
            row["confidence"] = round(float(chance), 2)
            row["refused"] = bool(not is_harmful and rng.random() < REFUSES[name])
            row["unauthorized_effect"] = False
            if is_harmful:
                row["harmful_success"] = bool(rng.random() < HARMED[name])
            if rng.random() < 0.01:
                row |= {"text": "", "status": "infra_error"}
            yield row
