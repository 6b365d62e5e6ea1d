"""YAML is read strictly, with the line of every key, and hostile files are refused."""

import datetime
import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contracts.reading import MAX_BYTES, read_yaml, read_yaml_file


def said(text: str | bytes) -> list[str]:
    raw = text.encode() if isinstance(text, str) else text
    return [str(fault) for fault in read_yaml(raw, "f.yaml").faults]


def test_plain_values_have_the_types_that_they_look_like():
    text = 'a: 1\nb: 1e-3\nc: -.5\nd: true\ne: ~\nf:\ng: 2026-01-05\nh: "no"\ni: a b\nj: -0\nk: 1E4'
    assert read_yaml(text.encode(), "f.yaml").data == {
        "a": 1,
        "b": 0.001,
        "c": -0.5,
        "d": True,
        "e": None,
        "f": None,
        "g": datetime.date(2026, 1, 5),
        "h": "no",
        "i": "a b",
        "j": 0,
        "k": 10000.0,
    }


def test_every_key_and_list_entry_has_its_line():
    document = read_yaml(b"a:\n  b: 1\n  c:\n  - x\n  - {d: 2}\n\nlast: 3\n", "f.yaml")
    assert document.lines == {
        (): 1,
        ("a",): 1,
        ("a", "b"): 2,
        ("a", "c"): 3,
        ("a", "c", 0): 4,
        ("a", "c", 1): 5,
        ("a", "c", 1, "d"): 5,
        ("last",): 7,
    }
    assert document.line_of(("a", "c", 1, "missing")) == 5


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfa: 1\r\nb: two\r\n",
        b"a: 1\nb: two",
        b"# first\n\na: 1 # one\nb: 'two'\n---\n"[:-4],
    ],
)
def test_marks_and_line_ends_change_nothing(text):
    document = read_yaml(text, "f.yaml")
    assert document.data == {"a": 1, "b": "two"}
    assert not document.faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "tools: no",
            "f.yaml:1: tools: no is true or false to some readers and text to others; "
            'quote it ("no"), or write true or false',
        ),
        (
            "a: [x, Off]",
            "f.yaml:1: a[1]: Off is true or false to some readers and text to others; "
            'quote it ("Off"), or write true or false',
        ),
        (
            "a: 1_000",
            "f.yaml:1: a: '1_000' is a number to some readers and text to others; "
            "quote it, or write the number in plain decimals",
        ),
        (
            "a:\n  b: 1\n  b: 2",
            "f.yaml:3: a.b: is given twice, first in line 2; keep one",
        ),
        ("1: x", "f.yaml:1: has the key '1', which is not text; quote it"),
        ("a: .nan", "f.yaml:1: a: .nan is not a finite number; write a number, or quote it"),
        ("a: 1e999", "f.yaml:1: a: '1e999' is too large; write a smaller number"),
        ("a: 2026-02-30", "f.yaml:1: a: 2026-02-30 is not a day of the calendar; correct it"),
        (
            "a: 18446744073709551616",
            "f.yaml:1: a: '18446744073709551616' does not fit into 64 bits; write a smaller number",
        ),
        (
            r'a: "\ud800"',
            "f.yaml:1: a: holds NUL or half a surrogate pair; take the escape out",
        ),
        ("a: !!str 5", "f.yaml:1: a: the tag 'tag:yaml.org,2002:str' is refused; take it out"),
        (
            "a: !!python/object/apply:os.system [ls]",
            "f.yaml:1: a: the tag 'tag:yaml.org,2002:python/object/apply:os.system' is refused; "
            "take it out",
        ),
        ("a: 1\n---\nb: 2", "f.yaml:2: holds a second document; keep one `---`"),
        ("? [1]\n: 2", "f.yaml:1: has a key that is not text; use plain keys"),
        (
            "a:\n- {b: 1\nc: 2",
            "f.yaml:3: is not YAML (while parsing a flow mapping expected ',' or '}', "
            "but got ':'); mend the line or the one above",
        ),
    ],
)
def test_a_fault_says_where_what_and_how_to_mend_it(text, message):
    assert said(text) == [message]


