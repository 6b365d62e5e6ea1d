"""Canaries: found letter by letter, and attributed to an item only where they are its own."""

import pytest

from eval_pipeline.contamination.search.canary import (
    EVERY_ITEM,
    CanaryScanner,
    canaries_of,
    texts_of,
)

GUID = "1c9d2f4e-0a3b-4c5d-8e6f-7a8b9c0d1e2f"
OTHER = "aaaaaaaa-0a3b-4c5d-8e6f-7a8b9c0d1e2f"


def test_a_declared_canary_belongs_to_the_benchmark():
    assert canaries_of([GUID], [("a", "no canary")]) == {GUID: EVERY_ITEM}
    assert canaries_of(["zebra-quartz-oboe-71"], [("a", "zebra-quartz-oboe-71")]) == {
        "zebra-quartz-oboe-71": "a"
    }


def test_items_name_their_own_canaries():
    texts = [
        ("a", f"canary GUID {OTHER.upper()}"),
        ("a", f"Canary: {GUID}"),
        ("b", f"CANARY {GUID}"),
    ]
    assert canaries_of([], texts) == {OTHER: "a", GUID: EVERY_ITEM}
    assert canaries_of([], [("a", f"an id {GUID}")]) == {}


def test_a_canary_that_is_not_unique_is_refused():
    with pytest.raises(ValueError, match="'canary' is too short"):
        canaries_of(["canary"], [])


def test_canaries_are_found():
    scanner = CanaryScanner({GUID: EVERY_ITEM, "zebra-quartz-oboe-71": "a"})
    text = f"x {GUID.upper()} y {GUID} zebra-quartz-oboe-71"
    assert scanner.scan(text) == [
        (EVERY_ITEM, GUID, 2),
        ("a", "zebra-quartz-oboe-71", text.index("zebra")),
    ]
    assert scanner.scan(f"{OTHER} ZEBRA-quartz-oboe-71") == []


def test_every_text_of_an_item_is_looked_at():
    row = {"item_id": "a", "question": "q", "answer": None, "test": "t", "extra": '{"note": 1}'}
    assert texts_of([row]) == [("a", "q"), ("a", "t"), ("a", '{"note": 1}')]
