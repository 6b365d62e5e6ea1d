"""Which parts of an item are searched for."""

import pytest

from eval_pipeline.contamination.text.fields import Field, fields_of
from eval_pipeline.contamination.text.normalise import CODE, TEXT

ITEMS = [
    {"item_id": "b", "question": "Why?", "answer": None, "extra": '{"rationale": "so", "n": 3}'},
    {"item_id": "a", "question": "How?", "answer": "thus", "options": ["x", "y"], "extra": None},
]


def test_parts_are_columns_or_keys_of_extra():
    fields = fields_of(ITEMS, ["rationale", "question", "answer", "options", "n"])
    assert [(f.item_id, f.name, f.text) for f in fields] == [
        ("a", "answer", "thus"),
        ("a", "n", None),
        ("a", "options", "x\ny"),
        ("a", "question", "How?"),
        ("a", "rationale", None),
        ("b", "answer", None),
        ("b", "n", "3"),
        ("b", "options", None),
        ("b", "question", "Why?"),
        ("b", "rationale", "so"),
    ]


def test_a_part_that_no_item_has_is_named_with_those_there_are():
    with pytest.raises(ValueError, match=r"no item has 'rationnale'.*question.*n, rationale"):
        fields_of(ITEMS, ["question", "rationnale"])


def test_kinds_follow_from_names():
    kinds = {name: Field("i", name, "").kind for name in ("question", "answer", "test", "passage")}
    assert kinds == {"question": "text", "answer": "answer", "test": "code", "passage": "source"}
    assert Field("i", "canonical_solution", "").normaliser is CODE
    assert Field("i", "rationale", "").normaliser is TEXT
