"""BLEU, ROUGE and BERTScore against sacrebleu, rouge-score and their definitions."""

import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.text_overlap.formula_bertscore import bertscore, cosines
from eval_pipeline.metrics.text_overlap.formula_bleu import brevity_penalty, corpus_bleu
from eval_pipeline.metrics.text_overlap.formula_rouge import rouge, rouge_l, rouge_n, rouge_w
from eval_pipeline.metrics.text_overlap.lcs import longest_common, weighted_common
from eval_pipeline.metrics.text_overlap.ngrams import overlaps
from eval_pipeline.metrics.text_overlap.tokens import tokenizer

sacrebleu = pytest.importorskip("sacrebleu.metrics", reason="needs the extra text")
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs the extra text")

words = st.lists(st.sampled_from("abcd"), max_size=9)
pairs = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def replies(reference_data):
    """200 replies of a model, each with the solution that a person wrote."""
    path = reference_data / "math" / "gsm8k_openai_solutions.parquet"
    if not path.is_file():
        pytest.skip(f"reference data are absent: {path}")
    rows = pq.read_table(path, columns=["completion", "ground_truth"]).slice(0, 200)
    return rows["completion"].to_pylist(), rows["ground_truth"].to_pylist()


@given(
    st.text("ab1.,-&;'\"<>()\t\n\xa0\u2028é$%", max_size=30)
    | st.lists(
        st.sampled_from(["&quot;", "<skipped>", "3.5", "a-b", "1-2", "-", "x.", " ", "-\n"]),
        max_size=12,
    ).map("".join)
)
def test_words_cut_one_by_one_are_those_of_the_whole_text(text):
    whole = sacrebleu.BLEU(tokenize="13a").tokenizer
    assert tokenizer("13a")(text) == str(whole(text.rstrip())).split()


