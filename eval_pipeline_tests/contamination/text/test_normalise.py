"""text_v2 and code_v2: the same words in every dress."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.contamination.text.normalise import CODE, TEXT, folded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  Hello,   WORLD! ", ["hello", "world"]),
        ("don't — DON’T", ["dont", "dont"]),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ", ["full", "width"]),
        ("caf\u00e9 cafe\u0301 Straße ﬁn", ["cafe", "cafe", "strasse", "fin"]),
        ("**bold** _under_ `code`", ["bold", "under", "code"]),
        ("a\u00a0b\u200bc\u00add", ["a", "bcd"]),
        ("1,000.50", ["1", "000", "50"]),
        (r"\frac{11\times10}", ["frac", "11", "times10"]),
        ("日本語 text", ["日", "本", "語", "text"]),
        ("がガ", ["か", "カ"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
        ("ДОМ ёлка", ["дом", "елка"]),
        ("...!?", []),
        ("", []),
        ("a\ud800b", ["a", "b"]),
    ],
)
def test_text_is_folded(text: str, words: list[str]):
    assert TEXT.words(text) == words


def test_composed_and_decomposed_text_are_the_same():
    for text in ("한국어 시험", "Ångström", "ｶﾞ"):
        assert TEXT.words(unicodedata.normalize("NFC", text)) == TEXT.words(
            unicodedata.normalize("NFD", text)
        )


@given(st.text())
def test_words_are_made_piece_by_piece(text: str):
    assert TEXT.words(text) == "".join(map(folded, text)).split()


@given(st.text(st.characters(max_codepoint=127)))
def test_the_table_of_bytes_folds_as_the_definition(text: str):
    assert TEXT.words(text) == "".join(map(folded, text)).split()


@given(st.text())
def test_normalising_twice_changes_nothing(text: str):
    words = TEXT.words(text)
    assert TEXT.words(" ".join(words)) == words


@pytest.mark.parametrize("normaliser", [TEXT, CODE], ids=lambda n: n.name)
@given(text=st.text())
def test_spans_say_where_the_words_stand(normaliser, text: str):
    words, spans = normaliser.words(text), normaliser.spans(text)
    assert len(words) == len(spans)
    assert spans == sorted(spans)
    for word, (start, end) in zip(words, spans, strict=True):
        assert word in "".join(normaliser.words(text[start:end]))


def test_code_keeps_names_and_operators():
    words = ["def", "f", "(", "xS", ",", "y", "=", "1.5", ")", ":", "return", "xS", "*", "*", "2"]
    assert CODE.words("def f(xS, y=1.5):\n\treturn xS ** 2") == words
