"""Freezing changes one word of the file and nothing else."""

import pytest

from eval_pipeline.contracts.faults import ContractFaults, ItemFaults
from eval_pipeline.contracts.freezing import StillGuessedError, freeze, guesses
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.pinned import identified
from eval_pipeline_tests.contracts.project import ITEMS, WORDS, write, write_items, write_project

DRAFT = WORDS.replace("status: frozen", "status: draft")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("status: draft   # said aloud", "status: frozen   # said aloud"),
        ('"status":   "draft"', '"status":   "frozen"'),
        ("status: 'draft'\r", "status: 'frozen'\r"),
        ("status: draft # not status: draft", "status: frozen # not status: draft"),
    ],
)
def test_only_the_status_changes(root, before, after):
    text = DRAFT.replace("status: draft   # said aloud", before)
    path = write_project(root, text)
    draft = load_contract(root, path).contract
    path.chmod(0o640)
    assert freeze(root, "words", 1) == identified(root, draft)
    assert path.read_bytes() == text.replace(before, after).encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert load_contract(root, path).contract.status == "frozen"


def test_guesses_are_listed_and_go_when_they_are_accepted(root):
    marked = DRAFT.replace("status: draft ", "status: draft  # guessed: say it\n# guessed\n#")
    path = write_project(root, marked)
    with pytest.raises(StillGuessedError, match=r"v1.yaml:\d+: status: draft  # guessed: say it\n"):
        freeze(root, "words", 1)
    assert path.read_text() == marked
    accepted = freeze(root, "words", 1, accept_guesses=True)
    assert "guessed" not in path.read_text()
    assert accepted == identified(root, load_contract(root, path).contract)


def test_words_inside_a_value_mark_no_guess():
    content = b'\xef\xbb\xbfa: "x # guessed"  # guessed: really\nb: c# guessed\n'
    assert [(guess.line, guess.text[-8:]) for guess in guesses(content)] == [(1, ": really")]


def test_a_frozen_contract_is_not_frozen_again(root):
    write_project(root)
    with pytest.raises(ValueError, match=r"^contract words/v1 is frozen already$"):
        freeze(root, "words", 1)


def test_a_contract_with_faults_is_not_frozen(root):
    path = write_project(root, DRAFT.replace("margin: 0.02", "margin: 0"))
    before = path.read_bytes()
    with pytest.raises(ContractFaults):
        freeze(root, "words", 1)
    assert path.read_bytes() == before


def test_a_contract_whose_items_have_faults_is_not_frozen(root):
    path = write_project(root, DRAFT)
    before = path.read_bytes()
    write_items(root, [*ITEMS, ITEMS[0]])
    with pytest.raises(ItemFaults):
        freeze(root, "words", 1)
    assert path.read_bytes() == before


def test_a_status_that_cannot_be_found_is_said(root):
    write_project(root, DRAFT)
    write(root, "contracts/words/v1.yaml", DRAFT.replace("status: draft ", "status:\n  draft "))
    with pytest.raises(ValueError, match="write `status: draft` on a line of its own"):
        freeze(root, "words", 1)


def test_a_contract_that_is_not_there_is_said(root):
    write_project(root)
    with pytest.raises(ContractFaults, match=r"words/v4\.yaml: cannot be read \(No such file"):
        freeze(root, "words", 4)
