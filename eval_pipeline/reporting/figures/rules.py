"""Figures of what a rule does: its operating curve, and the frontier it leaves to choose from."""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from eval_pipeline.reporting.figures.drawing import (
    BLUE,
    GREEN,
    GREY,
    GRID,
    VERMILION,
    blank,
    house_style,
    plain,
    svg,
)
from eval_pipeline.reporting.figures.label_places import Place, label_offsets

BENEATH_CHARS = 92
PAPER = (330.0, 190.0)  # about what the axes of a frontier measure, in points


@dataclass(frozen=True)
class CurvePoint:
    """Shares of simulated experiments at one true difference; low, high: of `ship`."""

    difference: float
    ship: float
    low: float
    high: float
    reject: float


def operating_figure(
    points: Sequence[CurvePoint],
    bars: Sequence[float],
    axis_label: str,
    title: str,
    beneath: str = "",
) -> Figure:
    """P(ship) and P(reject) against the true difference; dashed lines at the rule's bars.

    beneath: what the experiments hold and leave out, in small letters below the axis.
    """
    with house_style():
        figure, axes = blank(rows=8)
        ordered = sorted(points, key=lambda one: one.difference)
        x = [one.difference for one in ordered]
        axes.fill_between(
            x, [one.low for one in ordered], [one.high for one in ordered], color=BLUE, alpha=0.15
        )
        axes.plot(x, [one.ship for one in ordered], color=BLUE, marker="o", label="ships")
        axes.plot(
            x,
            [one.reject for one in ordered],
            color=VERMILION,
            marker="s",
            linestyle=(0, (4, 2)),
            label="is rejected",
        )
        for bar in bars:
            axes.axvline(bar, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
            axes.annotate(
                f"bar {bar:+g}",
                (bar, 1.0),
                xytext=(3, 4),
                textcoords="offset points",
                color=GREY,
                fontsize=9,
                annotation_clip=False,
            )
        axes.axvline(0, color="#9CA3AF", linewidth=0.8)
        axes.set(ylim=(-0.02, 1.02), xlabel=axis_label, ylabel="share of experiments")
        axes.set_title(title, pad=18)
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.legend(frameon=False, fontsize=9, loc="center left")
        if beneath:
            said = "\n".join(textwrap.wrap(beneath, BENEATH_CHARS))
            figure.supxlabel(said, fontsize=8, color=GREY, ha="left", x=0.02)
        return figure


@dataclass(frozen=True)
class FrontierPoint:
    """A checkpoint on the plane of cost and quality; low, high: of its quality."""

    label: str
    quality: float
    cost: float
    low: float | None
    high: float | None
    standing: str  # frontier, dominated or disqualified


_LOOKS = {"frontier": (GREEN, "o"), "dominated": (GREY, "s"), "disqualified": (VERMILION, "X")}


def frontier_figure(
    choices: Sequence[FrontierPoint], cost_label: str, quality_label: str, alt: str
) -> str:
    """Quality against cost, a mark a checkpoint; those on the frontier are joined."""
    with house_style():
        figure, axes = blank(rows=8)
        for standing, (colour, marker) in _LOOKS.items():
            own = [one for one in choices if one.standing == standing]
            for one in own:
                if one.low is not None and one.high is not None:
                    axes.plot([one.cost] * 2, [one.low, one.high], color=colour, linewidth=1.6)
            if own:
                axes.scatter(
                    [one.cost for one in own],
                    [one.quality for one in own],
                    color=colour,
                    marker=marker,
                    s=46,
                    label=standing,
                    zorder=3,
                )
        best = sorted(
            (one for one in choices if one.standing == "frontier"), key=lambda one: one.cost
        )
        axes.plot(
            [one.cost for one in best], [one.quality for one in best], color=GREEN, linewidth=0.9
        )
        costs = [one.cost for one in choices]
        room = (max(costs) - min(costs)) or math.fabs(max(costs)) or 1.0
        x_ends = (min(costs) - 0.08 * room, max(costs) + 0.45 * room)
        axes.margins(y=0.2)
        axes.set_xlim(*x_ends)
        names = [plain(one.label) for one in choices]
        for one, name, offset in zip(
            choices, names, _offsets(choices, best, names, x_ends, axes.get_ylim()), strict=True
        ):
            axes.annotate(
                name,
                (one.cost, one.quality),
                xytext=offset,
                textcoords="offset points",
                fontsize=9,
                va="center",
            )
        axes.set(xlabel=cost_label, ylabel=quality_label)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.legend(frameon=False, fontsize=9, ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))
        return svg(figure, alt)


def _offsets(
    choices: Sequence[FrontierPoint],
    best: Sequence[FrontierPoint],
    names: Sequence[str],
    x_ends: Place,
    y_ends: Place,
) -> list[Place]:
    """Where the names stand beside their points, off the bars and the line."""

    def on_paper(cost: float, quality: float) -> Place:
        return (
            (cost - x_ends[0]) / (x_ends[1] - x_ends[0]) * PAPER[0],
            (quality - y_ends[0]) / (y_ends[1] - y_ends[0]) * PAPER[1],
        )

    line = [on_paper(one.cost, one.quality) for one in best]
    bars = [
        (on_paper(one.cost, one.low), on_paper(one.cost, one.high))
        for one in choices
        if one.low is not None and one.high is not None
    ]
    points = [on_paper(one.cost, one.quality) for one in choices]
    return label_offsets(names, points, [*bars, *pairwise(line)])
