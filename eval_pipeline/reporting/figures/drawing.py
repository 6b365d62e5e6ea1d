"""What every figure shares: colours, sizes, and how it becomes SVG or PNG.

No pyplot state, no date, a fixed hash salt: the same rows give the same bytes. Colours are those
of Okabe and Ito, told apart by people with any colour vision; shapes repeat what colours say.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font

from eval_pipeline.reporting.escaping import for_html, shortened, visible

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#6B7280"
SKY, PURPLE, BLACK = "#56B4E9", "#CC79A7", "#000000"
GRID, BAND = "#E5E7EB", "#D1D5DB"
CYCLE = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
WIDTH_INCHES = 5.6
LABEL_CHARS = 34
DPI = 144

_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "eval_pipeline",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9CA3AF",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "text.parse_math": False,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Fonts, lines and salt of every figure, while the block draws."""
    with mpl.rc_context(_STYLE):
        yield


def blank(rows: float, width: float = WIDTH_INCHES) -> tuple[Figure, Axes]:
    """An empty figure of so many text rows."""
    figure = Figure(figsize=(width, 0.95 + 0.36 * max(rows, 2)), layout="constrained")
    return figure, figure.add_subplot()


def plain(text: str) -> str:
    """A name as it may stand in a figure: one line, printable, not too long.

    A character that the font lacks is an empty box: the stand-in of another font is so wide that
    such names leave no room for the axes.
    """
    label = shortened(visible(text, keep=""), LABEL_CHARS)
    return "".join(one if ord(one) in _drawable() else "\N{WHITE SQUARE}" for one in label)


@cache
def _drawable() -> frozenset[int]:
    """Code points that the figures' font has."""
    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


def svg(figure: Figure, alt: str) -> str:
    """The figure as an SVG element with a title for those who cannot see it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    body = text[text.index("<svg") :]
    opening, rest = body.split(">", 1)
    title = for_html(alt)
    return f'{opening} role="img" aria-label="{title}"><title>{title}</title>{rest}'


def png(figure: Figure) -> bytes:
    """The figure as the bytes of a PNG file."""
    buffer = io.BytesIO()
    with house_style():
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()
