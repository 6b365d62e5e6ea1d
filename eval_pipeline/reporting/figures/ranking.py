"""Figures of judged contracts: who leads and by how much, what length control moves, cycles."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval_pipeline.reporting.figures.drawing import (
    BAND,
    BLUE,
    GREY,
    GRID,
    ORANGE,
    VERMILION,
    blank,
    house_style,
    plain,
    svg,
)


@dataclass(frozen=True)
class Ranked:
    """A model behind the leader: gap in logits with its simultaneous interval, and its rank set.

    None where undefined; the leader's gap is 0 and has no interval.
    """

    label: str
    gap: float | None
    low: float | None
    high: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None


@dataclass(frozen=True)
class Moved:
    """A win rate before length control and after it, with the interval of the latter."""

    label: str
    before: float | None
    after: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Cyclic:
    """How much of a judge's preference runs in circles, and the p-value of the fit without it."""

    label: str
    share: float | None
    p_value: float | None


def leaderboard_figure(rows: Sequence[Ranked], alt: str) -> str:
    """Gaps to the leader on the left, the ranks that are not excluded on the right."""
    with house_style():
        figure, _ = blank(rows=len(rows) + 0.6)
        figure.clear()
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        for i, row in enumerate(rows):
            y = len(rows) - 1 - i
            if row.gap is None:
                left.text(
                    0.02,
                    y,
                    "undefined",
                    color=GREY,
                    va="center",
                    transform=left.get_yaxis_transform(),
                )
            else:
                if row.low is not None and row.high is not None:
                    left.plot([row.low, row.high], [y, y], color=BLUE, linewidth=2.2)
                left.plot([row.gap], [y], marker="o", color=BLUE, markersize=6.5)
            if row.rank_low is None or row.rank_high is None:
                continue
            right.fill_betweenx(
                [y - 0.22, y + 0.22],
                row.rank_low - 0.3,
                row.rank_high + 0.3,
                color=BAND,
                linewidth=0,
            )
            if row.rank is not None:
                right.plot([row.rank], [y], marker="D", color=BLUE, markersize=5.5)
            right.text(
                row.rank_high + 0.42,
                y,
                rank_text(row.rank_low, row.rank_high),
                va="center",
                fontsize=9,
            )
        left.axvline(0, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
        left.set_yticks(range(len(rows)), [plain(row.label) for row in reversed(rows)])
        left.set_ylim(-0.7, len(rows) - 0.3)
        left.set_xlabel("logits, leader at 0")
        right.set_xlabel("rank set")
        right.set_xlim(0.4, 1.6 * len(rows) + 1.4)
        right.set_xticks(range(1, len(rows) + 1, 1 + len(rows) // 8))
        for one in (left, right):
            one.grid(axis="x", color=GRID, linewidth=0.8)
            one.set_axisbelow(True)
        right.tick_params(axis="y", length=0)
        return svg(figure, alt)


def rank_text(low: int, high: int) -> str:
    """`1`, or `1–2 (tied)` where the data exclude neither."""
    return f"{low}" if low == high else f"{low}–{high} (tied)"


def change_figure(rows: Sequence[Moved], axis_label: str, alt: str) -> str:
    """A row a model: an open diamond before, an arrow to a dot with its interval after."""
    with house_style():
        figure, axes = blank(rows=len(rows) + 1)
        settled = next((row for row in rows if row.after is not None), None)  # named in the legend
        judged = next((row for row in rows if row.before is not None), None)
        for i, row in enumerate(rows):
            y = len(rows) - 1 - i
            if row.low is not None and row.high is not None:
                axes.plot([row.low, row.high], [y, y], color=BLUE, linewidth=2.2)
            if row.after is not None:
                axes.plot(
                    [row.after],
                    [y],
                    marker="o",
                    color=BLUE,
                    markersize=6.5,
                    linestyle="none",
                    label="at equal length" if row is settled else None,
                )
            else:
                axes.text(
                    1.0,
                    y,
                    "undefined",
                    color=GREY,
                    va="center",
                    ha="right",
                    transform=axes.get_yaxis_transform(),
                )
            if row.before is None:
                continue
            axes.plot(
                [row.before],
                [y + 0.26],
                marker="D",
                color=VERMILION,
                markerfacecolor="white",
                markersize=6,
                linestyle="none",
                label="as judged" if row is judged else None,
            )
            if row.after is not None:
                axes.annotate(
                    "",
                    (row.after, y + 0.08),
                    xytext=(row.before, y + 0.26),
                    arrowprops={"arrowstyle": "->", "color": GREY, "linewidth": 0.9},
                )
        axes.axvline(0.5, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(range(len(rows)), [plain(row.label) for row in reversed(rows)])
        axes.set_ylim(-0.7, len(rows) - 0.1)
        axes.set_xlabel(axis_label)
        axes.grid(axis="x", color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        if settled or judged:
            axes.legend(
                frameon=False, fontsize=9, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0)
            )
        return svg(figure, alt)


def cyclic_figure(rows: Sequence[Cyclic], alt: str) -> str:
    """A bar a judge: the share of its preference that no order of the models can explain."""
    with house_style():
        figure, axes = blank(rows=len(rows) + 0.4)
        for i, row in enumerate(rows):
            y = len(rows) - 1 - i
            if row.share is None:
                axes.text(0.01, y, "undefined", color=GREY, va="center")
                continue
            axes.barh(y, 1.0, color=GRID, height=0.5)
            axes.barh(y, row.share, color=ORANGE, height=0.5)
            said = f"{row.share:.1%}"
            if row.p_value is not None:
                said += f", fit p = {row.p_value:.2g}"
            axes.text(row.share + 0.012, y, said, va="center", fontsize=9)
        axes.set_yticks(range(len(rows)), [plain(row.label) for row in reversed(rows)])
        axes.set(xlim=(0, 1), ylim=(-0.6, len(rows) - 0.4))
        axes.set_xlabel("cyclic share of preference")
        axes.tick_params(axis="y", length=0)
        return svg(figure, alt)
