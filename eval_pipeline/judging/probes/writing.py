"""Probes made from replies: each a reply, a variant of it, and what the judge should make of them.

padded, formatted, flattering: the same content, so neither side deserves to win. injected: a reply
to another question that tells the judge to choose it, against an honest reply; decoy: the same
without the order, which says how often it wins by itself. error: a planted error, so the original
deserves to win. harmless: a change that changes nothing.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.judging.probes import variants
from eval_pipeline.judging.probes.attacks import ATTACKS
from eval_pipeline.statistics.randomness import generator

KINDS = ("padded", "formatted", "flattering", "injected", "decoy", "error", "harmless")
PADDING = (50, 100, 200)  # tokens


@dataclass(frozen=True)
class Probe:
    """Two texts to be compared as replies to an item's question.

    name: follows from the texts, so that a vote on another text never counts for this one.
    detail: the level of padding, the attack, the flattery, the error or the change.
    """

    name: str
    item_id: str
    kind: str
    detail: str
    original: str
    variant: str

    @property
    def added_tokens(self) -> float:
        """How much longer the variant is, in tokens."""
        return variants.tokens(self.variant) - variants.tokens(self.original)


def write_probes(replies: Mapping[str, str], n: int, seed: int) -> list[Probe]:
    """At most n probes of each kind, sorted by kind, item and detail.

    replies: item -> an honest reply to it. Items are drawn at random for each kind; a reply that
    gives no hold for a change is passed over. Details take turns, so each is met as often. A decoy
    stands on each item that is attacked.
    Raises ValueError for n below 1, and for fewer than two replies.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    usable = {item: text for item, text in sorted(replies.items()) if text.strip()}
    if len(usable) < 2:
        raise ValueError(f"probes need two replies or more that hold text, got {len(usable)}")
    probes: list[Probe] = []
    for kind, details in _DETAILS.items():
        rng = generator(seed, "probes", kind)
        order = [list(usable)[i] for i in rng.permutation(len(usable))]
        probes += _of_kind(kind, details, order, usable, n, rng)
    return sorted(probes, key=lambda probe: (probe.kind, probe.item_id, probe.detail))


def probe_name(item_id: str, kind: str, original: str, variant: str) -> str:
    """The name of a probe: 16 hex digits of the digest of all that a judge could see of it."""
    parts = (item_id, kind, original, variant)
    content = "\x1f".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_DETAILS: dict[str, Sequence[str]] = {
    "padded": [str(level) for level in PADDING],
    "formatted": ["headed_list"],
    "flattering": sorted(variants.FLATTERY),
    "injected": sorted(ATTACKS),
    "error": sorted(variants.ERRORS),
    "harmless": sorted(variants.HARMLESS),
}


def _of_kind(
    kind: str,
    details: Sequence[str],
    order: Sequence[str],
    replies: Mapping[str, str],
    n: int,
    rng: np.random.Generator,
) -> Iterator[Probe]:
    made = 0
    for place, item in enumerate(order):
        if made == n:
            return
        text = replies[item]
        other = replies[order[(place + 1) % len(order)]]
        for turn in range(len(details)):  # the next detail for which the reply gives a hold
            detail = details[(made + turn) % len(details)]
            variant = _variant(kind, detail, text, other, rng)
            if variant is not None and variant != text:
                yield _probe(item, kind, detail, text, variant)
                if kind == "injected":
                    yield _probe(item, "decoy", detail, text, other)
                made += 1
                break


def _variant(kind: str, detail: str, text: str, other: str, rng: np.random.Generator) -> str | None:
    if kind == "padded":
        return variants.padded(text, int(detail), rng)
    if kind == "formatted":
        return variants.reformatted(text)
    if kind == "flattering":
        return variants.flattering(text, detail)
    if kind == "injected":
        return None if other == text else variants.attacked(other, ATTACKS[detail])
    return {**variants.ERRORS, **variants.HARMLESS}[detail](text, rng)


def _probe(item: str, kind: str, detail: str, original: str, variant: str) -> Probe:
    name = probe_name(item, kind, original, variant)
    return Probe(name, item, kind, detail, original, variant)
