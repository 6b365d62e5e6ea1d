"""How good the rule is on real Chinese and Japanese, where every character is a word.

Sentences of one half of the installed manual pages (EVAL_PIPELINE_MANUALS, /usr/share/man by
default: more with the packages manpages-ja and manpages-zh) are items, the other half is the
corpus, with some of the items planted. Real sentences share idioms, and some are quoted whole: a
clean item is flagged falsely where no document holds half of its characters in order, as difflib
aligns them. Recall is of items as long as fourteen words or more, in characters.
"""

import gzip
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from eval_pipeline.contamination.near_duplicates.pairs import near_duplicates
from eval_pipeline.contamination.text.normalise import is_unspaced, stands_alone, text_words
from eval_pipeline.contamination.validation.planting import MECHANISMS, Hosts
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline_tests.benchmarks.contamination_quality import searched
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.benchmarks.planted_suite import Suite

MANUALS = Path(os.environ.get("EVAL_PIPELINE_MANUALS") or "/usr/share/man")
LANGUAGES = {"Chinese": "zh*", "Japanese": "ja"}
SEEDS = range(811, 814)
RECALL = {"verbatim": 0.98, "wrapped": 0.98, "edit_5": 0.98, "splice": 0.95, "edit_15": 0.80}
EACH, CLEAN = 100, 1000
WORDS = (28, 120)  # of an item, which are characters: about 14 to 60 words of English
PAGE = 3000  # characters of a document
FALSE_RATE = 0.003  # one-sided upper bound at 95 %
HELD = 0.5  # share of an item's characters that a document has in order


def measure() -> Iterator[Figure]:
    """Of each language recall by mechanism, and the bound on false items."""
    for language, folders in LANGUAGES.items():
        cpu, wall = time.process_time(), time.perf_counter()
        pages = _pages(folders)
        planted, found = Counter[str](), Counter[str]()
        false, held, clean = 0, 0, 0
        for seed in SEEDS:
            suite = _suite(pages, seed)
            flagged, pairs = searched(suite)
            planted.update(suite.kinds)
            right = {i for i, place in pairs if suite.holds[place] == i}
            found.update(suite.kinds[i] for i in right)
            clean += suite.kinds.count("clean")
            for i in (i for i in flagged if suite.kinds[i] == "clean"):
                texts = [suite.documents[place] for item, place in pairs if item == i]
                is_held = any(_aligned(suite.texts[i], text) >= HELD for text in texts)
                held, false = held + is_held, false + (not is_held)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        for kind, bar in RECALL.items():
            share = found[kind] / planted[kind] if planted[kind] else float("nan")
            name = f"{language}, recall of {kind}, {planted[kind]}"
            yield Figure(name, share, "share", "-", None, f">= {bar:g}", share >= bar, cpu, wall)
        high = clopper_pearson(false, clean, 0.9).high if clean else float("nan")
        name = f"{language}, false items, bound ({false} of {clean})"
        holding = high <= FALSE_RATE
        yield Figure(
            name, high, "share", "truly held", held, f"<= {FALSE_RATE:g}", holding, cpu, wall
        )


def _pages(folders: str) -> list[str]:
    """Manual pages of a language, each nearly the same text once."""
    found = []
    for path in sorted(MANUALS.glob(f"{folders}/man*/*.gz")):
        try:
            text = gzip.decompress(path.read_bytes()).decode()
        except UnicodeDecodeError:
            continue  # of another encoding
        lines = (line for line in text.split("\n") if not line.startswith((".\\", "'", ".TH")))
        text = re.sub(r"\\f.|\\-|\\&|^\.\w+ ?", " ", "\n".join(lines), flags=re.MULTILINE)
        if sum(map(stands_alone, text)) > 200:
            found.append(text)
    firsts = near_duplicates(found, 0.3).clusters(len(found))
    return [text for i, text in enumerate(found) if firsts[i] == i]


def _suite(pages: Sequence[str], seed: int) -> Suite:
    rng = np.random.default_rng([20260303, seed])
    order = rng.permutation(len(pages)).tolist()
    half = len(pages) // 2
    items = _sentences([pages[i] for i in sorted(order[:half])])
    corpus = [
        pages[i][at : at + PAGE]
        for i in sorted(order[half:])
        for at in range(0, len(pages[i]), PAGE)
    ]
    chosen = [items[i] for i in rng.permutation(len(items))[: EACH * len(RECALL) + CLEAN].tolist()]
    kinds = [kind for kind in RECALL for _ in range(EACH)][: len(chosen)]
    hosts = Hosts.of(corpus)
    planted = [
        MECHANISMS[kind](text, hosts, rng) for kind, text in zip(kinds, chosen, strict=False)
    ]
    kinds += ["clean"] * (len(chosen) - len(kinds))
    holds = [*range(len(planted)), *[-1] * len(corpus)]
    return Suite(chosen, kinds, [*planted, *corpus], holds)


def _sentences(pages: Sequence[str]) -> list[str]:
    """Runs of sentences of one paragraph, as long as an item is."""
    found = set()
    for paragraph in (part for page in pages for part in re.split(r"\n\s*\n|\n(?=\s)", page)):
        text = re.sub(r"(?<=[^\x00-\x7f])\s*\n\s*(?=[^\x00-\x7f])", "", paragraph)
        waiting = ""
        for sentence in re.split(r"(?<=[。！？])", re.sub(r"\s+", " ", text).strip()):
            waiting = (waiting + sentence).strip()
            words = text_words(waiting)
            if len(words) >= WORDS[0]:
                if len(words) <= WORDS[1] and is_unspaced(words):
                    found.add(waiting)
                waiting = ""
    return sorted(found)


def _aligned(item: str, text: str) -> float:
    """Share of the item's characters that stand in the text in order, two or more in a row."""
    a, b = "".join(text_words(item)), "".join(text_words(text))
    match = SequenceMatcher(None, b, a, autojunk=False).find_longest_match()
    first = max(0, match.a - match.b - len(a) // 2)
    near = b[first : match.a - match.b + len(a) + len(a) // 2]
    blocks = SequenceMatcher(None, near, a, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= 2) / len(a)
