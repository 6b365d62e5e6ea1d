"""Perplexity, bits per byte, and when a likelihood is storage."""

import math
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.likelihood.formula_bits import (
    bits_per_byte,
    bits_per_character,
    corpus_perplexity,
    document_totals,
    masked_perplexity,
    perplexity,
    perplexity_from_nats,
    text_sizes,
    uniform_nats,
)
from eval_pipeline.metrics.likelihood.formula_memorisation import memorisation_alarm


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=30))
def test_perplexity_is_the_inverse_geometric_mean(p):
    inverse = math.prod(p) ** (-1 / len(p))
    assert perplexity(p) == pytest.approx(inverse, rel=1e-9)
    nll = [-math.log(x) for x in p]
    assert masked_perplexity(nll, [True] * len(p)) == pytest.approx(inverse, rel=1e-9)


def test_a_uniform_guess_has_the_vocabulary_as_perplexity():
    assert perplexity_from_nats(uniform_nats(50257)) == pytest.approx(50257)
    assert perplexity([1 / 8] * 3) == pytest.approx(8)


def test_the_mask_decides_and_may_hide_what_is_undefined():
    assert masked_perplexity([None, math.log(4)], [False, True]) == pytest.approx(4)
    assert masked_perplexity([9.0, math.log(4)], [False, True]) == pytest.approx(4)


@pytest.mark.parametrize(
    ("nll", "mask", "complaint"),
    [
        ([1.0], [False], "the mask of token_nll keeps no token"),
        ([0.0], [True, False], "token_nll has 1 tokens and its mask 2"),
        ([None, 1.0], [True, True], r"token_nll\[0\] is undefined, but its mask keeps it"),
        ([-0.5], [True], r"token_nll\[0\] is -0\.5: it must be a finite number of at least 0"),
        ([1.0], [1], r"mask\[0\] is 1: give true or false"),
        ([], [], "token_nll is empty"),
        ([float("inf")], [True], r"token_nll\[0\] is inf"),
    ],
)
def test_bad_tokens_are_named(nll, mask, complaint):
    with pytest.raises(ValueError, match=complaint):
        masked_perplexity(nll, mask)


@pytest.mark.parametrize("p", [[0.5, 0.0], [0.5, 1.1], [True], []])
def test_a_probability_of_0_or_none_has_no_perplexity(p):
    with pytest.raises(ValueError, match="token_probs"):
        perplexity(p)


@pytest.mark.parametrize("nats", [-1.0, float("nan"), 800.0, True, None])
def test_nats_without_a_finite_perplexity_are_refused(nats):
    with pytest.raises(ValueError, match="mean_nll"):
        perplexity_from_nats(nats)


def test_pooled_tokens_and_the_mean_of_documents_differ():
    found = corpus_perplexity([[1.0, 1.0], [3.0] * 6])
    assert found.token_pooled == pytest.approx(math.exp(2.5))
    assert found.mean_of_documents == pytest.approx((math.e + math.exp(3)) / 2)
    assert (found.n_documents, found.n_tokens) == (2, 8)


def test_masks_of_documents_are_kept_apart():
    totals = document_totals([[1.0, 2.0], [4.0]], [[True, False], [True]])
    assert totals.tolist() == [[1.0, 1.0], [4.0, 1.0]]
    with pytest.raises(ValueError, match=r"documents\[1\] has 1 tokens and its mask 2"):
        document_totals([[1.0], [4.0]], [[True], [True, False]])
    with pytest.raises(ValueError, match="2 of documents, 1 of masks"):
        document_totals([[1.0], [4.0]], [[True]])
    with pytest.raises(ValueError, match="documents is empty"):
        corpus_perplexity([])


def test_bits_per_byte_depend_on_the_bytes_that_the_model_was_given():
    text = "naïve café"
    composed, apart = (bits_per_byte(text, 8.0, unicode_form=form) for form in ("NFC", "NFD"))
    assert (composed.n_bytes, composed.n_characters) == (12, 10)
    assert (apart.n_bytes, apart.n_characters) == (14, 12)
    assert composed.bits_per_byte == pytest.approx(8 / math.log(2) / 12)
    assert composed.bits_per_character == pytest.approx(bits_per_character(8, 10))
    assert (apart.unicode_form, apart.special) == ("NFD", "neither")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5), st.sampled_from(["NFC", "NFKD"]))
def test_sizes_are_those_of_the_formed_text(texts, form):
    expected = [
        (len(unicodedata.normalize(form, t).encode()), len(unicodedata.normalize(form, t)))
        for t in texts
    ]
    np.testing.assert_array_equal(text_sizes(texts, form), expected)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: bits_per_byte("", 1.0), "bytes must be above 0"),
        (lambda: bits_per_byte("a", -1.0), "nats"),
        (lambda: bits_per_byte("a", 1.0, unicode_form="nfc"), "unicode_form is 'nfc': use as_is"),
        (lambda: bits_per_byte("a", 1.0, special="EOS"), "special is 'EOS': use neither"),
        (lambda: bits_per_byte("a\ud800", 1.0), r"text\[0\] holds half a character .* at 1"),
        (lambda: bits_per_byte(b"a", 1.0), r"text\[0\] is b'a': give a text"),
        (lambda: bits_per_character(1.0, 0), "characters must be above 0"),
        (lambda: bits_per_character(True, 2), "nats"),
        (lambda: uniform_nats(0), "vocabulary must be at least 1"),
    ],
)
def test_bad_texts_and_sizes_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


ALARM = {"flagged": ("contaminated", "short_exact")}


def test_near_certainty_on_contaminated_items_is_storage():
    verdicts = ["contaminated", "clean", "short_exact", "contaminated", "review"]
    found = memorisation_alarm([0.99, 0.4, 0.95, 0.3, 0.2], verdicts, **ALARM)
    assert found.alarmed == (0, 2)
    assert (found.n_flagged, found.n_clean, found.n_unsettled) == (3, 1, 1)
    assert (found.share_flagged, found.share_clean) == (pytest.approx(2 / 3), 0.0)
    assert not found.reportable
    assert found.reason == (
        "2 of 3 contaminated items have a likelihood of 0.9 or more: storage, not quality"
    )


def test_near_certainty_on_clean_items_may_be_reported():
    found = memorisation_alarm([0.99, 0.2], ["clean", "contaminated"], **ALARM)
    assert found.reportable
    assert found.reason is None
    assert math.isnan(memorisation_alarm([0.5], ["clean"], **ALARM).share_flagged)


def test_what_no_verdict_settles_is_not_reported():
    found = memorisation_alarm([0.99, 0.2], ["untestable", "clean"], **ALARM)
    assert not found.reportable
    assert "1 items have a likelihood of 0.9 or more and no settled verdict" in found.reason


@pytest.mark.parametrize(
    ("p", "verdicts", "more", "complaint"),
    [
        ([1.2], ["clean"], {}, r"likelihoods\[0\] is 1\.2"),
        ([0.5], ["clean", "clean"], {}, "1 of likelihoods, 2 of verdicts"),
        ([0.5], [None], {}, r"verdicts\[0\] is None"),
        ([0.5], ["clean"], {"flagged": ()}, "name the verdicts that mean contaminated"),
        ([0.5], ["clean"], {"near_one": 2}, "near_one"),
    ],
)
def test_a_bad_alarm_is_refused(p, verdicts, more, complaint):
    with pytest.raises(ValueError, match=complaint):
        memorisation_alarm(p, verdicts, **(ALARM | more))
