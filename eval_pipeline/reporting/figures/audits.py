"""One figure of all audits that have a bar: who passes, who does not, and by how much.

Audits have different units, so each is drawn in units of its own bar: the grey band is what the
contract allows, and a judge passes where the whole interval lies inside it. A floor is drawn by
what is lacking: 0 where nothing lacks, 1 on the floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
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

WIDTH_INCHES = 6.6
REACH = 3.0  # bars: beyond this an arrow shows that the interval goes on
BAND, INK = "#E5E7EB", "#1F2937"
COLOURS = {"within": GREEN, "outside": VERMILION, "undecided": ORANGE, "not_audited": GREY}
MARKERS = {"within": "o", "outside": "D", "undecided": "s"}
LICENCES = {"licensed": GREEN, "refused": VERMILION, "not_enough_labels": ORANGE}


@dataclass(frozen=True)
class AuditRow:
    """One audit of one judge; value None where undefined, low and high where there is none."""

    audit: str
    value: float | None
    low: float | None
    high: float | None
    bar: float
    outcome: str
    is_floor: bool = False

    def scaled(self, value: float) -> float:
        """The value in units of the bar; of a floor, what lacks to 1 in units of 1 - floor."""
        if not self.is_floor:
            return value / self.bar if self.bar else value
        return (1.0 - value) / (1.0 - self.bar) if self.bar < 1 else 2.0 - value / self.bar


@dataclass(frozen=True)
class JudgePanel:
    """One judge, its licence, and its audits."""

    judge: str
    licence: str
    rows: Sequence[AuditRow]


def audit_figure(panels: Sequence[JudgePanel], alt: str) -> str:
    """SVG: a block for each judge, its licence written over it, one line an audit."""
    heights = [len(panel.rows) + 1.5 for panel in panels]
    with house_style():
        figure = Figure(figsize=(WIDTH_INCHES, 0.9 + 0.3 * sum(heights)), layout="constrained")
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)
        for place, panel in zip(axes[:, 0], panels, strict=True):
            _panel(place, panel)
        axes[-1, 0].set_xlabel("in units of the contract's bar (grey: allowed)")
        return svg(figure, alt)


def _panel(axes: Axes, panel: JudgePanel) -> None:
    said = panel.licence.replace("_", " ").upper()
    colour = LICENCES.get(panel.licence, GREY)
    axes.set_title(f"{plain(panel.judge)}: {said}", color=colour, fontweight="bold")
    axes.axvspan(-1.0, 1.0, color=BAND, linewidth=0)
    axes.axvline(0.0, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
    for i, row in enumerate(panel.rows):
        _row(axes, len(panel.rows) - 1 - i, row)
    names = [plain(row.audit.replace("_", " ")) for row in reversed(panel.rows)]
    axes.set_yticks(range(len(names)), names, fontsize=9.5)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlim(-REACH, REACH)
    axes.set_axisbelow(True)


def _row(axes: Axes, y: int, row: AuditRow) -> None:
    colour = COLOURS.get(row.outcome, GREY)
    right = axes.get_yaxis_transform()
    axes.text(1.03, y, _told(row), va="center", fontsize=9.5, color=INK, transform=right)
    if row.value is None:
        return
    if row.low is not None and row.high is not None:
        ends = sorted(row.scaled(end) for end in (row.low, row.high))
        clipped = [min(max(end, -REACH), REACH) for end in ends]
        axes.plot(clipped, [y, y], color=colour, linewidth=2.2)
        for end, shown, marker in zip(ends, clipped, ("<", ">"), strict=True):
            if end != shown:
                axes.plot([shown], [y], marker=marker, color=colour, markersize=7, clip_on=False)
    value = row.scaled(row.value)
    if abs(value) <= REACH:
        marker = MARKERS.get(row.outcome, "o")
        axes.plot([value], [y], marker=marker, color=colour, markersize=6)


def _told(row: AuditRow) -> str:
    kind = "at least" if row.is_floor else "bar"
    outcome = row.outcome.replace("_", " ")
    if row.value is None:
        return f"{outcome}, {kind} {row.bar:g}"
    return f"{row.value:z.3f}, {kind} {row.bar:g}: {outcome}"