@pytest.mark.parametrize("smoothing", ["none", "exp"])
@pytest.mark.parametrize("tokenize", ["13a", "intl", "char"])
def test_bleu_of_real_replies_is_sacrebleus(replies, smoothing, tokenize):
    said, wanted = replies
    tool = sacrebleu.BLEU(smooth_method=smoothing, tokenize=tokenize)
    theirs = tool.corpus_score(said, [wanted])
    ours = corpus_bleu(said, wanted, smoothing=smoothing, tokenize=tokenize)
    assert ours.score == pytest.approx(theirs.score / 100, abs=1e-12)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    assert [100 * p for p in ours.precisions] == pytest.approx(theirs.precisions)
    assert (ours.candidate_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    assert ours.signature == str(tool.get_signature())


def test_each_real_reply_alone_has_sacrebleus_score(replies):
    said, wanted = (texts[:60] for texts in replies)
    tool = sacrebleu.BLEU(smooth_method="exp", max_ngram_order=3, lowercase=True)
    for one, other in zip(said, wanted, strict=True):
        ours = corpus_bleu([one], [other], max_order=3, smoothing="exp", lowercase=True)
        assert ours.score == pytest.approx(tool.corpus_score([one], [[other]]).score / 100)
    assert "|order:3" in ours.signature
    assert "case:lc" in ours.signature


def test_of_several_references_the_nearest_length_counts(replies):
    said, wanted = replies
    others = [*wanted[1:], wanted[0]]
    theirs = sacrebleu.BLEU().corpus_score(said, [wanted, others])
    ours = corpus_bleu(said, list(zip(wanted, others, strict=True)), smoothing="exp")
    assert ours.score == pytest.approx(theirs.score / 100, abs=1e-12)
    assert ours.reference_length == theirs.ref_len
    assert "nrefs:2" in ours.signature


@pytest.mark.parametrize(("tokens", "stemmed"), [("rouge", False), ("rouge_stemmed", True)])
def test_rouge_of_real_replies_is_rouge_scores(replies, tokens, stemmed):
    said, wanted = replies
    kinds = ["rouge1", "rouge2", "rouge5", "rougeL"]
    tool = rouge_scorer.RougeScorer(kinds, use_stemmer=stemmed)
    ours = rouge(said, wanted, kinds, tokens=tokens)
    for i, (one, other) in enumerate(zip(said, wanted, strict=True)):
        for kind, theirs in tool.score(other, one).items():
            mine = ours[kind]
            got = (mine.precision[i], mine.recall[i], mine.f[i])
            assert got == pytest.approx(tuple(theirs), abs=1e-12)


# words that meet, in scripts and with marks that the tool cuts in its own way
written = st.lists(
    st.sampled_from(
        ["cats", "running", "ran", "Flies", "ELSE", "naïve", "İ", "ﬁne", "ß", "x²", "na\u0308h",
         "42", "don't", "a-b", "_", "東京", "\u2028", "\t", "the", "…"]
    )
    | st.text(max_size=4),
    max_size=10,
).map(" ".join)  # fmt: skip


@given(st.lists(st.tuples(written, written), min_size=1, max_size=4), st.booleans())
def test_rouge_of_any_text_is_rouge_scores(made, stemmed):
    kinds = ["rouge1", "rouge2", "rouge3", "rougeL"]
    tool = rouge_scorer.RougeScorer(kinds, use_stemmer=stemmed)
    tokens = "rouge_stemmed" if stemmed else "rouge"
    cut = tokenizer(tokens)
    made = [(one, other) for one, other in made if cut(other)]  # ours refuses empty references
    if not made:
        return
    ours = rouge([one for one, _ in made], [other for _, other in made], kinds, tokens=tokens)
    for i, (one, other) in enumerate(made):
        for kind, theirs in tool.score(other, one).items():
            got = (ours[kind].precision[i], ours[kind].recall[i], ours[kind].f[i])
            assert got == pytest.approx(tuple(theirs), abs=1e-12), (kind, one, other)


def test_the_number_of_references_may_vary(replies):
    said, wanted = replies
    several = [[wanted[j] for j in range(i, min(i + 1 + i % 3, 200))] for i in range(200)]
    columns = [[group[j] if j < len(group) else None for group in several] for j in range(3)]
    tool = sacrebleu.BLEU()
    theirs = tool.corpus_score(said, columns)
    ours = corpus_bleu(said, several, smoothing="exp")
    assert ours.score == pytest.approx(theirs.score / 100, abs=1e-12)
    assert ours.signature == str(tool.get_signature())
    assert "nrefs:var" in ours.signature
    scorer = rouge_scorer.RougeScorer(["rouge2", "rougeL"])
    found = rouge(said[:60], several[:60], ["rouge2", "rougeL"])
    for i, (one, group) in enumerate(zip(said[:60], several[:60], strict=True)):
        for kind, best in scorer.score_multi(group, one).items():
            got = (found[kind].precision[i], found[kind].recall[i], found[kind].f[i])
            assert got == pytest.approx(tuple(best), abs=1e-12), (kind, i)


def test_of_several_references_rouge_takes_the_best():
    said, references = "the cat sat", ["a dog ran off", "the cat sat down"]
    tool = rouge_scorer.RougeScorer(["rouge1", "rougeL"])
    theirs = tool.score_multi(references, said)
    assert rouge_n([said], [references], 1).f[0] == pytest.approx(theirs["rouge1"].fmeasure)
    assert rouge_l([said], [references]).f[0] == pytest.approx(theirs["rougeL"].fmeasure)


def grams(text, n):
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


@given(pairs)
def test_overlaps_are_clipped_counts(case):
    said, wanted = zip(*case, strict=True)
    for n, found in enumerate(overlaps(said, wanted, 4), start=1):
        for i, (text, references) in enumerate(case):
            most = Counter()
            for reference in references:
                most |= grams(reference, n)
            assert found.matches[i] == (grams(text, n) & most).total()
            assert found.candidate[i] == grams(text, n).total()
            assert found.reference[i] == grams(references[0], n).total()


@given(words, words)
def test_the_longest_common_subsequence_is_the_longest_of_all(one, other):
    def is_within(part):
        rest = iter(other)
        return all(word in rest for word in part)

    longest = next(n for n in range(len(one), -1, -1) if any(map(is_within, combinations(one, n))))
    assert longest_common(one, other) == longest


def naive_weighted(one, other, w):
    """The table of the source, cell by cell."""
    score, run = np.zeros((len(one) + 1, len(other) + 1)), np.zeros((len(one) + 1, len(other) + 1))
    for i, word in enumerate(one, start=1):
        for j, theirs in enumerate(other, start=1):
            if word == theirs:
                k = run[i - 1, j - 1]
                score[i, j] = score[i - 1, j - 1] + (k + 1) ** w - k**w
                run[i, j] = k + 1
            else:
                score[i, j] = max(score[i - 1, j], score[i, j - 1])
    return score[-1, -1]


@given(st.lists(st.tuples(words, words), min_size=1, max_size=6), st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted_subsequences_are_the_table_of_their_source(case, w):
    one, other = zip(*case, strict=True)
    expected = [naive_weighted(a, b, w) for a, b in case]
    np.testing.assert_allclose(weighted_common(one, other, w), expected, atol=1e-12)


def test_weighted_subsequences_prefer_words_in_a_row():
    """The example of the source: both share four words, but one has them together."""
    wanted = ["a b c d e f g"] * 2
    found = rouge_w(["a b c d h i k", "a h b k c i d"], wanted, 1.2)
    assert found.f[0] > found.f[1]
    plain = rouge_l(["a b c d h i k", "a h b k c i d"], wanted)
    assert plain.f[0] == plain.f[1] == pytest.approx(4 / 7)
    unweighted = rouge_w(["a b c d h i k", "a h b k c i d"], wanted, 1.0)
    np.testing.assert_allclose(unweighted.f, plain.f)
    assert rouge_w(["a b c"], ["a b c"]).f[0] == pytest.approx(1)


def test_an_empty_candidate_scores_0_and_a_reference_without_tokens_is_refused():
    assert corpus_bleu(["", ""], ["a b", "c"]).score == 0.0
    for found in (rouge_n([""], ["a"], 1), rouge_l([""], ["a"]), rouge_w(["?"], ["a"])):
        assert (found.precision[0], found.recall[0], found.f[0]) == (0, 0, 0)
    with pytest.raises(ValueError, match=r"references\[1\] has no token under 'rouge'"):
        rouge_l(["a", "b"], ["a", "猫"])
    with pytest.raises(ValueError, match=r"references\[0\] has no token under '13a'"):
        corpus_bleu(["a"], [" "])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: corpus_bleu([], []), "candidates is empty"),
        (lambda: corpus_bleu(["a"], ["a", "b"]), "1 candidates need as many references"),
        (lambda: corpus_bleu(["a"], "a"), "references must be a list"),
        (lambda: corpus_bleu([None], ["a"]), r"candidates\[0\] is None: give a text"),
        (lambda: corpus_bleu(["a", "b"], [["a"], []]), r"references\[1\] is empty"),
        (lambda: corpus_bleu(["a", "b"], ["a", ["b", None]]), r"references\[1\]\[1\] is None"),
        (lambda: rouge_l(["a"], [["b", {"c": 1}]]), r"references\[0\]\[1\] is"),
        (lambda: corpus_bleu(["a"], ["a"], max_order=0), "max_order must be at least 1"),
        (lambda: corpus_bleu(["a"], ["a"], smoothing="floor"), "unknown smoothing 'floor'"),
        (lambda: corpus_bleu(["a"], ["a"], tokenize="rouge"), "unknown tokens 'rouge' of BLEU"),
        (lambda: rouge_n(["a"], ["a"], True), "n must be a whole number"),
        (lambda: rouge_n(["a"], ["a"], 1, "words"), "unknown tokens 'words': use 13a"),
        (lambda: rouge_w(["a"], ["a"], 0.5), "weight"),
        (lambda: rouge(["a"], ["a"], ["rouge0"]), "unknown kind 'rouge0': use rouge1"),
        (lambda: brevity_penalty(5, 0), "reference must be at least 1"),
        (lambda: brevity_penalty(True, 5), "candidate_length must be a whole number"),
    ],
)
def test_bad_texts_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


