"""What may surprise in a contract is said, and stops nothing."""

import pytest

from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.remarks import remarks
from eval_pipeline.contracts.targets import CheckpointFacts
from eval_pipeline_tests.contracts.project import JUDGED, WORDS, write_project

LANDED = {
    name: CheckpointFacts(name, family, None, None, None, None, {})
    for name, family in (("tern@step1", "tern"), ("heron@step1", "heron"))
}


def said(root, text: str) -> list[str]:
    return remarks(load_contract(root, write_project(root, text)).contract, LANDED)


def test_a_contract_without_a_surprise_has_no_remark(root):
    assert said(root, WORDS) == said(root, JUDGED) == []


@pytest.mark.parametrize(
    ("old", "new", "remark"),
    [
        (
            "reference: last_accepted",
            "reference: tern@step9",
            "words/v1: targets.reference names 'tern@step9', which no landed checkpoint is "
            "called; did you mean tern@step1 or heron@step1?",
        ),
        (
            "families: [tern, heron]",
            "families: [tern, herron]",
            "words/v1: targets.families names 'herron', a family that no landed checkpoint has; "
            "did you mean heron or tern?",
        ),
        (
            "margin: 0.02",
            "margin: 0.2",
            "words/v1: decision.margin is 0.2, more than a tenth of the range of pass@1 (1)",
        ),
    ],
)
def test_what_may_surprise_is_said(root, old: str, new: str, remark: str):
    (found,) = said(root, WORDS.replace(old, new))
    assert found.startswith(remark)


def test_a_family_is_looked_up_where_no_checkpoint_says_its_own(root):
    text = WORDS.replace("families: [tern, heron]", "families: [herron]")
    contract = load_contract(root, write_project(root, text)).contract
    silent = {"a": CheckpointFacts("a", None, None, None, None, None, {})}
    (found,) = remarks(contract, silent)
    assert found.endswith("a family that no landed checkpoint has; none says its family")


def test_names_in_the_sections_of_judged_pairs_are_looked_up_too(root):
    found = said(root, JUDGED.replace("tern@step1", "tern@stepl"))
    assert [line.split(" names ")[0] for line in found] == [
        "replies/v1: length_control.baseline",
        "replies/v1: pairing.anchors",
    ]


def test_nothing_is_said_of_names_where_nothing_has_landed(root):
    text = WORDS.replace("reference: last_accepted", "reference: tern@step9")
    assert remarks(load_contract(root, write_project(root, text)).contract, {}) == []
