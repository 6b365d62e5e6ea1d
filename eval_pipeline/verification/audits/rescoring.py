"""What a new verifier makes of old replies: the samples whose score or end moved, and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

COLUMNS = ("item_id", "draw", "status", "detail", "extracted", "verdict", "score", "explanation")
CAUSES = ("extraction", "verdict", "policy")

Row = Mapping[str, Any]
Key = tuple[str, int]


@dataclass(frozen=True)
class Flip:
    """A sample whose score, or whose end, differs under two contract versions.

    was, now: its score. ended, ends: right, wrong, in part, or the status of what was not judged.
    cause: `extraction` (another answer was found, or one where there was none), `verdict` (the
    same answer is read or judged differently) or `policy` (the same verdict or failure counts
    differently). why: in a sentence. extracted: what is found now.
    """

    item_id: str
    draw: int
    was: float | None
    now: float | None
    cause: str
    why: str
    ended: str
    ends: str
    extracted: str | None

    @property
    def moves_the_score(self) -> bool:
        return self.was != self.now


@dataclass(frozen=True)
class Move:
    """How many samples came from one end to another, and of how many the score moved with it."""

    was: str
    now: str
    n: int
    flipped: int


@dataclass(frozen=True)
class Rescored:
    """Samples with the same reply in both: how many, and those that moved, by item and draw.

    flips: whose score moved. alike: whose end moved while the score stayed, such as a wrong answer
    that nobody decides now and that still counts as wrong. ends: end -> samples, under the old
    version and under the new one. other_reply: samples whose reply differs, which say nothing of
    the verifier; alone: samples that only one version has.
    """

    compared: int
    flips: tuple[Flip, ...]
    other_reply: int
    alone: int
    alike: tuple[Flip, ...] = ()
    ends: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})

    @property
    def by_cause(self) -> dict[str, int]:
        counts = Counter(flip.cause for flip in self.flips)
        return {cause: counts[cause] for cause in CAUSES}

    @property
    def moves(self) -> list[Move]:
        """From end to end, the most frequent first."""
        every = Counter((flip.ended, flip.ends) for flip in (*self.flips, *self.alike))
        scored = Counter((flip.ended, flip.ends) for flip in self.flips)
        found = [Move(*ends, number, scored[ends]) for ends, number in every.items()]
        return sorted(found, key=lambda move: (-move.n, move.was, move.now))

    @property
    def gained(self) -> int:
        """Samples whose score rose, or is counted now and was wrong or excluded."""
        return sum((flip.now or 0.0) > (flip.was or 0.0) for flip in self.flips)

    @property
    def lost(self) -> int:
        return sum((flip.now or 0.0) < (flip.was or 0.0) for flip in self.flips)


def rescored(
    was: Iterable[Row],
    now: Iterable[Row],
    same_reply: Mapping[Key, bool],
    same_extraction: bool = False,
) -> Rescored:
    """Holds the rows of `verifier_scores` of two versions against each other.

    same_reply: for samples of both, whether the reply is the same text. same_extraction: whether
    both versions find answers in the same way, so that only the verifier can have read another.
    Raises ValueError where a sample stands twice.
    """
    old, new = _by_key(was), _by_key(now)
    both = sorted(old.keys() & new.keys())
    same = [key for key in both if same_reply[key]]
    moved = [
        _flip(old[key], new[key], same_extraction)
        for key in same
        if old[key]["score"] != new[key]["score"] or end(old[key]) != end(new[key])
    ]
    return Rescored(
        len(same),
        tuple(flip for flip in moved if flip.moves_the_score),
        len(both) - len(same),
        len(old.keys() ^ new.keys()),
        tuple(flip for flip in moved if not flip.moves_the_score),
        (_ends([old[key] for key in same]), _ends([new[key] for key in same])),
    )


def end(row: Row) -> str:
    """How a sample ended: right, wrong or in part where it was judged, else its status."""
    if row["status"] != "ok":
        return str(row["status"])
    return {1.0: "right", 0.0: "wrong"}.get(row["verdict"], "in part")


def _ends(rows: Iterable[Row]) -> dict[str, int]:
    return dict(sorted(Counter(map(end, rows)).items()))


def _by_key(rows: Iterable[Row]) -> dict[Key, Row]:
    found: dict[Key, Row] = {}
    for row in rows:
        key = (row["item_id"], row["draw"])
        if key in found:
            raise ValueError(f"item {key[0]!r}: draw {key[1]} stands twice")
        found[key] = row
    return found


def _flip(was: Row, now: Row, same_extraction: bool) -> Flip:
    cause, why = _reason(was, now, same_extraction)
    return Flip(
        now["item_id"],
        now["draw"],
        was["score"],
        now["score"],
        cause,
        why,
        end(was),
        end(now),
        now["extracted"],
    )


def _reason(was: Row, now: Row, same_extraction: bool) -> tuple[str, str]:
    same_status = was["status"] == now["status"]
    if same_status and was["verdict"] == now["verdict"]:
        of = now["status"] if now["verdict"] is None else f"a verdict of {now['verdict']:g}"
        return "policy", f"{of} counted {_said(was['score'])} and counts {_said(now['score'])}"
    if was["extracted"] != now["extracted"] and not same_extraction:
        return "extraction", (
            f"found {_answer(was)}, now {_answer(now)}; {_judged(was)}, now {_judged(now)}: "
            f"{now['explanation']}"
        )
    return "verdict", f"{_judged(was)}, now {_judged(now)}: {now['explanation']}"


def _answer(row: Row) -> str:
    extracted = row["extracted"]
    return "no answer" if extracted is None else repr(extracted[:80])


def _judged(row: Row) -> str:
    if row["status"] != "ok":
        return f"{row['status']} ({row['detail']})" if row["detail"] else str(row["status"])
    return f"verdict {row['verdict']:g}"


def _said(score: float | None) -> str:
    return "nothing (excluded)" if score is None else f"{score:g}"


def same_replies(was: Sequence[Row], now: Sequence[Row]) -> dict[Key, bool]:
    """For the samples of both tables of `generations`, whether their texts are the same."""
    old = {(row["item_id"], row["draw"]): row["text"] for row in was}
    new = {(row["item_id"], row["draw"]): row["text"] for row in now}
    return {key: old[key] == new[key] for key in old.keys() & new.keys()}
