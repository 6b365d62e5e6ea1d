"""Items are taken whole or refused with every fault of every line."""

import hashlib
import json

import pytest

from eval_pipeline.contracts.faults import ItemFaults
from eval_pipeline.contracts.items import read_items
from eval_pipeline_tests.contracts.project import ITEMS, WORDS, parsed, write, write_items

PLACE = "benchmarks/words/v1/items.jsonl"
PLAIN = WORDS.replace("unit: {clustered_by: template_id}", "unit: {}").replace("[operation]", "[]")


def refused(root, content, text: str = PLAIN) -> list[str]:
    contract = parsed(root, text)
    if isinstance(content, list):
        write_items(root, content)
    else:
        write(root, PLACE, content)
    with pytest.raises(ItemFaults) as caught:
        read_items(root, contract)
    return str(caught.value).split("\n")


def test_items_are_sorted_with_cluster_slices_and_the_rest_in_extra(root):
    items = read_items(root, parsed(root))
    first, second = items.table.to_pylist()
    assert first == {
        "item_id": "w-1",
        "cluster_id": "t2",
        "question": "Three times two?",
        "answer": "6",
        "options": None,
        "entry_point": None,
        "test": None,
        "slices": [("operation", "multiply")],
        "extra": '{"source": {"page": 3}}',
    }
    assert second["item_id"] == "w-2"
    assert second["extra"] is None
    assert items.extra_keys == ("source",)


def test_the_evidence_is_the_bytes_that_were_read(root):
    contract = parsed(root)
    raw = (root.path / PLACE).read_bytes()
    file = read_items(root, contract).file
    assert (file.path, file.sha256, file.bytes) == (
        PLACE,
        hashlib.sha256(raw).hexdigest(),
        len(raw),
    )


def test_code_and_choice_items_have_columns_of_their_own(root):
    contract = parsed(root, PLAIN)
    write_items(
        root,
        [
            {"item_id": "c", "prompt": "def f():", "entry_point": "f", "test": "assert f()"},
            {"item_id": "m", "question": "Which?", "answer": "B", "options": ["x", "y"]},
        ],
    )
    code, choice = read_items(root, contract).table.to_pylist()
    assert (code["question"], code["entry_point"], code["test"]) == ("def f():", "f", "assert f()")
    assert (choice["options"], choice["answer"], choice["cluster_id"]) == (["x", "y"], "B", "m")


