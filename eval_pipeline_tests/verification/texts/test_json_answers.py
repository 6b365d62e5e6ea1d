"""JSON in replies: the field that is asked for, agreement of fields, and schemas."""

import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eval_pipeline.metrics.field_extraction.documents import counts_by_field, field_counts
from eval_pipeline.verification.extractions.json_field import JsonField
from eval_pipeline.verification.first.json_field import JsonField as StrictField
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.texts import json_schema
from eval_pipeline.verification.texts.json_fields import JsonFields
from eval_pipeline.verification.texts.json_schema import JsonSchema, check_schema
from eval_pipeline.verification.verdict import Found, Item, Verdict

ITEM = Item("i")


@pytest.mark.parametrize(
    ("field", "reply", "found"),
    [
        ("answer", 'Sure:\n```json\n{"answer": "B"}\n```', Found("B")),
        ("answer", '{"answer": 1} no, {"answer": 2.50}', Found("2.50")),
        ("a.1.b", '{"a": [0, {"b": " x "}]}', Found("x")),
        ("", 'so {"b": 1, "a": [true]} done', Found('{"a":[true],"b":1}')),
        ("a", r'{"a": "\"}{"} and \frac{}{}', Found('"}{')),
        ("a", r'the set {1, 2}, {x} and {"a": 3}', Found("3")),
        ("a", '{"b": 1}', Found(None, "no_field")),
        ("a.9", '{"a": [1]}', Found(None, "no_field")),
        ("a", '{"a": null}', Found(None, "null_field")),
        ("a", '{"a": " "}', Found(None, "empty_field")),
        ("a", "none here", Found(None, "no_json")),
        ("a", "", Found(None, "empty")),
        ("a", '{"a": 1, "a": 2}', Found(None, "duplicate_key")),
        ("a", '{"a": NaN}', Found(None, "not_a_number")),
        ("a", '{"a": 1} then {"a": {"a": 2}, "b', Found(None, "broken_json")),
        ("a", '{"x": {"a": 1}, "x": {"a": 2}}', Found(None, "duplicate_key")),
        ("a", "{'a': 1}", Found(None, "broken_json")),
        ("a", '{"a":' * 5000, Found(None, "too_deep")),
        ("a", "{'" * 20_000, Found(None, "too_many_braces")),
    ],
)
def test_the_last_object_is_whole_or_nothing(field: str, reply: str, found: Found):
    assert JsonField(field=field).extract(reply, ITEM) == found


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (r'"\frac{2}{7}"', r"\frac{2}{7}"),
        (r'"\\frac{2}{7}"', r"\frac{2}{7}"),
        (r'"\pi"', r"\pi"),
        (r'"\sqrt{2}"', r"\sqrt{2}"),
        (r'"\boxed{5}"', r"\boxed{5}"),
        (r'"2\times 3"', r"2\times 3"),
        (r'"\theta"', r"\theta"),
        (r'"\right)"', r"\right)"),
        (r'"\upsilon"', r"\upsilon"),
        (r'"x \neq 2"', r"x \neq 2"),
        (r'"\nu"', r"\nu"),
        (r'"$a = \nu$"', r"$a = \nu$"),
        (r'"$\\frac12$\nu"', "$\\frac12$\nu"),
        (r'"\(x\)"', r"\(x\)"),
        (r'"50\%"', r"50\%"),
        (r'"a\tb\nthen"', "a\tb\nthen"),
        (r'"line\none"', "line\none"),
        (r'"caf\u00e9 \ud83d\ude00"', "caf\u00e9 \U0001f600"),
        (r'"he said \"hi\""', 'he said "hi"'),
        ('"first\nthen"', "first\nthen"),
        ("21,", "21"),
        ("[1, 2,]", "[1,2]"),
        ("2e3", "2e3"),
        ("1.10", "1.10"),
        ("-0", "-0"),
        ("300000000000000000000.5", "300000000000000000000.5"),
        ("9007199254740995", "9007199254740995"),
        ('{"b": 1.0, "a": "\\pi"}', '{"a":"\\\\pi","b":1.0}'),
        ("true", "true"),
        ("[]", "[]"),
    ],
)
def test_json_is_read_as_it_is_meant(said: str, answer: str):
    for reply in (
        f'{{"answer": {said}}}',
        f'So:\n```json\n{{"why": "a\nb", "answer": {said}}}\n```',
    ):
        assert JsonField(field="answer").extract(reply, ITEM).answer == answer


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        (r'{"answer": "a\nu b"}', "doubtful_escape"),
        (r'{"answer": "we go\to it"}', "doubtful_escape"),
        ('{"answer": 1,234}', "broken_json"),
        ('{"answer": 05}', "broken_json"),
        ('{"answer": 1/2}', "broken_json"),
        ('{"answer": 5,,}', "broken_json"),
        ('{"answer": "5', "broken_json"),
        ('{"answer": 5', "broken_json"),
        ('{"answer": [5}', "broken_json"),
        ('{"answer": "he said "hi""}', "broken_json"),
        ('{"answer": 4} then {"answer": 5', "broken_json"),
        ('{"answer": -Infinity}', "not_a_number"),
        ('{"answer": 1e400}', "not_a_number"),
    ],
)
def test_json_that_cannot_be_told_is_no_answer(reply: str, detail: str):
    assert JsonField(field="answer").extract(reply, ITEM) == Found(None, detail)


