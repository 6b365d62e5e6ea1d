"""A frozen contract with results cannot be changed in place, and the refusal says what changed."""

import json
import os

import pytest

from eval_pipeline.contracts.digest import Pinned, canonical
from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.contracts.pinned import identified, pinned
from eval_pipeline.contracts.registry import (
    ContractChangedError,
    Recorded,
    check_identity,
    next_version,
    read_lock,
    record_identity,
)
from eval_pipeline_tests.contracts.project import (
    ITEMS,
    JUDGED,
    WORDS,
    parsed,
    write,
    write_items,
)


def refusal(root, text: str) -> str:
    changed = parsed(root, text)
    with pytest.raises(ContractChangedError) as caught:
        check_identity(root, changed)
    return str(caught.value)


def test_an_identity_is_recorded_once_and_then_stands(root):
    contract = parsed(root)
    found = record_identity(root, contract)
    first = root.contracts_lock.read_bytes()
    assert found == identified(root, contract) == check_identity(root, contract)
    assert record_identity(root, contract) == found
    assert root.contracts_lock.read_bytes() == first


def test_the_lock_is_sorted_one_line_a_contract_version_and_checks_itself(root):
    for text in (WORDS.replace("version: 1", "version: 10"), WORDS, JUDGED):
        record_identity(root, parsed(root, text))
    lines = [json.loads(line) for line in root.contracts_lock.read_text().splitlines()]
    assert [(line["contract"], line["version"]) for line in lines] == [
        ("replies", 1),
        ("words", 1),
        ("words", 10),
    ]
    assert list(lines[0]) == ["contract", "version", "identity", "form"]
    assert list(read_lock(root)) == [("replies", 1), ("words", 1), ("words", 10)]


def test_comments_order_and_status_may_change_after_results(root):
    found = record_identity(root, parsed(root))
    text = "# said anew\n" + WORDS.replace("status: frozen   # said aloud\n", "")
    assert check_identity(root, parsed(root, text)) == found


def test_a_silent_edit_is_refused_with_the_field_that_differs(root):
    record_identity(root, parsed(root))
    assert refusal(root, WORDS.replace("margin: 0.02", "margin: 0.05")) == (
        "contract words v1 was changed after results were recorded: restore it or add v2 "
        "(decision.margin was 0.02 and is 0.05)"
    )


def test_many_changes_are_counted(root):
    record_identity(root, parsed(root))
    text = (
        WORDS.replace("margin: 0.02", "margin: 0.05")
        .replace("seed: 7", "seed: 8, multiplicity: bh")
        .replace("few_shot: 0", "few_shot: 2")
        .replace("timeout: wrong", "timeout: exclude")
        .replace("slices: [operation]", "slices: []")
        .replace("top_p: 0.95, ", "")
    )
    assert refusal(root, text) == (
        "contract words v1 was changed after results were recorded: restore it or add v2 "
        "(decision.margin was 0.02 and is 0.05; decoding.top_p was 0.95 and is 1; "
        'failures.timeout was "wrong" and is "exclude"; prompt.few_shot was 0 and is 2; '
        'statistics.multiplicity was "holm" and is "bh"; and 2 more)'
    )


def test_changed_items_and_prompts_are_refused_as_well(root):
    contract = parsed(root)
    record_identity(root, contract)
    write_items(root, ITEMS[:1])
    write(root, "prompts/plain.txt", "Q: {question}")
    with pytest.raises(ContractChangedError) as caught:
        check_identity(root, contract)
    assert str(caught.value) == (
        "contract words v1 was changed after results were recorded: restore it or add v2 "
        "(items.jsonl differs; the prompt template differs)"
    )


def test_the_version_to_add_is_the_first_free_one(root):
    record_identity(root, parsed(root))
    write(root, "contracts/words/v7.yaml", "anything")
    assert next_version(root, "words") == 8
    assert next_version(root, "new") == 1
    assert "or add v8" in refusal(root, WORDS.replace("margin: 0.02", "margin: 0.05"))


