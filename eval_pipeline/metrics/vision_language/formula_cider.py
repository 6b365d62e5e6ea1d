"""How much a caption says of what people say of the image, and do not say of every image.

Captions are vectors of n-gram counts times log(documents / documents with the n-gram); a score is
the mean cosine with the references, over n = 1..4. It is relative to the corpus that the document
frequencies come from, so that corpus has a name and travels with the score.
Source: Vedantam et al. 2015, arXiv:1411.5726, section 4; CIDEr-D section 5.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from eval_pipeline.metrics.inputs import Floats, Ints, number, same_length, whole
from eval_pipeline.metrics.sums import ratio

Tokens = Sequence[str]
Kind = Literal["cider", "cider_d"]

ORDERS = 4
SIGMA = 6.0  # tokens; the length penalty of CIDEr-D
PUBLISHED_SCALE = 10.0  # by which published scores are multiplied; the formula itself has 1

_WORD = re.compile(r"[\w']+")
_SHIFT = 31  # bits of a token's number within the key of an n-gram


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many documents of a corpus each n-gram stands; a document is all texts of one image.

    grams[n - 1]: sorted keys of the n-grams, and their documents; a key holds the number of its
    first n - 1 tokens and that of its last one.
    """

    corpus_id: str
    n_documents: int
    vocabulary: dict[str, int]
    grams: tuple[tuple[Ints, Ints], ...]


@dataclass(frozen=True)
class Cider:
    """Each caption's score, in [0, scale], shape (captions,), and what it rests on."""

    scores: Floats
    kind: Kind
    scale: float
    corpus_id: str
    n_documents: int


def caption_tokens(text: str) -> list[str]:
    """Words in lower case without punctuation; the tokens that `cider` takes. Not stemmed."""
    return _WORD.findall(text.casefold())


def document_frequencies(
    documents: Sequence[Sequence[Tokens]], corpus_id: str
) -> DocumentFrequencies:
    """Counts of a corpus: for each image the tokens of each of its reference captions.

    Raises ValueError for fewer than two documents: one image's n-grams stand in every document,
    and log 1 = 0 leaves no vector. Names the document without captions.
    """
    if not corpus_id:
        raise ValueError("the corpus of the document frequencies needs a name")
    if len(documents) < 2:
        raise ValueError(
            f"corpus {corpus_id!r} has {len(documents)} document(s), and every n-gram stands in "
            "each: give a corpus of two images or more"
        )
    captions, image = _flat(documents, "document")
    vocabulary: dict[str, int] = {}
    tokens, caption = _numbered(captions, vocabulary)
    tables: list[Ints] = []

    def numbered(n: int, keys: Ints) -> Ints:
        table, place = np.unique(keys, return_inverse=True)
        tables.append(table)
        return place.astype(np.int64)

    counts = []
    for gram, where in _grams(tokens, caption, numbered):
        width = len(tables[-1]) + 1
        pairs = np.sort(image[where] * width + gram)  # np.unique would hash: ten times slower
        once = pairs[np.diff(pairs, prepend=-1) > 0] % width
        counts.append(np.bincount(once, minlength=width - 1).astype(np.int64))
    grams = tuple(zip(tables, counts, strict=True))
    return DocumentFrequencies(corpus_id, len(documents), vocabulary, grams)


def cider(
    candidates: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    frequencies: DocumentFrequencies,
    *,
    kind: Kind = "cider_d",
    scale: float = PUBLISHED_SCALE,
) -> Cider:
    """Mean over n = 1..4 and over references of the cosine of TF-IDF vectors, times `scale`.

    candidates: tokens of one caption an image; references: tokens of each of its references.
    `cider_d` clips the candidate's entries at the reference's and multiplies by
    exp(-(difference of lengths)^2 / (2 * 6^2)), so that repetition earns nothing. An order of
    n-grams that either caption is too short for counts 0, as in published scores.
    Raises ValueError that names the image without references, or with text that is not tokens.
    """
    number(scale, "scale", least=float(np.nextafter(0.0, 1.0)))
    if kind not in ("cider", "cider_d"):
        raise ValueError(f"unknown kind {kind!r}: cider or cider_d")
    n_images = same_length(candidates=candidates, references=references)
    whole(n_images, "images", 1)
    flat, image = _flat(references, "image")
    _check_tokens(candidates, "candidate")
    image = np.concatenate([np.arange(n_images), image])
    captions = [*candidates, *flat]
    tokens, caption = _numbered(captions, dict(frequencies.vocabulary))

    def numbered(n: int, keys: Ints) -> Ints:
        return _known_or_new(keys, frequencies.grams[n - 1][0])

    similarity = np.zeros(len(captions))
    for (gram, where), (_, documents_with) in zip(
        _grams(tokens, caption, numbered), frequencies.grams, strict=True
    ):
        rarity = np.full(max(int(gram.max(initial=0)) + 1, len(documents_with)), 0.0)
        rarity[: len(documents_with)] = np.log(documents_with)  # new n-grams count as of one
        rarity = np.log(frequencies.n_documents) - rarity
        similarity += _cosines(gram, where, rarity, image, n_images, clip=kind == "cider_d")
    if kind == "cider_d":
        lengths = np.array([len(tokens) for tokens in captions], dtype=np.float64)
        similarity *= np.exp(-((lengths - lengths[image]) ** 2) / (2 * SIGMA**2))
    n_references = np.bincount(image[n_images:], minlength=n_images)
    sums = np.bincount(image[n_images:], similarity[n_images:], n_images)
    scores = scale * sums / (ORDERS * n_references)
    return Cider(scores, kind, scale, frequencies.corpus_id, frequencies.n_documents)


