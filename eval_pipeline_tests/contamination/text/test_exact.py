"""Digests of whole texts."""

from eval_pipeline.contamination.comparing import duplicates, same_text
from eval_pipeline.contamination.text.exact import digest


def test_golden_vector(golden_vectors):
    (case,) = [c for c in golden_vectors("instruments.json") if c["instrument"] == "exact_hash"]
    assert same_text(**case["inputs"]) is case["expected"]["equal"]


def test_a_digest_has_128_bits_and_depends_on_order():
    assert len(digest(["a", "b"]) or "") == 32
    assert digest(["a", "b"]) != digest(["b", "a"])
    assert digest(["ab"]) != digest(["a", "b"])


def test_texts_without_words_equal_nothing():
    assert digest([]) is None
    assert not same_text("...", "!!!")
    assert duplicates(["...", "!!!"]) == []


def test_short_texts_are_told_apart(golden_vectors):
    (case,) = [c for c in golden_vectors("bug_cases.jsonl") if c["id"] == "PB143"]
    texts = case["minimal_input"]["texts"]
    assert duplicates(texts) == case["right_behaviour"]["duplicates"]