def test_a_doubtful_escape_beside_the_field_does_not_matter():
    assert JsonField(field="answer").extract(r'{"why": "a\nu b", "answer": 5}', ITEM).answer == "5"


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


LATEX = ("\\b", "\\f", '"\\nu', '"\\ta')  # what is read as LaTeX where JSON has an escape


@example({"\ni": None}, False)
@given(st.dictionaries(st.text(), plain_values, min_size=1, max_size=3), st.booleans())
def test_sound_json_is_read_as_its_standard_has_it(document: dict[str, object], ascii_only: bool):
    reply = f"Here: {json.dumps(document, ensure_ascii=ascii_only)} as asked"
    found = JsonField().extract(reply, ITEM)
    if found.detail != "doubtful_escape" and not any(c in reply for c in LATEX):
        assert found.answer is not None
        assert json.loads(found.answer) == document
        assert found == StrictField().extract(reply, ITEM)


@pytest.mark.parametrize(
    "piece",
    [
        '{"',
        '{"a":',
        '{"a":1',
        '{"a":[',
        "{ ",
        '{"a":1}',
        "[",
        "{}",
        '"',
        '{"a\\',
        '{"a":"b" "',
        "\\nu ",
    ],
)
def test_a_hostile_reply_costs_no_more_than_its_length(piece: str):
    reply = '{"answer": "' * (piece == "\\nu ") + (piece * (200_000 // len(piece) + 1))[:200_000]
    began = time.process_time()
    JsonField(field="answer").extract(reply, ITEM)
    assert time.process_time() - began < 3


def test_a_field_that_means_nothing_is_refused():
    with pytest.raises(ValueError, match="joined by dots"):
        JsonField(field="a..b")


def test_fields_are_counted_leaf_by_leaf():
    counts = field_counts(
        {"a": 1.0, "b": {"c": "X", "d": []}, "e": True}, {"a": 1, "b": {"c": "x", "d": []}, "f": 0}
    )
    assert (counts.said, counts.wanted, counts.right) == (4, 4, 2)
    assert (counts.precision, counts.recall, counts.f1) == (0.5, 0.5, 0.5)
    assert field_counts({"b": "X"}, {"b": "x"}, "casefold").right == 1
    assert field_counts({"a": True}, {"a": 1}).right == 0
    assert field_counts({}, {}).f1 == 1.0


def test_a_field_has_a_precision_and_recall_of_its_own():
    documents = [({"a": 1, "l": [1, 2]}, {"a": 1, "l": [1, 3]}), ({"a": 2}, {"a": 3, "b": 1})]
    counts = counts_by_field(documents)
    assert list(counts) == ["a", "b", "l"]
    assert (counts["a"].precision, counts["b"].recall, counts["l"].f1) == (0.5, 0.0, 0.5)


def judged(verifier: str, options: dict[str, object], answer: str, reply: str) -> Verdict:
    grader = Grader.of(verifier, "json_field@2", options)
    return grader.verdicts([(Item("i", answer=answer), reply)])[0]


@pytest.mark.parametrize(
    ("score", "expected"), [("f1", 0.8), ("precision", 1.0), ("recall", 2 / 3), ("all", 0.0)]
)
def test_agreement_is_the_share_that_is_declared(score: str, expected: float):
    got = judged("json_fields@1", {"score": score}, '{"a":1,"b":2,"c":3}', '{"a":1,"b":2}')
    assert got.score == pytest.approx(expected)
    assert "precision 1.000, recall 0.667" in got.explanation


def test_an_item_without_fields_is_named():
    for answer in ("{}", "[1]", "x", None):
        with pytest.raises(ValueError, match="'i'"):
            JsonFields().check(Item("i", answer=answer))


SCHEMA = {
    "type": "object",
    "required": ["n"],
    "properties": {
        "n": {"type": "integer", "minimum": 0, "multipleOf": 2},
        "s": {"type": ["string", "null"], "pattern": "^(x+)+$", "maxLength": 60},
        "l": {"type": "array", "items": {"enum": [1, "a"]}, "uniqueItems": True, "minItems": 1},
        "o": {"oneOf": [{"type": "integer"}, {"type": "number", "exclusiveMaximum": 5}]},
        "k": {"not": {"const": 3}, "anyOf": [{"type": "number"}, False]},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("reply", "score", "why"),
    [
        ('{"n": 2, "s": "xx", "l": [1, "a"], "o": 1.5, "k": 4}', 1.0, "fits"),
        ('{"n": 2.0, "s": null}', 1.0, "fits"),
        ('{"s": "x"}', 0.0, "$ lacks 'n'"),
        ('{"n": true}', 0.0, "$.n is no integer"),
        ('{"n": -2}', 0.0, "$.n is -2, and minimum is 0"),
        ('{"n": 3}', 0.0, "multipleOf"),
        ('{"n": 2, "x": 1}', 0.0, "$.x is not allowed"),
        ('{"n": 2, "s": "y"}', 0.0, "does not fit the pattern"),
        ('{"n": 2, "l": [1, 1.0]}', 0.0, "twice"),
        ('{"n": 2, "l": [true]}', 0.0, "$.l.0 is true"),
        ('{"n": 2, "l": []}', 0.0, "$.l has 0 values"),
        ('{"n": 2, "o": 3}', 0.0, "fits 2 of the 2 forms"),
        ('{"n": 2, "k": 3}', 0.0, "must not fit"),
    ],
)
def test_a_schema_says_what_breaks_it(reply: str, score: float, why: str):
    got = judged("json_schema@1", {"schema": SCHEMA}, "", reply)
    assert (got.status, got.score) == ("ok", score)
    assert why in got.explanation


def test_a_pattern_that_costs_too_much_is_no_wrong_answer(monkeypatch):
    monkeypatch.setattr(json_schema, "CPU_SECONDS", 0.2)
    reply = '{"n": 2, "s": "' + "x" * 50 + 'y"}'
    got = judged("json_schema@1", {"schema": SCHEMA}, "", reply)
    assert (got.status, got.score, got.detail) == ("timeout", None, "verifier_timeout_cpu")


def test_a_schema_may_be_the_items_own():
    assert judged("json_schema@1", {}, '{"required": ["a"]}', '{"a": 1}').score == 1.0
    with pytest.raises(ValueError, match="item 'i': its answer is no schema"):
        JsonSchema().check(Item("i", answer='{"requires": ["a"]}'))


@pytest.mark.parametrize(
    "schema",
    [
        {"typ": "object"}, {"type": "int"}, {"$ref": "#"}, {"required": "a"}, {"pattern": "("},
        {"properties": {"a": {"minItems": -1}}}, {"minimum": "1"}, {"anyOf": []}, [1],
    ],
)  # fmt: skip
def test_a_keyword_that_is_not_known_is_refused(schema: object):
    with pytest.raises(ValueError, match="schema"):
        check_schema(schema)
