"""What differs between versions, and what can still be held against each other."""

import pytest
from pydantic import BaseModel

from eval_pipeline.contracts.comparability import (
    ACROSS,
    EFFECTS,
    RESULTS,
    Difference,
    comparable,
    diff,
    effect_of,
)
from eval_pipeline.contracts.digest import Pinned
from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.shape import models_in
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.contracts.project import JUDGED, WORDS, parsed

FILES = Pinned("a" * 64, "b" * 64)


def changed(root, old: str, new: str, text: str = WORDS) -> dict[str, str]:
    assert old in text
    return comparable(parsed(root, text), parsed(root, text.replace(old, new)))


def verdicts(found: dict[str, str]) -> dict[str, set[str]]:
    words = {"comparable", "partly", "not comparable"}
    return {
        word: {table for table, said in found.items() if said.split(":")[0] == word}
        for word in words
    }


def test_a_difference_names_field_both_values_and_what_follows(root):
    a = parsed(root)
    b = parsed(root, WORDS.replace("margin: 0.02", "margin: 0.05").replace("k: 8}", "k: 4}"))
    assert diff(a, b) == [
        Difference("decision.margin", 0.02, 0.05, "another rule decides"),
        Difference(
            "metrics",
            [
                {"k": 1, "name": "pass_at_k"},
                {"k": 4, "name": "pass_at_k"},
                {"k": 8, "name": "majority_vote"},
                {"k": 8, "name": "pass_at_k"},
            ],
            [
                {"k": 1, "name": "pass_at_k"},
                {"k": 4, "name": "majority_vote"},
                {"k": 4, "name": "pass_at_k"},
                {"k": 8, "name": "pass_at_k"},
            ],
            "only metrics that both compute",
        ),
    ]


def test_equal_contracts_differ_in_nothing_however_they_are_written(root):
    a, b = parsed(root), parsed(root, WORDS.replace("top_p: 0.95", "top_p: 9.5e-1"))
    assert diff(a, b, FILES, FILES) == []
    assert set(comparable(a, b).values()) == {"comparable"}


def test_another_decision_leaves_the_estimates(root):
    found = verdicts(changed(root, "margin: 0.02", "margin: 0.05"))
    assert found["not comparable"] == {"decisions"}
    assert found["comparable"] == set(RESULTS) - {"decisions"}


def test_another_prompt_or_other_items_leave_nothing(root):
    assert verdicts(changed(root, "few_shot: 0", "few_shot: 4"))["not comparable"] == set(RESULTS)
    contract = parsed(root)
    other = comparable(contract, contract, FILES, Pinned("c" * 64, "b" * 64))
    assert set(other.values()) == {"not comparable: files.items: items.jsonl differs"}


def test_other_clusters_leave_values_but_not_intervals(root):
    found = changed(root, "clustered_by: template_id", "clustered_by: item_id")
    assert found["metric_estimates"] == (
        "partly: unit.clustered_by: values stay, intervals and p-values do not"
    )
    assert found["verifier_scores"] == "comparable"


def test_other_failures_reach_scores_and_all_that_rests_on_them(root):
    found = verdicts(changed(root, "timeout: wrong", "timeout: exclude"))
    assert found["not comparable"] == {
        "verifier_scores",
        "metric_estimates",
        "judge_score_estimates",
        "contamination_delta",
        "paired_comparisons",
        "decisions",
        *ACROSS,
    }


def test_other_bars_leave_the_votes(root):
    found = changed(root, "flip_excess: 0.15", "flip_excess: 0.1", JUDGED)
    assert found["judge_votes"].startswith("partly")
    assert found["judge_licences"].startswith("not comparable")


def test_a_moved_anchor_moves_the_printed_scale_only(root):
    found = verdicts(changed(root, "ranking: {}", "ranking: {anchor: tern@step1}", JUDGED))
    assert found["partly"] == {"ratings"}
    assert not found["not comparable"]


def test_a_section_that_only_one_has_is_a_difference(root):
    found = diff(parsed(root, JUDGED), parsed(root, JUDGED.replace("ranking: {}\n", "")))
    assert [(one.field, one.left, one.right) for one in found] == [
        ("ranking.order_effect", True, None)
    ]


def test_every_field_of_a_contract_has_a_declared_effect():
    for field in _leaves(Contract, ""):
        if field != "status":
            assert effect_of(field).why


def test_effects_name_tables_that_exist_and_fields_that_exist():
    tables = {table for effect in EFFECTS.values() for table in (*effect.breaks, *effect.bends)}
    assert tables <= set(RESULTS) <= set(TABLES)
    fields = set(_leaves(Contract, "")) | {"files.items", "files.template", "files.judge_prompts"}
    for beginning in EFFECTS:
        assert any(f == beginning or f.startswith(f"{beginning}.") for f in fields), beginning


def test_a_field_without_an_effect_is_an_error():
    with pytest.raises(KeyError, match=r"mood\.today: its effect is not declared"):
        effect_of("mood.today")


def _leaves(model: type[BaseModel], above: str) -> list[str]:
    found = []
    for name, info in model.model_fields.items():
        field = f"{above}.{name}" if above else name
        inner = models_in(info.rebuild_annotation())
        found += [leaf for part in inner for leaf in _leaves(part, field)] or [field]
    return found