def test_a_draft_is_never_recorded_and_free_to_change(root):
    draft = parsed(root, WORDS.replace("status: frozen", "status: draft"))
    record_identity(root, draft)
    assert not root.contracts_lock.exists()
    edited = WORDS.replace("status: frozen", "status: draft").replace("0.02", "0.05")
    check_identity(root, parsed(root, edited))


def test_a_contract_with_results_cannot_become_a_draft_again(root):
    record_identity(root, parsed(root))
    assert refusal(root, WORDS.replace("status: frozen", "status: draft")) == (
        "contract words v1 has recorded results and cannot be a draft: "
        "write status: frozen, or add v2"
    )


def test_a_lost_lock_frees_nothing_that_the_warehouse_remembers(root):
    contract = parsed(root)
    found = identified(root, contract)
    form = json.loads(canonical(contract, pinned(root, contract)))
    known = Recorded("words", 1, found, form)
    assert check_identity(root, contract, in_warehouse=known) == found
    changed = parsed(root, WORDS.replace("margin: 0.02", "margin: 0.05"))
    with pytest.raises(ContractChangedError, match=r"decision\.margin was 0\.02 and is 0\.05"):
        check_identity(root, changed, in_warehouse=known)


def test_digests_come_from_the_caller_where_it_keeps_them(root):
    contract = parsed(root)
    asked = []

    def digest(path):
        asked.append(path.relative_to(root.path).as_posix())
        return "f" * 64

    check_identity(root, contract, digest, {})
    assert asked == ["benchmarks/words/v1/items.jsonl", "prompts/plain.txt"]
    assert pinned(root, contract, digest) == Pinned("f" * 64, "f" * 64)


def test_a_pinned_file_that_is_gone_is_named(root):
    contract = parsed(root)
    (root.path / "prompts/plain.txt").unlink()
    with pytest.raises(ValueError, match=r"^contract words/v1 pins prompts/plain\.txt, which is "):
        identified(root, contract)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda line: line[:-10], "is no record ("),
        (lambda line: "<<<<<<< ours\n" + line, "is no record ("),
        (lambda line: line.replace("0.02", "0.05"), "identity is not the digest of its form"),
        (lambda line: line + line, "words v1 stands twice"),
        (lambda line: '{"contract": "words"}\n', "its keys are not contract, version"),
        (lambda line: line.replace('"version":1,"id', '"version":true,"id'), "another type"),
    ],
)
def test_a_lock_that_was_edited_is_refused(root, spoil, said):
    contract = parsed(root)
    record_identity(root, contract)
    root.contracts_lock.write_text(spoil(root.contracts_lock.read_text()))
    with pytest.raises(ContractFaults) as caught:
        check_identity(root, contract)
    assert said in str(caught.value)
    assert str(caught.value).startswith("contracts/contracts.lock:")
    assert str(caught.value).endswith("; restore the file from version control")


def test_an_identity_of_a_later_release_is_not_mistaken_for_a_change(root):
    contract = parsed(root)
    record_identity(root, contract)
    later = root.contracts_lock.read_text().replace('"c1:', '"c7:')
    root.contracts_lock.write_text(later)
    with pytest.raises(ValueError, match="use the release that recorded it"):
        check_identity(root, contract)


def test_a_write_that_fails_leaves_the_lock_as_it_was(root, monkeypatch):
    record_identity(root, parsed(root))
    before = root.contracts_lock.read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("eval_pipeline.contracts.writing.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        record_identity(root, parsed(root, JUDGED))
    assert root.contracts_lock.read_bytes() == before
    assert [path.name for path in root.contracts.iterdir() if path.is_file()] == ["contracts.lock"]


def test_a_contract_is_loaded_the_same_after_it_was_recorded(root):
    record_identity(root, parsed(root))
    load_contract(root, root.contract_file("words", 1))


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_a_lock_or_items_that_are_no_plain_file_are_refused_and_never_waited_for(root, kind):
    contract = parsed(root)

    def put(path):
        path.unlink(missing_ok=True)
        os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")

    put(root.contracts_lock)
    with pytest.raises(ContractFaults, match=r"contracts\.lock: is no plain file; restore"):
        read_lock(root)
    put(root.items("words@1"))
    with pytest.raises(ValueError, match="which is a link, a folder or a pipe"):
        pinned(root, contract)