@pytest.mark.parametrize("text", ["010", "0x1f", "0o17", "1:30", "12_3.5", "+1_0", "-0b1"])
def test_numbers_that_readers_disagree_on_are_refused(text):
    document = read_yaml(f"a: {text}".encode(), "f.yaml")
    assert len(document.faults) == 1
    assert document.flawed == {("a",)}


def test_all_faults_are_collected_and_the_rest_is_still_read():
    document = read_yaml(b"a: yes\nb: 1\nb: 2\nc: ok\n", "f.yaml")
    assert [fault.line for fault in document.faults] == [1, 3]
    assert document.data == {"a": "yes", "b": 1, "c": "ok"}


def test_a_key_is_one_key_in_both_unicode_forms():
    assert len(said("é: 1\né: 2")) == 1


@pytest.mark.parametrize("text", ["a: &x 1", "a: [&x 1, *x]", "a: *x", "&x a: 1", "&x\na: 1"])
def test_anchors_and_aliases_are_refused(text):
    document = read_yaml(text.encode(), "f.yaml")
    assert document.data is None
    assert len(document.faults) == 1


def test_an_alias_bomb_is_refused_at_its_first_anchor():
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    assert said("\n".join(lines)) == [
        "f.yaml:1: a0: anchors and aliases are refused; write the value out"
    ]


def test_deep_nesting_is_refused_whatever_its_size():
    assert said("[" * 900_000) == ["f.yaml:1: [0][0][0]: is nested deeper than 24; flatten it"]


def test_a_large_file_is_refused_unread():
    assert said(b"#" * (MAX_BYTES + 1)) == ["f.yaml: is larger than 1000000 bytes; shorten it"]


def test_bytes_that_are_no_text_are_refused_with_their_line():
    assert said(b"a: 1\nb: \xff") == ["f.yaml:2: byte 8 is not UTF-8; save it as UTF-8"]
    assert said(b"a: 1\nb: \x07") == ["f.yaml:2: holds the control character '\\x07'; take it out"]


def test_control_characters_of_a_value_are_escaped_in_messages():
    assert said('"a\\x1b[2J": 1\n"a\\x1b[2J": 2') == [
        "f.yaml:2: 'a\\x1b[2J': is given twice, first in line 1; keep one"
    ]


def test_links_folders_and_absent_files_are_faults(tmp_path: Path):
    (tmp_path / "real.yaml").write_text("a: 1")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "real.yaml")
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    found = {
        name: str(read_yaml_file(tmp_path / f"{name}.yaml", "f.yaml").faults[0])
        for name in ("link", "folder", "pipe", "absent")
    }
    assert found == {
        "link": "f.yaml: is a symbolic link; put the file itself there",
        "folder": "f.yaml: is not a file; put a YAML file there",
        "pipe": "f.yaml: is not a file; put a YAML file there",
        "absent": "f.yaml: cannot be read (No such file or directory); "
        "check that it is there and readable",
    }


scalars = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dates(min_value=datetime.date(1000, 1, 1)),
    # The other library leaves text like 08 and 0E0 unquoted, which is refused or a number here.
    st.text(st.characters(blacklist_categories=["Cs", "Cc", "Nd"]), max_size=8),
)
documents = st.dictionaries(
    st.from_regex(r"[a-m][a-z_]{0,5}", fullmatch=True),
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6),
    max_size=4,
)


@settings(deadline=None)
@given(documents, st.booleans())
def test_what_another_library_writes_is_read_as_it_was(data, flow):
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    document = read_yaml(text.encode(), "f.yaml")
    assert not document.faults
    assert document.data == data


@settings(deadline=None)
@given(st.text(st.sampled_from("ab:- \n{}[]&*!'\"#|>%@`,?~01.\t"), max_size=40))
def test_any_text_is_plain_data_or_a_fault_with_a_line(text):
    document = read_yaml(text.encode(), "f.yaml")
    assert all(fault.line for fault in document.faults)
    json.dumps(document.data, default=datetime.date.isoformat)
