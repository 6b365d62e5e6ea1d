"""Mean scores on a rubric: a block for each checkpoint, a line in it for each criterion."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.reporting.figures.drawing import (
    BLACK,
    CYCLE,
    GREY,
    GRID,
    MARKERS,
    blank,
    house_style,
    plain,
    svg,
)

GAP = 0.8  # between checkpoints, in lines
LEGEND_COLUMNS = 4
ROOM = 0.15  # beside the outermost interval, as a share of what is drawn


@dataclass(frozen=True)
class Scored:
    """The mean score of one checkpoint on one criterion; None where undefined."""

    checkpoint: str
    criterion: str
    value: float | None
    low: float | None
    high: float | None


def score_figure(rows: Sequence[Scored], axis: str, alt: str) -> str:
    """SVG: checkpoints in the order of the rows, and in each the criteria in theirs.

    The first criterion is the whole, and stands in black.
    """
    checkpoints = list(dict.fromkeys(row.checkpoint for row in rows))
    criteria = list(dict.fromkeys(row.criterion for row in rows))
    block = len(criteria) + GAP
    with house_style():
        figure, axes = blank(rows=0.62 * block * len(checkpoints))
        for row in rows:
            n = criteria.index(row.criterion)
            y = -(checkpoints.index(row.checkpoint) * block + n)
            if row.value is None:
                axes.text(
                    0.02,
                    y,
                    "undefined",
                    color=GREY,
                    va="center",
                    fontsize=9,
                    transform=axes.get_yaxis_transform(),
                )
                continue
            colour = BLACK if n == 0 else CYCLE[(n - 1) % (len(CYCLE) - 1)]
            if row.low is not None and row.high is not None:
                axes.plot([row.low, row.high], [y, y], color=colour, linewidth=2.4 - (n > 0))
            first = row.checkpoint == checkpoints[0]
            axes.plot(
                [row.value],
                [y],
                marker=MARKERS[n % len(MARKERS)],
                color=colour,
                markersize=7 if n == 0 else 5.5,
                linestyle="none",
                label=plain(row.criterion) if first else None,
            )
        middles = [-(i * block + (len(criteria) - 1) / 2) for i in range(len(checkpoints))]
        axes.set_yticks(middles, [plain(name) for name in checkpoints], fontsize=10)
        axes.set_ylim(-(block * len(checkpoints) - GAP), 1 - GAP / 2)
        for i in range(1, len(checkpoints)):
            axes.axhline(-(i * block) + (1 + GAP) / 2, color=GRID, linewidth=0.8)
        axes.set_xlim(*_limits(rows))
        axes.set_xlabel(axis)
        axes.grid(axis="x", color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(
                frameon=False,
                fontsize=9,
                ncols=min(len(criteria), LEGEND_COLUMNS),
                columnspacing=1.0,
                handletextpad=0.2,
                loc="lower right",
                bbox_to_anchor=(1.0, 1.0),
            )
        return svg(figure, alt)


def _limits(rows: Sequence[Scored]) -> tuple[float, float]:
    known = [end for row in rows for end in (row.low, row.value, row.high) if end is not None]
    if not known:
        return 0.0, 1.0
    room = ROOM * (max(known) - min(known)) or ROOM
    return min(known) - room, max(known) + room