def test_the_brevity_penalty_is_1_only_where_nothing_is_missing():
    assert [brevity_penalty(c, 6) for c in (0, 6, 9)] == [0, 1, 1]
    assert brevity_penalty(5, 6) == pytest.approx(np.exp(-0.2))


@pytest.mark.parametrize(
    ("package", "name"), [("sacrebleu.metrics.bleu", "13a"), ("rouge_score", "rouge_stemmed")]
)
def test_a_missing_package_is_told_by_the_extra_that_brings_it(monkeypatch, package, name):
    for module in [m for m in sys.modules if m.startswith(package)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ValueError, match=r"pip install 'eval-pipeline\[text\]'") as error:
        tokenizer(name)
    assert "\n" not in str(error.value)
    assert tokenizer("rouge")("A b, c-1!") == ["a", "b", "c", "1"]


def test_bertscore_matches_each_token_with_its_best():
    found = bertscore([[0.9, 0.2, 0.1], [0.3, 0.8, 0.4]])
    assert (found.precision, found.recall) == (pytest.approx(0.85), pytest.approx(0.7))
    assert found.f1 == pytest.approx(2 * 0.85 * 0.7 / 1.55)
    assert np.isnan(bertscore([[-0.5]]).f1)


def test_the_same_embeddings_match_wholly_whatever_their_length():
    vectors = np.random.default_rng(0).normal(size=(5, 8))
    found = bertscore(cosines(vectors, 3 * vectors[::-1]))
    assert (found.precision, found.recall, found.f1) == pytest.approx((1, 1, 1))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: bertscore([[1.5]]), r"similarity\[0\]\[0\] is 1\.5: cosines lie in"),
        (lambda: bertscore([[0.5, None]]), r"similarity\[0, 1\] is None: give a number"),
        (lambda: bertscore([[0.5, float("nan")]]), r"similarity\[0, 1\] is nan"),
        (lambda: bertscore([[0.5, True]]), r"similarity\[0, 1\] is True: give a number"),
        (lambda: bertscore([]), "must be a table of numbers"),
        (lambda: bertscore([[0.1], [0.1, 0.2]]), "give rows of one length"),
        (lambda: cosines([[0.0, 0.0]], [[1.0, 0.0]]), r"candidate\[0\] has length 0"),
        (lambda: cosines([[1.0]], [[1.0, 0.0]]), "candidate has 1 dimensions and reference 2"),
    ],
)
def test_bad_similarities_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
