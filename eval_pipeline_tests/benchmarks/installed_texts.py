"""Text for benchmarks: the documentation that is installed here, manual pages included."""

import gzip
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

ENDINGS = (".rst", ".txt", ".md", ".gz")
SYSTEM = Path("/usr/share")
ROOTS = (Path(sysconfig.get_paths()["purelib"]), Path(sys.base_prefix), SYSTEM)
LARGEST = 200_000  # bytes of one document


def documents(megabytes: float) -> list[str]:
    """Installed texts in order of their paths, up to a size, with edited copies of some.

    The system's documentation comes first: much that packages install as text is data of tests.
    Of each tenth document a copy is added with one word in forty replaced.
    """
    rng = np.random.default_rng(20260101)
    texts: list[str] = []
    size = 0
    for text in _installed(roots=ROOTS[::-1]):
        for one in (text, _edited(text, rng))[: 1 + (len(texts) % 11 == 0)]:
            texts.append(one)
            size += len(one.encode())
        if size >= megabytes * 1e6:
            return texts
    return texts


def varied_documents(each: int) -> list[str]:
    """Installed texts in order of their paths, at most so many of one family of documents."""
    return list(_installed(each))


def _installed(each: int | None = None, roots: Sequence[Path] = ROOTS) -> Iterator[str]:
    taken: Counter[tuple[str, ...]] = Counter()
    for root in roots:
        for path in sorted(root.rglob("*")):
            family = path.relative_to(root).parts[:2]
            if each is not None and taken[family] >= each:
                continue
            if path.suffix in ENDINGS and path.is_file() and path.stat().st_size < LARGEST:
                content = path.read_bytes()
                try:
                    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
                except (UnicodeDecodeError, gzip.BadGzipFile):
                    continue  # no text
                if 300 < len(text) < LARGEST:
                    taken[family] += 1
                    yield text


def _edited(text: str, rng: np.random.Generator) -> str:
    words = text.split(" ")
    for i in rng.choice(len(words), max(1, len(words) // 40), replace=False).tolist():
        words[i] = f"word{int(rng.integers(10_000))}"
    return " ".join(words)
