"""Measurements that cannot be read: each leaves its own metric undefined, named, and no other.

One contract asks for metrics of many columns. A sound checkpoint has them all; the others are the
same but for one fault in each of several columns.
"""

import json

import numpy as np
import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, succeeded
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.orchestration.plainly import run_plainly
from eval_pipeline_tests.orchestration.small import CONTRACT

ITEMS, DRAWS = 14, 2
METRICS = (
    "pass_at_k, k: 4",
    "brier_binary",
    "ece_event",
    "confidence_auroc",
    "nll_options",
    "brier_sum",
    "event_auroc",
    "perplexity",
    "bits_per_byte",
    "rubric_score",
    "macro_f1",
    "ndcg, options: {depth: 2}",
    "support_precision",
    "attack_success_rate",
    "bertscore",
    "fid, options: {network: toy}",
)
SOUND = {
    "confidence": 0.7,
    "probabilities": [0.25, 0.75],
    "event_score": 0.5,
    "token_logprobs": [-0.5, -1.5],
    "token_mask": [True, True],
    "marks": {"truth": 4, "style": 2},
    "label": "x",
    "retrieved": ["d1", "d2"],
    "claims": [{"verdict": "supported", "cited": True}],
    "refused": False,
    "harmful_success": False,
    "unauthorized_effect": False,
    "bertscore": 0.5,
    "features": [0.0, 1.0],
}
# What another checkpoint says in the first draw of item i03, and what is said of the metric.
FIRST = "item 'i03', draw 0: "
FAULTS = {
    "broken": {
        "probabilities": ([1.2, -0.2], "nll_options", "a probability is 1.2, outside [0, 1]"),
        "event_score": (True, "event_auroc", "generations.event_score is True, must be a finite"),
        "token_mask": ([True], "perplexity", "2 tokens but a mask of 1"),
        "marks": ({"truth": True, "style": 2}, "rubric_score", "marks on truth[0] is True"),
        "retrieved": (["d1", 3], "ndcg(depth=2)", "must be text or a list of texts"),
        "claims": ([{"verdict": "maybe", "cited": True}], "support_precision", "must be one of"),
        "refused": (1, "attack_success_rate", "generations.refused is 1, must be true or false"),
        "bertscore": (1.5, "bertscore", "bertscore is 1.5, outside -1 to 1"),
        "features": ([0.0, 1.0, 2.0], "fid(network=toy)", "use one network for all"),
    },
    "worse": {
        "probabilities": ([0.5, 0.4], "brier_sum", "probabilities add up to 0.9, not 1"),
        "event_score": (
            "high",
            "event_auroc",
            "generations.event_score is 'high', must be a finite",
        ),
        "token_logprobs": ([], "bits_per_byte", "token_logprobs keep no token"),
        "marks": ({"truth": 6, "style": 2}, "rubric_score", "must be a number in [1, 5]"),
        "claims": ({"verdict": "supported"}, "support_precision", "must be a list of claims"),
        "refused": (None, "attack_success_rate", "have no generations.refused"),
        "bertscore": (False, "bertscore", "bertscore is False, must be a finite number"),
        "features": ([0.0, "1"], "fid(network=toy)", "must be a list of finite numbers"),
    },
}


def contract(clustered_by="item_id", name="sums"):
    text = CONTRACT.format(contract="sums", version=1, status="frozen")
    text = text.replace("contract: sums", f"contract: {name}")
    text = text.replace("draws_per_item: 1", "draws_per_item: 4")
    text = text.replace("unit: {of_analysis: item}", f"unit: {{clustered_by: {clustered_by}}}")
    asked = ", ".join(f"{{name: {metric}}}" for metric in METRICS)
    return text.replace("[{name: pass_at_k, k: 1}]", f"[{asked}]")


