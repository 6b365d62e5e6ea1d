"""Where the names of points stand, so that they cover neither points nor lines nor each other."""

from collections.abc import Sequence

Place = tuple[float, float]  # points of 1/72 inch, from the lower left
Piece = tuple[Place, Place]  # a straight line

LETTER, LINE = 5.6, 11.0  # width of a letter and height of a line, at the size of such names
MARK = 5.0  # half the width of a point's mark
NEAR = 9.0  # from a point to its name


def label_offsets(
    labels: Sequence[str], points: Sequence[Place], pieces: Sequence[Piece]
) -> list[Place]:
    """For each point, the offset of its name's left middle; the first of the places that is free.

    Tried are right, below, above and left of the point, near and then farther off; where none is
    free, the one that covers least. Earlier points choose first.
    """
    taken: list[tuple[Place, Place]] = []
    offsets = []
    for label, (x, y) in zip(labels, points, strict=True):
        width = LETTER * len(label)
        tried = [
            (NEAR, 0.0),
            (NEAR, -NEAR),
            (NEAR, NEAR),
            (-width / 2, -1.6 * NEAR),
            (-width / 2, 1.6 * NEAR),
            (-width - NEAR, 0.0),
            (-width - NEAR, -NEAR),
            (-width - NEAR, NEAR),
            (-MARK, -4 * NEAR),  # beyond the bar of its interval
            (-MARK, 4 * NEAR),
        ]
        boxes = [
            ((x + dx, y + dy - LINE / 2), (x + dx + width, y + dy + LINE / 2)) for dx, dy in tried
        ]
        covered = [
            3 * sum(_overlap(box, other) for other in taken)
            + 3 * sum(_overlap(box, _mark(point)) for point in points)
            + sum(_crosses(box, piece) for piece in pieces)
            + 3 * (box[0][0] < 0)
            for box in boxes
        ]
        best = covered.index(min(covered))
        taken.append(boxes[best])
        offsets.append(tried[best])
    return offsets


def _mark(point: Place) -> tuple[Place, Place]:
    x, y = point
    return (x - MARK, y - MARK), (x + MARK, y + MARK)


def _overlap(one: tuple[Place, Place], other: tuple[Place, Place]) -> bool:
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    return a < g and e < c and b < h and f < d


def _crosses(box: tuple[Place, Place], piece: Piece) -> bool:
    """Whether any of the piece lies in the box, looked at in steps of a few points."""
    (x0, y0), (x1, y1) = piece
    steps = max(int(max(abs(x1 - x0), abs(y1 - y0)) / 3), 1)
    (left, low), (right, high) = box
    return any(
        left <= x0 + (x1 - x0) * k / steps <= right and low <= y0 + (y1 - y0) * k / steps <= high
        for k in range(steps + 1)
    )
