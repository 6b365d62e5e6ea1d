"""Sketches: the kernel against its plain twin, and both against what they estimate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.contamination.comparing import shingle_jaccard
from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.groups import components
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.near_duplicates import minhash
from eval_pipeline.contamination.near_duplicates.banding import (
    CORPORA,
    Banding,
    candidates,
    meeting_probability,
)
from eval_pipeline.contamination.near_duplicates.minhash import SHINGLE
from eval_pipeline.contamination.near_duplicates.pairs import (
    Documents,
    Lookup,
    near_duplicates,
)
from eval_pipeline.contamination.near_duplicates.rows import hidden_shingles
from eval_pipeline.contamination.near_duplicates.sketches import (
    NOTHING,
    exact_jaccard,
    hashed,
    hashes_of,
    keys_of,
    sketched,
)
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import TEXT
from eval_pipeline.contamination.text.word_hash import word_hash

words = st.sampled_from(
    ["a", "bc", "Don't", "ﬁn", "日本", "ＦＵＬＬ", "㌖", "ﷺ", "é", "x" * 70, "한글", "\u00ad"]
)
PINNED = [16564140118419528741, 883009988355184682]
PINNED_SKETCH = [4043855914, 4043855914, 1479629861, 1479629861]
odd_text = st.one_of(st.text(max_size=30), st.lists(words, max_size=25).map(" ".join))


@settings(max_examples=60, deadline=None)
@given(st.lists(odd_text, min_size=1, max_size=6))
def test_the_kernel_says_what_its_plain_twin_says(texts: list[str]) -> None:
    fast, plain = hashed(texts, fast=True), hashed(texts, fast=False)
    np.testing.assert_array_equal(fast.words, plain.words)
    np.testing.assert_array_equal(fast.starts, plain.starts)
    for kind in ("one", "k"):
        sketches = sketched(fast, kind, 16, fast=True)
        np.testing.assert_array_equal(sketches, sketched(plain, kind, 16, fast=False))
        banding = Banding(4, 4)
        keys = [keys_of(sketches, banding, fast=fast) for fast in (True, False)]
        np.testing.assert_array_equal(*keys)
    left, right = (i.ravel() for i in np.meshgrid(range(len(texts)), range(len(texts))))
    out = hashes_of([" ".join(TEXT.words(text)[:SHINGLE]) for text in texts[::2]])
    for hidden in (NOTHING, out):
        exact = [
            exact_jaccard(fast, fast, left, right, hidden=hidden, fast=way) for way in (False, True)
        ]
        np.testing.assert_array_equal(*exact)
    exact = [exact_jaccard(fast, fast, left, right, fast=way) for way in (True, False)]
    np.testing.assert_array_equal(*exact)
    expected = [
        shingle_jaccard(texts[i], texts[j]).jaccard for i, j in zip(left, right, strict=True)
    ]
    np.testing.assert_array_equal(exact[0], expected)


def texts_alike(share: float, size: int, rng: np.random.Generator) -> tuple[str, str, float]:
    numbers = [f"w{n}" for n in rng.integers(0, 10**9, size)]
    other = list(numbers)
    first = int(size * share)
    other[first:] = [f"v{n}" for n in rng.integers(0, 10**9, size - first)]
    a, b = " ".join(numbers), " ".join(other)
    return a, b, shingle_jaccard(a, b).jaccard


@pytest.mark.parametrize("kind", ["one", "k"])
@pytest.mark.parametrize("size", [30, 400])
def test_the_estimate_has_no_bias_and_the_spread_of_theory(kind: str, size: int) -> None:
    rng, errors, spread = np.random.default_rng(8), [], []
    for _ in range(150):
        a, b, true = texts_alike(float(rng.uniform(0.5, 0.95)), size, rng)
        x, y = sketched(hashed([a, b]), kind, 128)
        errors.append(np.mean(x == y) - true)
        spread.append(true * (1 - true) / 128)
    expected = np.sqrt(np.mean(spread))
    assert abs(np.mean(errors)) < 4 * expected / np.sqrt(150)
    assert np.std(errors) < 1.5 * expected  # densified sketches of short texts are noisier


TEMPLATE = " ".join(f"t{n}" for n in range(120))


def of_template(rng: np.random.Generator, count: int, size: int = 30) -> list[str]:
    return [" ".join(f"w{n}" for n in rng.integers(0, 10**9, size)) for _ in range(count)]


def test_a_template_makes_no_two_texts_alike_and_hides_none_that_are() -> None:
    questions = of_template(np.random.default_rng(5), 12)
    questions[7] = f"{questions[3]} more"
    texts = [f"{TEMPLATE} {question}" for question in questions]
    assert len(near_duplicates(texts, 0.5)) == 66
    made = masked_entries(entries_of([Field(str(n), "q", t) for n, t in enumerate(texts)]))
    hidden = hidden_shingles(made)["q"]
    for fast in (True, False):
        found = near_duplicates(texts, 0.5, hidden=hidden, fast=fast)
        assert list(zip(found.left, found.right, strict=True)) == [(3, 7)]
        assert found.jaccard[0] > 0.9
    documents = [
        questions[0],
        texts[1],
        TEMPLATE,
        f"{TEMPLATE} {of_template(np.random.default_rng(7), 1)[0]}",
    ]
    found = Lookup(texts, 0.5, hidden).find(Documents.of(documents))
    assert list(zip(found.left, found.right, strict=True)) == [(0, 0), (1, 1)]
    assert (found.jaccard == 1).all()


def test_copies_that_are_all_masked_are_still_alike() -> None:
    question = of_template(np.random.default_rng(6), 1)[0]
    made = masked_entries(entries_of([Field(str(n), "q", question) for n in range(9)]))
    assert not made[0].open
    hidden = hidden_shingles(made)["q"]
    found = near_duplicates([question] * 9, 0.8, hidden=hidden)
    assert len(found) == 36
    assert len(Lookup([question], 0.8, hidden).find(Documents.of([question, "x y"]))) == 1


def test_pairs_meet_as_often_as_the_curve_says() -> None:
    rng = np.random.default_rng(9)
    banding, met, chance = Banding(8, 4), [], []
    for _ in range(300):
        a, b, true = texts_alike(float(rng.uniform(0.5, 0.9)), 120, rng)
        keys = keys_of(sketched(hashed([a, b]), "k", banding.values), banding)
        met.append(len(candidates(keys)[0]))
        chance.append(float(meeting_probability(true, banding)))
    slack = 4 * np.sqrt(np.sum(np.multiply(chance, np.subtract(1, chance))))
    assert abs(np.sum(met) - np.sum(chance)) < slack


def test_near_duplicates_are_those_of_all_pairs() -> None:
    rng = np.random.default_rng(10)
    texts = [t for _ in range(60) for t in texts_alike(float(rng.uniform(0.6, 1)), 80, rng)[:2]]
    texts += ["", "  ", "?!"]
    true = {
        (i, j)
        for i in range(len(texts))
        for j in range(i + 1, len(texts))
        if shingle_jaccard(texts[i], texts[j]).jaccard >= 0.8
    }
    found = near_duplicates(texts)
    assert set(zip(found.left.tolist(), found.right.tolist(), strict=True)) == true
    slow = near_duplicates(texts, fast=False)
    np.testing.assert_array_equal(found.left, slow.left)
    np.testing.assert_array_equal(found.jaccard, slow.jaccard)
    many = near_duplicates(texts, banding=CORPORA, kind="one")
    assert len(many) >= 0.9 * len(true)
    assert set(zip(many.left.tolist(), many.right.tolist(), strict=True)) <= true
    clusters = found.clusters(len(texts))
    assert all(clusters[i] == clusters[j] for i, j in true)
    seen = Lookup(texts[:60], 0.8).find(Documents.of(texts[60:] + texts[:60]))
    assert {(i, i + len(texts) - 60) for i in range(60)} <= set(
        zip(seen.left.tolist(), seen.right.tolist(), strict=True)
    )


def test_boilerplate_costs_linear_work_and_stays_one_group() -> None:
    left, right, _ = candidates(np.zeros((500, 1), dtype=np.uint64))
    assert len(left) < 1000
    assert set(components(500, left.tolist(), right.tolist())) == {0}


def test_constants_never_change() -> None:
    """Sketches lie in caches: another value would compare the old with the new."""
    words = [word_hash(word) for word in ("one", "two", "three", "four")]
    hashes = minhash.shingle_hashes(words, 3)
    assert hashes == PINNED
    assert minhash.one_permutation(hashes, 4) == PINNED_SKETCH


@pytest.mark.parametrize("least", [-0.1, 1.1, True])
def test_a_jaccard_outside_its_range_is_refused(least: float) -> None:
    with pytest.raises(ValueError, match="least Jaccard"):
        near_duplicates(["a", "b"], least)


@pytest.mark.parametrize(("bands", "rows"), [(0, 4), (4, -1), (True, 4), (2.0, 3)])
def test_an_impossible_banding_is_refused(bands: int, rows: int) -> None:
    with pytest.raises(ValueError, match=r"must be (a whole number|at least 1), got"):
        Banding(bands, rows)


def test_what_is_no_likeness_or_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"likeness 1 is 1\.5"):
        meeting_probability([0.5, 1.5], Banding(2, 2))
    with pytest.raises(ValueError, match="n must be"):
        shingle_jaccard("a", "b", 0)
    with pytest.raises(ValueError, match="text 1 is None"):
        hashed(["a", None])  # type: ignore[list-item]  # what a null looks like