def replies(faults=()):
    rows = []
    for i in range(ITEMS):
        for draw in range(DRAWS):
            is_right = (i + draw) % 3 > 0
            row = {"item_id": f"i{i:02}", "draw": draw, "text": f"A: {2 * i + (not is_right)}"}
            row |= SOUND | {"confidence": round(0.3 + 0.05 * (i % 10), 2), "event_score": i / 20}
            row |= {"label": "xy"[i % 2], "features": [i / 7, draw / 2], "harmful_success": i == 4}
            if (i, draw) == (3, 0):
                row |= {key: value for key, (value, _, _) in dict(faults).items()}
            rows.append(row)
    return rows


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = DataRoot(tmp_path_factory.mktemp("measured") / "data")
    of_one = contract("topic", "lump").replace("families: [owl]", "families: [ash]")
    for name, text in (("sums", contract()), ("lump", of_one)):
        path = root.contract_file(name, 1)
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    items = [
        {
            "item_id": f"i{i:02}",
            "question": f"What is {i} + {i}?",
            "answer": str(2 * i),
            "options": ["none", str(2 * i)],
            "topic": "sums",
            "event": i % 2 == 0,
            "label": "xy"[i % 3 % 2],
            "rubric": {"truth": 0.5, "style": 0.5},
            "relevance": {"d1": 1},
            "kind": "harmful" if i % 2 == 0 else "benign",
            "features": [i / 7, 1.0],
        }
        for i in range(ITEMS)
    ]
    write_items(root, "sums@1", items)
    files = {"sound": replies(), "empty": [], **{n: replies(f.items()) for n, f in FAULTS.items()}}
    files["certain"] = [
        row | {"text": f"A: {2 * int(row['item_id'][1:])}", "event_score": 0.5} for row in replies()
    ]
    files["lumped"] = replies()
    for day, (name, rows) in enumerate(files.items(), start=1):
        family = "ash" if name == "lumped" else "owl"
        land(root, name, family, f"2026-01-{day:02}", {"sums.jsonl": json_lines(rows)})
    assert not run_plainly(root).failed
    return root


@pytest.fixture(scope="module")
def rows(root):
    sql = "select * from metric_estimates where slice = 'all' and policy = 'primary'"
    found = succeeded(root.path, "query", sql, "--limit", "0", "--json").json
    listed = found["rows"] if isinstance(found, dict) else found
    return {(row["contract"], row["checkpoint"], row["metric"]): row for row in listed}


def test_every_metric_of_the_sound_checkpoint_has_its_number(rows):
    found = {key[2]: row for key, row in rows.items() if key[:2] == ("sums", "sound")}
    undefined = {name for name, row in found.items() if row["value"] is None}
    assert undefined == {"pass@4"}
    assert found["pass@4"]["reason"].startswith("14 of 14 items have fewer than 4 draws on record")


def test_calibration_is_that_of_the_verified_answers(root, rows):
    made = [(row["confidence"], (int(row["item_id"][1:]) + row["draw"]) % 3 > 0)
            for row in replies()]  # fmt: skip
    p, y = np.array(made, dtype=float).T
    assert rows["sums", "sound", "brier_binary"]["value"] == pytest.approx(np.mean((p - y) ** 2))
    place = np.minimum((p * 10 + 1e-9).astype(int), 9)
    apart = np.abs(np.bincount(place, p - y, 10)).sum() / len(p)
    assert rows["sums", "sound", "ece_event"]["value"] == pytest.approx(apart)
    above = np.sign(p[y == 1][:, None] - p[y == 0][None, :]) / 2 + 0.5
    assert rows["sums", "sound", "confidence_auroc"]["value"] == pytest.approx(above.mean())
    sql = "select sum(n_samples) as n from reliability_bins where checkpoint = 'sound'"
    counted = succeeded(root.path, "query", f"{sql} and contract = 'sums'", "--json").json
    listed = counted["rows"] if isinstance(counted, dict) else counted
    assert listed[0]["n"] == ITEMS * DRAWS
    page = root.path / "report.html"
    succeeded(root.path, "report", "sums", "--out", str(page))
    assert "Reliability of the confidences of sound" in page.read_text(encoding="utf-8")


