"""Figures of intervals, curves, matrices and counts as self-contained SVG: rows in, text out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval_pipeline.reporting.figures.drawing import (
    BLUE,
    CYCLE,
    GREY,
    MARKERS,
    VERMILION,
    WIDTH_INCHES,
    blank,
    house_style,
    plain,
    svg,
)

MOST_WITH_RANGES = 6  # names in a matrix whose cells have room for an interval


@dataclass(frozen=True)
class Whisker:
    """One estimate to draw: its name, value and interval; None where undefined."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    bar: float | None = None
    emphasis: bool = False


@dataclass(frozen=True)
class Bin:
    """One bin of a reliability diagram: edges, samples, mean chance, share right, its interval."""

    low: float
    high: float
    n_samples: int
    mean_confidence: float
    share_right: float
    ci_low: float | None = None
    ci_high: float | None = None


def interval_figure(
    rows: Sequence[Whisker],
    axis_label: str,
    alt: str,
    reference: float | None = None,
) -> str:
    """A dot and whisker for each row, first row on top; undefined rows say so.

    reference: a value marked by a dashed line. A row's `bar` is drawn as a grey band around 0.
    """
    with house_style():
        figure, axes = blank(rows=len(rows))
        for i, row in enumerate(rows):
            y = len(rows) - 1 - i
            if row.bar is not None:
                axes.fill_betweenx(
                    [y - 0.32, y + 0.32], -row.bar, row.bar, color="#D1D5DB", linewidth=0
                )
            if row.value is None:
                axes.text(0.02, y, "undefined", color=GREY, va="center", transform=_row_frame(axes))
                continue
            colour = VERMILION if row.emphasis else BLUE
            if row.low is not None and row.high is not None:
                axes.plot([row.low, row.high], [y, y], color=colour, linewidth=2.2)
            marker = "D" if row.emphasis else "o"
            axes.plot([row.value], [y], marker=marker, color=colour, markersize=6.5)
        if reference is not None:
            axes.axvline(reference, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(range(len(rows)), [plain(row.label) for row in reversed(rows)], fontsize=10)
        axes.set_ylim(-0.7, len(rows) - 0.3)
        axes.set_xlabel(axis_label)
        axes.grid(axis="x", color="#E5E7EB", linewidth=0.8)
        axes.set_axisbelow(True)
        return svg(figure, alt)


def curve_figure(
    curves: Mapping[str, Sequence[tuple[int, float, float | None, float | None]]],
    axis_label: str,
    alt: str,
) -> str:
    """One line with its band for each name; points are (k, value, low, high)."""
    with house_style():
        figure, axes = blank(rows=7)
        for i, (name, points) in enumerate(sorted(curves.items())):
            colour, marker = CYCLE[i % len(CYCLE)], MARKERS[i % len(MARKERS)]
            ks = [k for k, _, _, _ in points]
            axes.plot(
                ks, [v for _, v, _, _ in points], color=colour, marker=marker, label=plain(name)
            )
            banded = [
                (k, low, high) for k, _, low, high in points if low is not None and high is not None
            ]
            if banded:
                axes.fill_between(
                    [k for k, _, _ in banded],
                    [low for _, low, _ in banded],
                    [high for _, _, high in banded],
                    color=colour,
                    alpha=0.15,
                    linewidth=0,
                )
        ticks = sorted({k for points in curves.values() for k, _, _, _ in points})
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [str(k) for k in ticks])
        axes.minorticks_off()
        axes.set_xlabel("k draws")
        axes.set_ylabel(axis_label)
        axes.grid(color="#E5E7EB", linewidth=0.8)
        axes.legend(frameon=False, fontsize=9)
        return svg(figure, alt)


