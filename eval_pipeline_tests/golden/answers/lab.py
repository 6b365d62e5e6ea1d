"""The golden instruments of the lab, each answered by our public functions."""

from collections.abc import Callable, Mapping
from typing import Any

from eval_pipeline.lab.judges import Bias, Layout, expected_win_rate, flip_threshold, jury_majority


def expected(true: float, b: float = 0.0, layout: Layout | None = None) -> Any:
    if layout is None:
        return {"b_star": flip_threshold(true)}
    return expected_win_rate(true, Bias(position=b), layout)


INSTRUMENTS: Mapping[str, Callable[..., Any]] = {
    "bias_lab_expected": expected,
    "jury_majority": jury_majority,
}
