"""The acts of judging as one figure for a reader who knows no statistics.

The picture has two sides: left of the middle an answer says that the worse model wins, right of it
that the better one does. A row's line is all that its answer leaves open.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from eval_pipeline.reporting.figures.drawing import (
    GREEN,
    GREY,
    ORANGE,
    VERMILION,
    house_style,
    plain,
    svg,
)

MIDDLE = 0.5
INK = "#1F2937"
SIDES = {"wrong": "#FBE9E0", "right": "#E3F3EC"}
# What the answer is worth: its colour, its mark, and the same in plain words.
WORTH = {
    "CONFIDENTLY WRONG": (VERMILION, "D", "sure of itself, and wrong"),
    "NOISY": (ORANGE, "s", "cannot tell which is better"),
    "TRUSTWORTHY": (GREEN, "o", "sure of itself, and right"),
}


@dataclass(frozen=True)
class ActRow:
    """One act: its name, the better model's win rate by it, its interval, and its worth."""

    name: str
    value: float
    low: float
    high: float
    worth: str  # a key of WORTH


def acts_figure(rows: Sequence[ActRow], better: str, worse: str, truth: float, alt: str) -> str:
    """A line for each act, the first on top, with what it is worth in words beside it."""
    low = min(MIDDLE - 0.05, *(row.low for row in rows)) - 0.02
    high = max(MIDDLE + 0.05, truth, *(row.high for row in rows)) + 0.02
    with house_style():
        figure = Figure(figsize=(9.2, 0.62 * len(rows) + 1.7), layout="constrained")
        axes = figure.subplots()
        axes.axvspan(low, MIDDLE, color=SIDES["wrong"], linewidth=0)
        axes.axvspan(MIDDLE, high, color=SIDES["right"], linewidth=0)
        axes.axvline(truth, color=GREY, linewidth=1.6, linestyle=(0, (4, 3)))
        above = axes.get_xaxis_transform()
        ends = (
            (low, "left", f"says that {worse} wins"),
            (high, "right", f"says that {better} wins"),
        )
        for x, side, text in ends:
            axes.text(x, 1.02, plain(text), ha=side, va="bottom", color=INK, transform=above)
        axes.text(truth, 0.015, f" truth: {truth:.0%}", va="bottom", color=INK, transform=above)
        for i, row in enumerate(rows):
            y, (colour, marker, words) = len(rows) - 1 - i, WORTH[row.worth]
            axes.plot([row.low, row.high], [y, y], color=colour, linewidth=4, alpha=0.55)
            axes.plot([row.value], [y], marker=marker, color=colour, markersize=8)
            beside = axes.get_yaxis_transform()
            axes.plot(1.03, y, marker, color=colour, markersize=8, transform=beside, clip_on=False)
            said = f"{row.worth}\n{words}"
            axes.text(1.05, y, said, va="center", fontsize=9.5, color=INK, transform=beside)
        axes.set_yticks(range(len(rows)), [plain(row.name) for row in reversed(rows)], fontsize=11)
        axes.set_ylim(-0.8, len(rows) - 0.3)
        axes.set_xlim(low, high)
        axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.set_xlabel(
            f"how often {plain(better)}, the better model, is said to win; "
            "a line covers all that the answer leaves open"
        )
        return svg(figure, alt)