def _cosines(
    gram: Ints, where: Ints, rarity: Floats, image: Ints, n_images: int, *, clip: bool
) -> Floats:
    """Cosine of each reference with its image's candidate, shape (captions,); else 0.

    gram, where: each n-gram and its caption; the first captions are the candidates, so that a
    candidate's number is its image's. Where either vector is 0, so is the cosine.
    """
    n_captions, width = len(image), len(rarity)
    entry, count = np.unique(where * width + gram, return_counts=True)
    owner, distinct = entry // width, entry % width
    weight = count * rarity[distinct]
    norm = np.sqrt(np.bincount(owner, weight**2, n_captions).astype(np.float64))
    theirs = owner >= n_images
    theirs_weight = weight[theirs]
    wanted = image[owner[theirs]] * width + distinct[theirs]
    matched = _looked_up(entry[~theirs], weight[~theirs], wanted)
    if clip:
        matched = np.minimum(matched, theirs_weight)
    dot = np.bincount(owner[theirs], matched * theirs_weight, n_captions).astype(np.float64)
    return np.nan_to_num(ratio(dot, norm * norm[image]), nan=0.0)


def _grams(
    tokens: Ints, caption: Ints, number: Callable[[int, Ints], Ints]
) -> Iterator[tuple[Ints, Ints]]:
    """For n = 1..4 the number of each n-gram in the captions, and its caption.

    number(n, keys) gives equal keys equal numbers; a key is the number of the first n - 1 tokens
    and the last token.
    """
    start, grams = np.arange(len(tokens)), number(1, tokens)
    yield grams, caption
    for n in range(2, ORDERS + 1):
        inside = start + n - 1 < len(tokens)
        inside[inside] = caption[start[inside] + n - 1] == caption[start[inside]]
        start = start[inside]
        grams = number(n, (grams[inside] << _SHIFT) | tokens[start + n - 1])
        yield grams, caption[start]


def _known_or_new(keys: Ints, table: Ints) -> Ints:
    """Place of each key in a sorted table; keys that it lacks are numbered behind its end."""
    place = np.minimum(np.searchsorted(table, keys), max(len(table) - 1, 0))
    new = table[place] != keys if len(table) else np.ones(len(keys), dtype=bool)
    place[new] = len(table) + np.unique(keys[new], return_inverse=True)[1]
    return place


def _looked_up(keys: Ints, values: Floats, wanted: Ints) -> Floats:
    """The value of each wanted key, 0 where it is absent; keys are sorted."""
    if not keys.size:
        return np.zeros(len(wanted))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0.0)


def _flat(groups: Sequence[Sequence[Tokens]], kind: str) -> tuple[list[Tokens], Ints]:
    """All captions of all groups, and the number of each one's group."""
    for i, group in enumerate(groups):
        if isinstance(group, str) or not len(group):
            raise ValueError(f"{kind} {i} needs at least one reference caption, as tokens")
        _check_tokens(group, f"{kind} {i}, reference")
    sizes = [len(group) for group in groups]
    return list(chain.from_iterable(groups)), np.repeat(np.arange(len(groups)), sizes)


def _check_tokens(captions: Sequence[Tokens], place: str) -> None:
    for j, tokens in enumerate(captions):
        if isinstance(tokens, str) or not set(map(type, tokens)) <= {str}:
            raise ValueError(
                f"{place} {j}: expected a list of tokens (see caption_tokens), got {tokens!r:.60}"
            )


def _numbered(captions: Sequence[Tokens], vocabulary: dict[str, int]) -> tuple[Ints, Ints]:
    """Each token's number and caption, in reading order; new words are added to the vocabulary."""
    lengths = [len(tokens) for tokens in captions]
    numbers = [
        vocabulary.setdefault(token, len(vocabulary)) for token in chain.from_iterable(captions)
    ]
    return np.array(numbers, dtype=np.int64), np.repeat(np.arange(len(captions)), lengths)