def test_marks_line_ends_and_odd_separators_change_nothing(root):
    contract = parsed(root)
    plain = read_items(root, contract).table
    raw = (root.path / PLACE).read_bytes()
    write(root, PLACE, b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n\r\n").rstrip())
    assert read_items(root, contract).table.equals(plain)
    odd = [{**ITEMS[0], "question": "one\u2028two\x85three\u000bfour"}]
    write(root, PLACE, json.dumps(odd[0], ensure_ascii=False))
    assert read_items(root, contract).table.to_pylist()[0]["question"] == odd[0]["question"]


def test_numbers_and_truths_name_clusters_and_slices_as_json_writes_them(root):
    contract = parsed(root)
    write_items(root, [{**ITEMS[0], "template_id": 7, "operation": True}])
    (item,) = read_items(root, contract).table.to_pylist()
    assert (item["cluster_id"], item["slices"]) == ("7", [("operation", "true")])


def test_every_fault_of_every_line_is_said_at_once(root):
    lines = [
        '{"item_id": "a", "question": "q", "answer": 42}',
        '{"item_id": "a", "question": " "}',
        '{"item_id": 7, "question": "q", "entry_point": "f"}',
        '{"question": "q", "prompt": "p", "options": ["x"]}',
        '{"item_id": "b", "item_id": "c", "question": "q"}',
        '{"item_id": "d", "question": NaN}',
        '["item_id"]',
        '{"item_id": "e", "question": "\\ud800"}',
        '{"item_id": "f", "quest',
    ]
    raw = "\n".join(lines).encode() + b'\n{"item_id": "\xff"}\n'
    mend = "mend the line or take it out"
    assert refused(root, raw) == [
        f'{PLACE}:1: answer: must be text, not 42; quote it: "42"',
        f"{PLACE}:2: item_id: is 'a', as in line 1; give each item a name of its own",
        f"{PLACE}:2: question: is empty; write some text, or take the item out",
        f'{PLACE}:3: item_id: must be text, not 7; quote it: "7"',
        f"{PLACE}:3: test: is missing; write it as text",
        f"{PLACE}:4: item_id: is missing; write it as text",
        f"{PLACE}:4: options: has 1 choices; give two or more",
        f"{PLACE}:4: prompt: stands beside question; keep one of them",
        f"{PLACE}:5: gives the key 'item_id' twice; {mend}",
        f"{PLACE}:6: holds NaN, which is not a number of JSON; {mend}",
        f"{PLACE}:7: holds a list where an object is needed; {mend}",
        f"{PLACE}:8: holds half a surrogate pair; {mend}",
        f"{PLACE}:9: is not JSON (Unterminated string starting at, column 18); {mend}",
        f"{PLACE}:10: byte 13 of the line is not UTF-8; {mend}",
    ]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_items_is_refused(root, content):
    assert refused(root, content) == [f"{PLACE}: holds no items; write one JSON object a line"]


def test_a_column_that_no_item_has_is_a_fault_of_the_contract_said_once(root):
    text = (
        WORDS.replace("clustered_by: template_id", "clustered_by: templateid")
        .replace("[operation]", "[operation, size]")
        .replace("statistics:", "contamination: {corpora: [w@1], fields: [answr]}\nstatistics:")
    )
    assert refused(root, list(ITEMS), text) == [
        "contracts/words/v1.yaml: contamination.fields: names 'answr', which no item has; "
        "did you mean answer?",
        "contracts/words/v1.yaml: task.slices: names 'size', which no item has; "
        "use one of answer, item_id, operation, question, source, template_id",
        "contracts/words/v1.yaml: unit.clustered_by: names 'templateid', which no item has; "
        "did you mean template_id?",
    ]


def test_a_metric_that_reads_what_no_item_has_is_refused_with_the_key(root):
    text = WORDS.replace("{name: majority_vote, k: 8}", "{name: brier_sum}")
    assert refused(root, list(ITEMS), text) == [
        "contracts/words/v1.yaml: metrics[1].name: is brier_sum, which reads items.options, and no "
        "item has it; add options to the items, or take brier_sum out"
    ]


def test_an_item_without_its_cluster_or_slice_is_refused_and_never_grouped(root):
    content = [{**ITEMS[0], "template_id": None}, {**ITEMS[1], "operation": 0.5}]
    missing = "is missing, and the contract groups items by it; write it as text"
    assert refused(root, content, WORDS) == [
        f"{PLACE}:1: template_id: {missing}",
        f"{PLACE}:2: operation: must be text, a whole number, true or false, not 0.5; "
        "write it as text",
    ]


def test_chance_needs_the_options_of_every_item(root):
    text = PLAIN.replace("numeric@1", "choice@1").replace("timeout: wrong", "timeout: chance")
    assert refused(root, [{**ITEMS[0], "options": ["x", "y"]}, ITEMS[1]], text) == [
        f"{PLACE}:2: options: is missing, and the contract counts failures as chance; "
        "list the choices, or let the contract count no failure as chance"
    ]


def test_control_characters_in_names_are_refused(root):
    (said,) = refused(root, [{**ITEMS[0], "item_id": "a\x1b[2J"}])
    assert said == (f"{PLACE}:1: item_id: is 'a\\x1b[2J'; leave control characters out of names")


def test_a_benchmark_that_is_gone_is_named(root):
    contract = parsed(root)
    (root.path / PLACE).unlink()
    with pytest.raises(ItemFaults, match=r"items\.jsonl: cannot be read \(No such file"):
        read_items(root, contract)
