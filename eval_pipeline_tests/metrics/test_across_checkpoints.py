"""Items, metrics and safety judged over several checkpoints, end to end, on planted data."""

import numpy as np
import pytest

from eval_pipeline.contracts.faults import ContractFaults
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.metrics.safety.rows import frontier_rows
from eval_pipeline.reporting.sections import across
from eval_pipeline.reporting.tables import ReportTables
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.integration.across_checkpoints import (
    DIFFICULTY,
    ITEMS,
    UNFAIR,
    WRONG_KEY,
    text,
    write_across,
)
from eval_pipeline_tests.orchestration.plainly import run_plainly


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = DataRoot(tmp_path_factory.mktemp("across") / "data")
    write_across(root, text())
    run_plainly(root)
    return root


def rows(root, table):
    found = succeeded(root.path, "query", f"select * from {table} order by all", "--json").json
    return found["rows"] if isinstance(found, dict) else found


def test_items_get_facility_discrimination_and_a_curve(root):
    found = rows(root, "item_analysis")
    assert [row["item_id"] for row in found] == [f"i{i:02}" for i in range(ITEMS)]
    facility = np.array([row["facility"] for row in found])
    assert np.corrcoef(facility[np.arange(ITEMS) != WRONG_KEY],
                       DIFFICULTY[np.arange(ITEMS) != WRONG_KEY])[0, 1] < -0.9  # fmt: skip
    assert min(found, key=lambda row: row["discrimination"])["item_id"] == f"i{WRONG_KEY}"
    assert found[WRONG_KEY]["discrimination"] < -0.5
    assert found[WRONG_KEY]["slope"] < 0
    assert all(row["status"] == "ok" and row["n_checkpoints"] == 6 for row in found)
    fitted = [i for i in range(ITEMS) if i not in (UNFAIR, WRONG_KEY)]
    place = np.array([found[i]["difficulty"] for i in fitted])
    assert np.corrcoef(place, DIFFICULTY[fitted])[0, 1] > 0.95
    assert {row["curve_reason"] for row in found} == {
        "no standard errors: respondents are fewer than parameters, or resemble each other"
    }


def test_an_item_that_is_harder_for_one_family_at_equal_ability_is_found(root):
    found = rows(root, "differential_functioning")
    unfair = found[UNFAIR]
    assert unfair["size"] == "C"
    assert unfair["ets_delta"] < -2
    assert unfair["p_adjusted"] == min(row["p_adjusted"] for row in found) < 0.01
    assert {row["adjustment"] for row in found} == {"holm"}
    assert sum(row["p_adjusted"] < 0.05 for row in found) == 1


def test_a_metric_is_held_against_the_people_who_labelled_the_pairs(root):
    found = {row["metric"]: row for row in rows(root, "metric_validity")}
    assert list(found) == ["mean_score", "pass@1"]
    one = found["mean_score"]
    assert one["n_pairs"] == 3 * ITEMS
    assert one["outcome"] == "within"
    assert one["ci_low"] < one["value"] < one["ci_high"] <= 1


def test_the_least_attack_success_within_the_budget_is_named(root):
    found = {row["checkpoint"]: row for row in rows(root, "safety_frontier")}
    assert [name for name, row in found.items() if row["best"]] == ["elk@3"]
    assert found["owl@3"]["attack_success_rate"] == 0
    assert found["owl@3"]["within_budget"] is False
    assert found["elk@1"]["within_budget"] is True


def test_the_report_shows_them(root):
    page = root.path / "report.html"
    succeeded(root.path, "report", "sums", "--out", str(page))
    html = page.read_text(encoding="utf-8")
    for heading in ("Items", "Metrics against people", "Safety within the budget"):
        assert f"{heading}</h2>" in html


def item(**changed):
    row = {"item_id": "i1", "facility": 0.5, "discrimination": -0.4, "n_checkpoints": 4}
    row |= dict.fromkeys(("slope", "slope_se", "difficulty", "difficulty_se", "reason"))
    return row | {"curve_reason": "too few respondents"} | changed


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            item(),
            "luck: 1 of 1 items have one, and over 4 checkpoints chance alone gives many items",
        ),
        (item(n_checkpoints=10), "A negative discrimination is a likely error in the key. No curv"),
        (item(slope=1.0), '<th scope="col">Slope'),
        (item(discrimination=None, reason="one"), "1 item has none (one). No curves: too few"),
    ],
)
def test_the_report_says_what_an_items_numbers_are_worth(row, told):
    shown = str(across.items(ReportTables({"item_analysis": [row]}, {})))
    assert told in shown


def estimates(**rates):
    keys = {"slice": "all", "policy": "primary", "reason": "few requests"}
    return [
        {"checkpoint": name, "metric": metric, "value": value, "ci_low": None, "ci_high": high,
         **keys}
        for name, (attack, refusal, high) in rates.items()
        for metric, value in (("attack_success_rate", attack), ("false_refusal_rate", refusal))
    ]  # fmt: skip


def test_a_checkpoint_without_a_rate_or_its_end_is_neither_within_nor_beyond():
    made = estimates(a=(0.2, 0.1, 0.15), b=(None, 0.1, 0.15), c=(0.1, 0.1, None))
    found = {row["checkpoint"]: row for row in frontier_rows(made, 0.2, "upper_end")}
    assert found["a"]["best"] is True
    assert found["b"]["within_budget"] is None
    assert found["b"]["reason"] == "no attack_success_rate: few requests"
    assert found["c"]["reason"].startswith("false_refusal_rate has no upper end")
    none = frontier_rows(estimates(a=(0.2, 0.5, 0.6)), 0.2, "value")
    assert none[0]["best"] is False
    assert none[0]["reason"] == (
        "no point keeps false refusals within 0.2: the closest, a, has 0.5"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{name: attack_success_rate}, ", "", "needs the metric attack_success_rate"),
        ("focal: [elk]", "focal: [owl]", "is owl, which is in reference too"),
        ("focal: [elk]", "focal: [elks]", "did you mean elk?"),
        ("strata: 6", "strata: 1", "is 1, must be at least 2"),
        ("at_least: 0.3", "at_least: 1.5", "must be below 1; lower it"),
        ("[people]", "[people, people]", "name people twice"),
        ("false_refusal_budget: 0.2", "", "say what share of benign requests"),
    ],
)
def test_a_section_that_cannot_be_made_is_refused_with_the_mend(tmp_path, old, new, told):
    root = DataRoot(tmp_path)
    path = root.contract_file("sums", 1)
    path.parent.mkdir(parents=True)
    assert old in text()
    path.write_text(text().replace(old, new), encoding="utf-8")
    with pytest.raises(ContractFaults) as fault:
        load_contract(root, path)
    assert told in str(fault.value)
