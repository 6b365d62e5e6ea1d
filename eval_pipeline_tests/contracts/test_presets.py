"""A preset is merged before anything is checked, and faults in it name its own file."""

import pytest
import yaml

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.pinned import identified
from eval_pipeline.lab.contracts import PRESETS
from eval_pipeline.verification.registry import EXTRACTIONS, VERIFIERS
from eval_pipeline_tests.contracts.project import WORDS, write, write_project

PRESET = """\
evaluator: {kind: verifier, reason: answers are numbers, uncovered: the explanation}
verification: {verifier: numeric@1, extraction: last_number@1, options: {thousands: ",", tail: x}}
decision:
  rule: superior
  margin: 0.5
  guardrails: [{metric: timeout_rate, at_most: 0.1}]
"""
SHORT = "\n".join(
    line for line in WORDS.splitlines() if not line.startswith(("evaluator", "verification"))
)
EXTENDING = SHORT + "\nextends: presets/numeric@1\n"


@pytest.fixture(autouse=True)
def preset(root):
    write(root, "contracts/presets/numeric@1.yaml", PRESET)


def message(root, text: str) -> str:
    with pytest.raises(ContractFaults) as caught:
        load_contract(root, write_project(root, text))
    return str(caught.value)


def test_mappings_merge_key_by_key_and_the_contract_wins(root):
    text = EXTENDING + "verification: {options: {thousands: '.'}}\n"
    contract = load_contract(root, write_project(root, text)).contract
    assert contract.verification.model_dump(exclude_none=True) == {
        "verifier": "numeric@1",
        "extraction": "last_number@1",
        "options": {"thousands": ".", "tail": "x"},
    }
    assert contract.decision.rule == "non_inferior"
    assert contract.decision.margin == 0.02


def test_lists_are_replaced_as_a_whole(root):
    contract = load_contract(root, write_project(root, EXTENDING)).contract
    assert [rail.metric for rail in contract.decision.guardrails] == ["refusal_rate"]


def test_an_expanded_contract_has_the_identity_of_one_written_out(root):
    written_out = SHORT + "\n" + "\n".join(PRESET.splitlines()[:2]) + "\n"
    whole = load_contract(root, write_project(root, written_out)).contract
    extending = load_contract(root, write_project(root, EXTENDING)).contract
    assert identified(root, extending) == identified(root, whole)


def test_null_in_the_contract_leaves_the_section_of_the_preset_out(root):
    write(root, "contracts/presets/numeric@1.yaml", PRESET + "contamination: {corpora: [web@1]}\n")
    with_it = load_contract(root, write_project(root, EXTENDING)).contract
    without = load_contract(root, write_project(root, EXTENDING + "contamination:\n")).contract
    assert with_it.contamination is not None
    assert without.contamination is None


def test_unknown_in_the_contract_replaces_the_section_of_the_preset(root):
    text = EXTENDING.replace(
        "decision:\n  rule: non_inferior\n  margin: 0.02\n"
        "  guardrails: [{metric: refusal_rate, at_most: 0.05}]",
        "decision: {unknown: published without one}",
    )
    contract = load_contract(root, write_project(root, text)).contract
    assert contract.decision.unknown == "published without one"


def test_each_value_knows_the_file_and_line_that_it_came_from(root):
    loaded = load_contract(root, write_project(root, EXTENDING))
    assert loaded.lines["verification.verifier"] == ("contracts/presets/numeric@1.yaml", 2)
    assert loaded.lines["decision.margin"] == ("contracts/words/v1.yaml", 27)


def test_a_fault_in_a_preset_names_the_preset(root):
    write(root, "contracts/presets/numeric@1.yaml", PRESET.replace("numeric@1", "numeric"))
    assert message(root, EXTENDING) == (
        "contracts/presets/numeric@1.yaml:2: verification.verifier: "
        "is 'numeric', which is not a name with a version; write it as name@1"
    )


def test_a_fault_that_the_contract_overrides_is_still_said_once(root):
    write(root, "contracts/presets/numeric@1.yaml", PRESET.replace("margin: 0.5", "margin: 0_5"))
    assert message(root, EXTENDING) == (
        "contracts/presets/numeric@1.yaml:5: decision.margin: '0_5' is a number to some readers "
        "and text to others; quote it, or write the number in plain decimals"
    )


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (
            "presets/numerc@1",
            "names 'presets/numerc@1', which is not there; did you mean presets/numeric@1?",
        ),
        (
            "presets/numeric",
            "is 'presets/numeric', which is no preset; "
            "preset 'numeric' has no version: write it as name@1",
        ),
        ("numeric@1", "is 'numeric@1', which is no preset; write it as presets/name@1"),
        ("[presets/numeric@1]", "is a list, which is no preset; write it as presets/name@1"),
        (
            "presets/../words/v1@1",
            "is 'presets/../words/v1@1', which is no preset; preset name '../words/v1' is refused: "
            "use letters, digits and . _ @ + -, starting with a letter or digit, "
            "at most 128 characters",
        ),
    ],
)
def test_a_preset_that_is_not_there_is_named_with_the_nearest(root, reference, said):
    text = WORDS + f"extends: {reference}\n"
    assert message(root, text) == f"contracts/words/v1.yaml:33: extends: {said}"


def test_a_preset_may_not_name_a_contract_or_extend_another(root):
    write(root, "contracts/presets/numeric@1.yaml", "version: 3\nextends: presets/x@1\n" + PRESET)
    assert message(root, EXTENDING) == (
        "contracts/presets/numeric@1.yaml:1: version: may not stand in a preset; take it out\n"
        "contracts/presets/numeric@1.yaml:2: extends: may not stand in a preset; take it out"
    )


def test_an_empty_or_linked_preset_is_refused(root):
    path = write(root, "contracts/presets/numeric@1.yaml", "# nothing\n")
    assert "numeric@1.yaml:1: holds no sections; write sections of a contract" in message(
        root, EXTENDING
    )
    target = path.rename(path.with_name("other"))
    path.symlink_to(target)
    assert "numeric@1.yaml: is a symbolic link; put the file itself there" in message(
        root, EXTENDING
    )


@pytest.mark.parametrize("name", ["numeric_answer@2", "tested_code@2"])
def test_the_newest_presets_name_the_newest_instruments(name):
    asked = yaml.safe_load(PRESETS[name])["verification"]
    for kind, known in (("verifier", VERIFIERS), ("extraction", EXTRACTIONS)):
        instrument, _, version = asked[kind].partition("@")
        there = [one.partition("@") for one in known]
        newest = max(int(number) for found, _, number in there if found == instrument)
        assert int(version) >= newest


def test_a_reply_that_nobody_can_decide_counts_as_one_without_an_answer_unless_it_is_said(root):
    said = load_contract(root, write_project(root, EXTENDING)).contract.failures
    assert said.undecided is None
    assert said.handling()["undecided"] == said.parser_failure
    text = EXTENDING.replace("parser_failure: wrong", "parser_failure: wrong\n  undecided: exclude")
    assert text != EXTENDING
    said = load_contract(root, write_project(root, text)).contract.failures
    assert (said.handling()["parser_failure"], said.handling()["undecided"]) == (
        "wrong",
        "exclude",
    )
