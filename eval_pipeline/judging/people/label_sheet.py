"""Blinded sheets for people: which pairs a rater labels, in which order, on which side.

A sheet shows a question and two replies, and no name. Which side a model stands on, the order of
the rows, and where the honeypots lie follow from the contract's seed and the rater's name, so the
answers can be read back without a key that somebody could look at. What would tell a reply's
maker, the names of checkpoints and families, is masked in the texts.
"""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.statistics.randomness import generator

ANSWERS = ("1", "2", "tie", "unsure")
DECOY = "decoy"  # stands for a reply to another question
MASK = "[name]"
HONEYPOT_SHARE = 0.1
NAMED = "r"  # begins a row's name: a spreadsheet would take 4600592332457137 for a number

PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class SheetRow:
    """One row that a rater sees; `row` tells it from all others and says nothing of its content.

    first_is_a: whether reply 1 is model_a's; expected: the right label of a honeypot.
    """

    row: str
    item_id: str
    model_a: str
    model_b: str
    first_is_a: bool
    honeypot: bool = False
    expected: str | None = None

    def label(self, answer: str) -> str | None:
        """model_a, model_b or tie; None where the rater was not sure.

        Raises ValueError for another answer.
        """
        said = answer.strip().lower()
        if said not in ANSWERS:
            raise ValueError(f"answer {answer!r:.40} is none of {', '.join(ANSWERS)}")
        if said in ("tie", "unsure"):
            return said if said == "tie" else None
        return "model_a" if (said == "1") == self.first_is_a else "model_b"


def sheet_rows(
    planned: Collection[PairKey], rater: str, n: int, seed: int, honeypots: int | None = None
) -> list[SheetRow]:
    """The rows of a rater's sheet, in the order in which they are shown.

    planned: pairs that have both replies. The n pairs are the same for all raters of a contract,
    so that their labels can be held against each other; order and sides are the rater's own.
    honeypots: how many rows more whose right answer is plain, one in ten of n by default.
    Raises ValueError for n below 1, no pairs, or a rater without a name.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    if not rater.strip() or not rater.isprintable():
        raise ValueError("a rater needs a name")
    known = sorted(set(planned))
    if not known:
        raise ValueError("no pair has the replies of both models: `eval-pipeline run` reads them")
    shared = generator(seed, "label sheet")
    chosen = [known[i] for i in shared.permutation(len(known))[:n]]
    asked = round(HONEYPOT_SHARE * len(chosen)) if honeypots is None else honeypots
    items = sorted({item for item, _, _ in known})
    drawn = shared.permutation(len(known))
    wanted = min(asked, len(known)) if len(items) > 1 else 0
    traps = [known[i] for i in drawn[:wanted]]
    rows = [_row(key, rater, seed) for key in chosen]
    rows += [_trap(key, rater, seed) for key in dict.fromkeys((k[0], k[1]) for k in traps)]
    order = generator(seed, "label order", rater).permutation(len(rows))
    return [rows[i] for i in order]


def decoy_item(item: str, items: Sequence[str]) -> str:
    """The item whose reply stands beside an honest one in the honeypot on `item`."""
    known = sorted(items)
    return known[(known.index(item) + len(known) // 2) % len(known)]


def masked(text: str, names: Collection[str]) -> str:
    """The text with every name in it replaced, whole words only, in any case."""
    parts = sorted({name for name in names if len(name) > 2}, key=lambda name: (-len(name), name))
    if not parts:
        return text
    words = "|".join(map(re.escape, parts))
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", MASK, text, flags=re.IGNORECASE)


def tells(checkpoints: Mapping[str, str | None]) -> set[str]:
    """The names that would tell a reply's maker: checkpoints, what stands before @, families."""
    found = set(checkpoints) | {name.split("@")[0] for name in checkpoints}
    return found | {family for family in checkpoints.values() if family}


def _row(key: PairKey, rater: str, seed: int) -> SheetRow:
    return SheetRow(_name(*key, rater, seed), *key, _side(key, rater, seed))


def _trap(key: tuple[str, str], rater: str, seed: int) -> SheetRow:
    item, model = key
    a, b = sorted((DECOY, model))
    right = "model_a" if a == model else "model_b"
    pair = (item, a, b)
    side = _side(pair, rater, seed)
    return SheetRow(_name(*pair, rater, seed), *pair, side, honeypot=True, expected=right)


def _name(item: str, model_a: str, model_b: str, rater: str, seed: int) -> str:
    content = "\x1f".join((item, model_a, model_b, rater, str(seed)))
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return NAMED + digest


def _side(key: PairKey, rater: str, seed: int) -> bool:
    return bool(generator(seed, "label side", rater, *key).integers(2))
