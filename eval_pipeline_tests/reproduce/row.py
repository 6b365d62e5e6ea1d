"""One published number beside ours."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """difference: ours minus published; allowed: how large it may be, absolute.

    notes: what a reader must know beside the number, a line each.
    """

    name: str
    published: float
    ours: float
    difference: float
    allowed: float
    notes: tuple[str, ...] = ()