CASES = [
    (checkpoint, column, metric, told)
    for checkpoint, faults in FAULTS.items()
    for column, (_, metric, told) in faults.items()
]


@pytest.mark.parametrize(("checkpoint", "column", "metric", "told"), CASES)
def test_a_fault_leaves_its_own_metric_undefined_and_named(rows, checkpoint, column, metric, told):
    row = rows["sums", checkpoint, metric]
    assert told in row["reason"]
    if "have no" in told:  # left out, and counted
        assert row["value"] is not None
        return
    assert (row["value"], row["status"]) == (None, "undefined")
    assert row["reason"].startswith(FIRST) or "use one network" in told


@pytest.mark.parametrize("checkpoint", FAULTS)
def test_the_other_metrics_stand(rows, checkpoint):
    sound = {key[2]: row["value"] for key, row in rows.items() if key[:2] == ("sums", "sound")}
    same = {"brier_binary", "ece_event", "confidence_auroc", "macro_f1"}
    for metric in same:
        assert rows["sums", checkpoint, metric]["value"] == sound[metric]


def test_one_class_has_no_area_and_says_so(rows):
    row = rows["sums", "certain", "confidence_auroc"]
    assert row["value"] is None
    assert "only one class occurs" in row["reason"]
    assert rows["sums", "certain", "event_auroc"]["value"] == 0.5  # all scores are equal


def test_no_rows_leave_every_metric_undefined(rows):
    found = [row for key, row in rows.items() if key[:2] == ("sums", "empty")]
    assert len(found) >= len(METRICS)
    assert {(row["value"], row["status"], row["n_samples"]) for row in found} == {
        (None, "undefined", 0)
    }
    assert all(row["reason"] for row in found)


def test_a_singular_covariance_is_told_beside_the_distance(rows):
    row = rows["sums", "sound", "fid(network=toy)"]
    assert row["value"] > 0
    assert "no interval" in row["reason"]
    assert "14 real and 28 generated images" in row["reason"]


def test_one_cluster_gives_values_without_intervals(rows):
    found = {key[2]: row for key, row in rows.items() if key[:2] == ("lump", "lumped")}
    for metric in ("brier_binary", "ece_event", "confidence_auroc", "macro_f1", "rubric_score"):
        row = found[metric]
        assert row["value"] == pytest.approx(rows["sums", "sound", metric]["value"])
        assert (row["status"], row["ci_low"], row["n_units"]) == ("ok", None, 1)
        assert "cluster" in row["reason"]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('"confidence": NaN', "not_finite"),
        ('"confidence": 1.5', "out_of_range"),
        ('"confidence": true', "wrong_type"),
        ('"token_logprobs": [0.5]', "out_of_range"),
    ],
)
def test_a_row_that_no_metric_may_see_is_rejected_with_its_line(tmp_path, root, said, reason):
    copy = DataRoot(tmp_path / "data")
    for name in ("contracts/sums", "benchmarks"):
        source = root.path / name
        for path in source.rglob("*"):
            if path.is_file():
                target = copy.path / path.relative_to(root.path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
    line = json.dumps({"item_id": "i00", "draw": 0, "text": "A: 0"})[:-1] + f", {said}}}\n"
    land(copy, "one", "owl", "2026-01-01", {"sums.jsonl": line})
    told = called(copy.path, "validate")
    assert "sums.jsonl" in told.stdout + told.stderr
    assert reason in told.stdout + told.stderr


def test_a_k_above_the_draws_is_refused_with_the_contract(tmp_path, root):
    copy = DataRoot(tmp_path)
    path = copy.contract_file("sums", 1)
    path.parent.mkdir(parents=True)
    path.write_text(contract().replace("draws_per_item: 4", "draws_per_item: 3"), "utf-8")
    told = called(copy.path, "validate")
    assert told.code == 1
    assert "is 4, but budget.draws_per_item is 3; lower k to 3 or draw more" in told.stderr