def reliability_figure(bins: Sequence[Bin], alt: str) -> str:
    """Share right against stated chance, a point a bin with its interval, on the diagonal.

    The size of a point and the bars below say how many samples a bin holds. Below the diagonal the
    chances are too high.
    """
    with house_style():
        figure = Figure(figsize=(WIDTH_INCHES * 0.78, WIDTH_INCHES * 0.86), layout="constrained")
        axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=1.2, linestyle=(0, (4, 3)))
        aslant = {"rotation": 45, "rotation_mode": "anchor", "transform_rotates_text": True}
        axes.text(0.03, 0.05, "as stated", color=GREY, fontsize=9, **aslant)
        ordered = sorted(bins, key=lambda one: one.mean_confidence)
        x, y = [one.mean_confidence for one in ordered], [one.share_right for one in ordered]
        axes.plot(x, y, color=BLUE, linewidth=0.9, alpha=0.6)
        for one in ordered:
            if one.ci_low is not None and one.ci_high is not None:
                axes.plot([one.mean_confidence] * 2, [one.ci_low, one.ci_high], color=BLUE)
        most = max(one.n_samples for one in bins)
        areas = [20 + 60 * one.n_samples / most for one in ordered]
        axes.scatter(x, y, s=areas, color=BLUE, edgecolor="white", zorder=3)
        middles = [(one.low + one.high) / 2 for one in ordered]
        widths = [max(one.high - one.low, 0.004) for one in ordered]
        below.bar(
            middles, [one.n_samples for one in ordered], widths, color=GREY, edgecolor="white"
        )
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel="share right")
        axes.grid(color="#E5E7EB", linewidth=0.8)
        axes.set_axisbelow(True)
        below.set(xlabel="stated chance of being right", ylabel="samples")
        return svg(figure, alt)


def matrix_figure(
    names: Sequence[str],
    cells: Mapping[tuple[str, str], float],
    alt: str,
    ranges: Mapping[tuple[str, str], tuple[float, float]] | None = None,
) -> str:
    """Chance that the row beats the column, as shaded numbers; empty where it is undefined.

    ranges: intervals, written below the numbers where there are at most `MOST_WITH_RANGES` names.
    """
    written = (ranges or {}) if len(names) <= MOST_WITH_RANGES else {}
    with house_style():
        figure, axes = blank(rows=max(3, len(names)) * 1.4)
        shades = mpl.colormaps["PuOr"]
        for i, row in enumerate(names):
            for j, column in enumerate(names):
                value = cells.get((row, column))
                if row == column or value is None:
                    continue
                y = len(names) - 1 - i
                axes.fill_between(
                    [j - 0.5, j + 0.5], y - 0.5, y + 0.5, color=shades(1 - value), linewidth=0
                )
                colour = "white" if abs(value - 0.5) > 0.3 else "black"
                around = written.get((row, column))
                lift = 0.12 if around else 0.0
                axes.text(j, y + lift, f"{value:.2f}", ha="center", va="center", color=colour)
                if around:
                    axes.text(
                        j,
                        y - 0.2,
                        f"{around[0]:.2f} to {around[1]:.2f}",
                        ha="center",
                        va="center",
                        color=colour,
                        fontsize=8,
                    )
        axes.set_xticks(range(len(names)), [plain(n) for n in names], rotation=25, ha="right")
        axes.set_yticks(range(len(names)), [plain(n) for n in reversed(names)])
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(-0.5, len(names) - 0.5)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return svg(figure, alt)


def stacked_figure(
    counts: Mapping[str, Mapping[str, int]], order: Sequence[str], axis_label: str, alt: str
) -> str:
    """A bar of counts for each name, split by kind in a fixed order."""
    hatches = ("", "///", "...", "xxx", "\\\\\\", "ooo", "+++")
    with house_style():
        kinds = [kind for kind in order if any(row.get(kind) for row in counts.values())]
        figure, axes = blank(rows=len(counts) + 1)
        names = list(counts)
        left = [0] * len(names)
        for i, kind in enumerate(kinds):
            widths = [counts[name].get(kind, 0) for name in names]
            axes.barh(
                range(len(names) - 1, -1, -1),
                widths,
                left=left,
                color=CYCLE[i % len(CYCLE)],
                hatch=hatches[i % len(hatches)],
                edgecolor="white",
                label=kind,
                height=0.62,
            )
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axes.set_yticks(range(len(names)), [plain(n) for n in reversed(names)])
        axes.set_xlabel(axis_label)
        axes.legend(frameon=False, fontsize=9, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0))
        return svg(figure, alt)


def _row_frame(axes: Axes) -> Any:
    """x as a share of the axes, y in rows."""
    return axes.get_yaxis_transform()
