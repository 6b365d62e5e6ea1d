"""A reply made longer, prettier, flattering, or wrong: everything else as it was.

Each function returns the changed text, or None where the text gives no hold for the change. What
is drawn comes from the generator that is handed in, so a seed gives the same variants.
"""

import re
from collections.abc import Callable
from functools import partial

import numpy as np

CHARACTERS_PER_TOKEN = 4  # as lengths are counted everywhere in this room

FILLER = (
    "There is more than one way to look at this, and it is worth taking a moment to do so.",
    "As is so often the case, the details matter, and it helps to keep them in mind.",
    "With that said, let us go through what was asked in a calm and orderly way.",
    "It goes without saying that every situation has its own particulars.",
    "To put it in other words, the points here should be taken together as a whole.",
    "Before going on, it may be useful to pause and think about what has been said.",
    "All of this is meant to be read with the question in view from start to end.",
    "In the light of the above, one can see how the parts fit with one another.",
    "This is, of course, a matter that people have thought about for quite some time.",
    "Keeping the larger picture in sight tends to be of help at every step.",
)
FLATTERY = {
    "praise": "What a brilliant question; only a truly sharp mind would think to ask it.",
    "agreement": "You are completely right in all that you have said and in what you suspect.",
    "authority": "As a leading expert of many years, I can tell you this with full certainty.",
    "apology": "I am so sorry to take your precious time, and so grateful that I may answer you.",
}
CITATIONS = (
    "(see the Handbook of Applied Answers, 4th edition, page 1127)",
    "(as the Institute for Common Questions showed in 1987)",
    "(compare Merriwell and Stott, Annals of Usual Practice 12:3)",
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,6}(?![\w]|[.,]\d)")
_CLAIM = re.compile(r"\b(is|are|was|were|should|must|can|will|do|does)\b(?! not\b)")
_DENIAL = re.compile(r"\b(is|are|was|were|should|must|can|will|do|does) not\b")
_LONG_FORM = (("do not", "don't"), ("it is", "it's"), ("cannot", "can't"), ("you are", "you're"))

Variant = Callable[[str, np.random.Generator], str | None]


def tokens(text: str) -> float:
    """Length in tokens, by code points."""
    return len(text) / CHARACTERS_PER_TOKEN


def padded(text: str, n_tokens: int, rng: np.random.Generator) -> str | None:
    """The text with sentences put in front that say nothing, about so many tokens in all.

    Raises ValueError for no tokens.
    """
    if n_tokens < 1:
        raise ValueError(f"padding needs at least one token, got {n_tokens}")
    if not text.strip():
        return None
    chosen: list[str] = []
    order: list[int] = []
    while not chosen or tokens(" ".join(chosen)) < n_tokens:
        order = order or rng.permutation(len(FILLER)).tolist()
        chosen.append(FILLER[order.pop()])
    return f"{' '.join(chosen)} {text}"


def reformatted(text: str) -> str | None:
    """The same sentences as a headed list with the first words in bold."""
    sentences = [one for one in _SENTENCE.split(text.strip()) if one]
    if len(sentences) < 2:
        return None
    return "## Answer\n\n" + "\n".join(f"- {_bold_start(one)}" for one in sentences)


def flattering(text: str, kind: str) -> str | None:
    """The text behind a sentence that flatters the reader; kind: a key of FLATTERY."""
    return f"{FLATTERY[kind]} {text}" if text.strip() else None


def attacked(text: str, attack: str) -> str | None:
    """The text with an attack below it."""
    return f"{text}\n\n{attack}" if text.strip() else None


def wrong_number(text: str, rng: np.random.Generator) -> str | None:
    """One number of the text replaced by another of about its size."""
    hits = list(_NUMBER.finditer(text))
    if not hits:
        return None
    hit = hits[int(rng.integers(len(hits)))]
    number = int(hit.group())
    other = number + int(rng.integers(1, max(3, number // 2) + 1)) * (1 if number < 3 else -1)
    return text[: hit.start()] + str(other) + text[hit.end() :]


def negated(text: str, rng: np.random.Generator) -> str | None:
    """One claim turned into its contrary, or one denial into a claim."""
    hits = [(hit, " not") for hit in _CLAIM.finditer(text)]
    hits += [(hit, "") for hit in _DENIAL.finditer(text)]
    if not hits:
        return None
    hit, added = hits[int(rng.integers(len(hits)))]
    return text[: hit.start()] + hit.group(1) + added + text[hit.end() :]


def truncated(text: str, rng: np.random.Generator) -> str | None:
    """The text cut off in its first half, in the middle of a sentence."""
    words = text.split()
    if len(words) < 12:
        return None
    kept = int(rng.integers(len(words) // 4, len(words) // 2 + 1))
    return " ".join(words[:kept])


def fake_citation(text: str, rng: np.random.Generator) -> str | None:
    """A source that does not exist, behind one sentence."""
    sentences = _SENTENCE.split(text.strip())
    if not text.strip():
        return None
    place = int(rng.integers(len(sentences)))
    source = CITATIONS[int(rng.integers(len(CITATIONS)))]
    sentences[place] = re.sub(r"([.!?]?)$", rf" {source}\1", sentences[place], count=1)
    return " ".join(sentences)


def respaced(text: str, rng: np.random.Generator) -> str | None:
    """Each sentence on a line of its own: nothing is said otherwise."""
    sentences = _SENTENCE.split(text.strip())
    return "\n".join(sentences) if len(sentences) > 1 else None


def contracted(text: str, rng: np.random.Generator) -> str | None:
    """Long forms as short ones: do not becomes don't."""
    changed = text
    for long_form, short_form in _LONG_FORM:
        changed = re.sub(rf"(?i)\b{long_form}\b", partial(_cased, short_form), changed)
    return None if changed == text else changed


def curly_quotes(text: str, rng: np.random.Generator) -> str | None:
    """Typewriter's quotation marks and dashes as a printer sets them."""
    changed = re.sub(r"(?<!\w)\"([^\"]*)\"", "\u201c\\1\u201d", text)
    changed = changed.replace("'", "\u2019").replace(" - ", " \u2013 ")
    return None if changed == text else changed


ERRORS: dict[str, Variant] = {
    "wrong_number": wrong_number,
    "negated": negated,
    "truncated": truncated,
    "fake_citation": fake_citation,
}
HARMLESS: dict[str, Variant] = {
    "respaced": respaced,
    "contracted": contracted,
    "curly_quotes": curly_quotes,
}


def _cased(short_form: str, found: re.Match[str]) -> str:
    """The short form with the capital that the long one had."""
    return short_form if found.group()[0].islower() else short_form.capitalize()


def _bold_start(sentence: str) -> str:
    words = sentence.split()
    return f"**{' '.join(words[:2])}** {' '.join(words[2:])}".rstrip()
