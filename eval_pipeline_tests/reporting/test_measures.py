"""The section on further metrics: unit, direction, interval, and the reliability diagram."""

import pytest

from eval_pipeline.reporting.figures.charts import Bin, reliability_figure
from eval_pipeline.reporting.report import report_html
from eval_pipeline.reporting.sections.measures import measures
from eval_pipeline_tests.reporting.attacks import ATTACKS
from eval_pipeline_tests.reporting.test_report import NOT_OURS, Elements, tables

BINS = [Bin(0.0, 0.1, 3, 0.05, 0.0), Bin(0.5, 0.6, 40, 0.55, 0.4, 0.3, 0.5)]


def given(text: str, **more):
    found = tables(text)
    row = {
        **found.rows["metric_estimates"][0],
        "metric": "brier_binary",
        "checkpoint": text,
        **more,
    }
    found.rows["metric_estimates"].append(row)
    return found


def test_a_metric_stands_with_its_unit_its_direction_and_what_is_left_out():
    shown = str(measures(given("owl", measured_in="squared error", higher_is_better=False)))
    for said in ("brier_binary", "squared error, lower is better", "0.2500", "2 left out"):
        assert said in shown
    shown = str(measures(given("owl", value=None, higher_is_better=None, ci_method=None)))
    for said in ("undefined", "no interval", "neither direction is better"):
        assert said in shown


def test_what_stands_elsewhere_on_the_page_or_was_written_before_units_is_not_shown():
    assert measures(tables("owl")) is None
    assert measures(given("owl", measured_in=None)) is None
    assert measures(given("owl", metric="refusal_rate")) is None


def test_each_checkpoint_has_its_diagram_and_the_same_bins_give_the_same_bytes():
    shown = str(measures(given("owl")))
    assert "Reliability of the confidences of owl" in shown
    assert reliability_figure(BINS, "owl") == reliability_figure(BINS, "owl")


@pytest.mark.filterwarnings("ignore:Glyph")  # an attack is no text that a font must have
@pytest.mark.parametrize("attack", ATTACKS[::4])
def test_no_text_becomes_markup(attack):
    page = report_html(given(attack))
    assert not NOT_OURS & {tag for tag, _ in Elements(page).seen}


def test_a_reason_takes_the_place_of_an_interval_that_is_not_there() -> None:
    from eval_pipeline.reporting.sections.agreement import _estimate

    row = {"kappa": 0.5, "kappa_low": None, "kappa_high": None}
    said = str(_estimate({**row, "kappa_reason": "no interval: 4 clusters are too few"}, "kappa"))
    assert said.count("no interval") == 1
    assert "no interval" in str(_estimate({**row, "kappa_reason": None}, "kappa"))
