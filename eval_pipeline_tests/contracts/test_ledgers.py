"""Acceptances and retirements are lines in files of their own, and change no identity."""

from datetime import date

import pytest

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.ledgers import (
    Acceptance,
    accept,
    read_accepted,
    read_retired,
    reference_for,
)
from eval_pipeline.contracts.pinned import identified
from eval_pipeline_tests.contracts.project import WORDS, parsed, write

DAY = date(2026, 2, 1)
ORDER = ["a", "b", "c", "d"]


def accepted(*names: str, contract: str = "words", version: int = 1) -> list[Acceptance]:
    return [
        Acceptance(contract=contract, version=version, checkpoint=name, date=DAY, by="me")
        for name in names
    ]


def test_accepting_adds_a_line_and_changes_no_identity(root):
    contract = parsed(root)
    before = identified(root, contract)
    assert accept(root, "words", 1, "tern@step1", "Ada (release 7)", DAY)
    assert accept(root, "words", 1, "1e3", 'he said "yes": #1', date(2026, 2, 2))
    assert root.accepted.read_text() == (
        "# Which checkpoints were accepted, and by whom: one line each, added by `accept`.\n"
        '- {contract: "words", version: 1, checkpoint: "tern@step1", date: 2026-02-01, '
        'by: "Ada (release 7)"}\n'
        '- {contract: "words", version: 1, checkpoint: "1e3", date: 2026-02-02, '
        'by: "he said \\"yes\\": #1"}\n'
    )
    assert [one.checkpoint for one in read_accepted(root)] == ["tern@step1", "1e3"]
    assert identified(root, contract) == before


def test_accepting_twice_changes_nothing(root):
    assert accept(root, "words", 1, "a", "me", DAY)
    before = root.accepted.read_bytes()
    assert not accept(root, "words", 1, "a", "somebody else", date(2026, 3, 1))
    assert root.accepted.read_bytes() == before


def test_what_people_wrote_in_the_file_stays(root):
    text = "# ours\n- contract: words # by hand\n  version: 1\n  checkpoint: a\n" + (
        "  date: 2026-01-01\n  by: me"
    )
    write(root, "contracts/accepted.yaml", text)
    assert accept(root, "words", 1, "b", "mé", DAY)
    assert root.accepted.read_text().startswith(text + "\n- {contract")
    assert [one.checkpoint for one in read_accepted(root)] == ["a", "b"]


def test_a_file_in_another_style_is_refused_rather_than_broken(root):
    write(root, "contracts/accepted.yaml", "[]\n")
    with pytest.raises(ContractFaults):
        accept(root, "words", 1, "b", "me", DAY)
    assert root.accepted.read_text() == "[]\n"


def test_names_and_hands_that_cannot_stand_in_the_file_are_refused(root):
    with pytest.raises(ValueError, match="checkpoint"):
        accept(root, "words", 1, "a b", "me", DAY)
    with pytest.raises(ValueError, match="one line of printable text"):
        accept(root, "words", 1, "a", "me\nand you", DAY)
    assert not root.accepted.exists()


def test_a_line_that_cannot_be_read_stops_the_search_for_a_reference(root):
    write(root, "contracts/accepted.yaml", "- {contract: words, version: '1', checkpoint: a}\n")
    with pytest.raises(ContractFaults) as caught:
        read_accepted(root)
    assert str(caught.value) == (
        "contracts/accepted.yaml:1: [0].by: is missing; say who or what accepted it\n"
        "contracts/accepted.yaml:1: [0].date: is missing; give the day\n"
        "contracts/accepted.yaml:1: [0].version: must be a whole number, not '1'; "
        "take the quotes away"
    )


def test_files_that_are_not_there_or_empty_hold_nothing(root):
    assert read_accepted(root) == ()
    assert read_retired(root) == ((), ())
    write(root, "contracts/retired.yaml", "# none\n")
    assert read_retired(root) == ((), ())


def test_one_bad_retirement_brings_none_back_to_life(root):
    parsed(root)
    write(
        root,
        "contracts/retired.yaml",
        "- {contract: words, version: 1, reason: x, date: 2026-02-01}\n- {contract: no}\n- 5\n",
    )
    retired, faults = read_retired(root)
    assert [(one.contract, one.version) for one in retired] == [("words", 1)]
    assert [fault.line for fault in faults] == [2, 3]


def test_a_mapping_where_a_list_belongs_is_said(root):
    write(root, "contracts/retired.yaml", "contract: words\n")
    assert [str(fault) for fault in read_retired(root)[1]] == [
        "contracts/retired.yaml:1: must be a list, not a mapping; begin each entry with `- `"
    ]


@pytest.mark.parametrize(
    ("checkpoint", "passed", "reference"),
    [
        ("a", [], None),
        ("a", ["a", "b"], None),
        ("b", [], "a"),
        ("d", [], "a"),
        ("d", ["b"], "b"),
        ("d", ["c", "b"], "c"),
        ("c", ["c", "d", "b"], "b"),
        ("b", ["c"], "a"),
        ("c", ["elsewhere"], "elsewhere"),  # accepted, and no target any more: never another
    ],
)
def test_the_last_accepted_before_the_checkpoint_is_the_reference(
    root, checkpoint, passed, reference
):
    assert reference_for(parsed(root), checkpoint, ORDER, accepted(*passed)) == reference


def test_acceptance_under_another_version_does_not_count(root):
    others = [*accepted("c", version=2), *accepted("c", contract="other")]
    assert reference_for(parsed(root), "d", ORDER, others) == "a"


def test_a_named_reference_is_held_against_everything_but_itself(root):
    contract = parsed(root, WORDS.replace("last_accepted", "heron@base"))
    assert reference_for(contract, "a", ORDER, accepted("b")) == "heron@base"
    assert reference_for(contract, "heron@base", ORDER, []) is None


def test_a_checkpoint_that_is_no_target_has_no_reference(root):
    with pytest.raises(ValueError, match=r"^x is no target of words/v1"):
        reference_for(parsed(root), "x", ORDER, [])
