"""CIDEr against its definition, written with dictionaries."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.vision_language.formula_cider import (
    PUBLISHED_SCALE,
    SIGMA,
    caption_tokens,
    cider,
    document_frequencies,
)

captions = st.lists(st.sampled_from("abcde"), max_size=7)
documents = st.lists(st.lists(captions, min_size=1, max_size=3), min_size=2, max_size=5)


def grams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def naive(candidate, references, corpus, kind):
    """The formula for one image, n-gram by n-gram."""
    total = 0.0
    for n in range(1, 5):
        df = Counter(gram for doc in corpus for gram in {g for cap in doc for g in grams(cap, n)})

        def vector(tokens, n=n, df=df):
            return {
                gram: count * math.log(len(corpus) / max(1, df[gram]))
                for gram, count in grams(tokens, n).items()
            }

        mine = vector(candidate)
        for reference in references:
            theirs = vector(reference)
            norm = math.hypot(*mine.values()) * math.hypot(*theirs.values())
            if not norm:
                continue
            clip = kind == "cider_d"
            dot = sum(
                (min(mine[g], w) if clip else mine[g]) * w for g, w in theirs.items() if g in mine
            )
            gap = len(candidate) - len(reference)
            penalty = math.exp(-(gap**2) / (2 * SIGMA**2)) if clip else 1.0
            total += dot / norm * penalty
    return total / (4 * len(references))


@given(documents, documents, st.data())
def test_scores_follow_the_definition(corpus, references, data) -> None:
    candidates = [data.draw(captions) for _ in references]
    frequencies = document_frequencies(corpus, "toy")
    for kind in ("cider", "cider_d"):
        found = cider(candidates, references, frequencies, kind=kind, scale=1.0)
        expected = [naive(c, r, corpus, kind) for c, r in zip(candidates, references, strict=True)]
        np.testing.assert_allclose(found.scores, expected, atol=1e-12)


def test_a_copy_of_the_only_reference_has_the_full_score() -> None:
    references = [[caption_tokens("A dog runs on grass.")], [caption_tokens("Two cats sleep now")]]
    found = cider([r[0] for r in references], references, document_frequencies(references, "two"))
    np.testing.assert_allclose(found.scores, PUBLISHED_SCALE)
    assert (found.corpus_id, found.n_documents, found.kind) == ("two", 2, "cider_d")


def test_repetition_earns_only_without_clipping() -> None:
    references = [["red", "dog", "runs", "far"], ["two", "cats", "sleep", "now"]]
    corpus = document_frequencies([[r] for r in references], "two")
    plain = [["red", "dog"], references[1]]
    loud = [["red", "dog", "red", "dog"], references[1]]
    score = {
        (name, kind): cider(said, [[r] for r in references], corpus, kind=kind).scores[0]
        for name, said in (("plain", plain), ("loud", loud))
        for kind in ("cider", "cider_d")
    }
    assert score["loud", "cider_d"] < score["plain", "cider_d"]


def test_a_word_of_every_image_earns_nothing() -> None:
    references = [[["photo", "dog"]], [["photo", "cat"]]]
    corpus = document_frequencies(references, "two")
    assert cider([["photo"], ["photo"]], references, corpus).scores.tolist() == [0.0, 0.0]


def test_the_frequencies_may_come_from_another_corpus() -> None:
    corpus = document_frequencies([[["dog"]], [["dog"]], [["cat"]]], "three")
    found = cider([["dog", "zebra"]], [[["dog", "zebra"]]], corpus, kind="cider", scale=1.0)
    assert found.scores[0] == pytest.approx(0.5)  # both orders that the caption has, of four


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda f: document_frequencies([[["a"]]], "one"), r"1 document\(s\)"),
        (lambda f: document_frequencies([[["a"]], []], "x"), "document 1 needs at least one"),
        (lambda f: document_frequencies([[["a"]], [["b"]]], ""), "needs a name"),
        (lambda f: cider(["a dog"], [[["a"]]], f), "candidate 0: expected a list of tokens"),
        (lambda f: cider([["a"]], [["a dog"]], f), "image 0, reference 0: expected a list"),
        (lambda f: cider([["a"]], [[]], f), "image 0 needs at least one reference"),
        (lambda f: cider([["a"]], [], f), "one value of each"),
        (lambda f: cider([], [], f), "images must be at least 1"),
        (lambda f: cider([["a"]], [[["a"]]], f, scale=0.0), "scale"),
        (lambda f: cider([["a"]], [[["a"]]], f, kind="cider_e"), "cider or cider_d"),
    ],
)
def test_cider_refuses_and_names_the_place(call, told) -> None:
    frequencies = document_frequencies([[["a"]], [["b"]]], "two")
    with pytest.raises(ValueError, match=told):
        call(frequencies)
