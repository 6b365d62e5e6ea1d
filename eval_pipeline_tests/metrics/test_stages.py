"""A contract that no verifier serves: surface metrics from columns, decided by, end to end."""

import pytest

from eval_pipeline.contracts.faults import ContractFaults, ItemFaults
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.metrics.text_overlap.formula_rouge import rouge
from eval_pipeline_tests.cli.calling import called, succeeded
from eval_pipeline_tests.integration.roots import json_lines, land, write_items
from eval_pipeline_tests.orchestration.plainly import run_plainly
from eval_pipeline_tests.orchestration.small import CONTRACT

ITEMS = 16
WANTED = [f"{a} birds sit on the {b} roof" for a in ("two", "three", "six", "ten")
          for b in ("red", "old", "low", "new")]  # fmt: skip


@pytest.fixture
def root(tmp_path):
    root = DataRoot(tmp_path / "data")
    text = CONTRACT.format(contract="captions", version=1, status="frozen")
    start, end = text.index("verification:"), text.index("metrics:")
    text = text[:start] + text[end:]
    text = text.replace("kind: verifier", "kind: reference_metric")
    text = text.replace("{metric: pass_at_k, k: 1}", "{metric: rouge, options: {variant: rouge1}}")
    text = text.replace(
        "[{name: pass_at_k, k: 1}]", "[{name: bleu, options: {smoothing: exp}}, {name: meteor}]"
    )
    path = root.contract_file("captions", 1)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    rows = [{"item_id": f"i{i:02}", "question": "What is seen?"} for i in range(ITEMS)]
    write_items(
        root, "captions@1", [{**r, "references": [w]} for r, w in zip(rows, WANTED, strict=True)]
    )
    for step, said in ((1, "birds on a roof"), (2, "birds sit on the roof")):
        replies = [{"item_id": f"i{i:02}", "draw": 0, "text": said} for i in range(ITEMS)]
        replies[3] |= {"text": "", "status": "timeout"}
        land(
            root,
            f"owl@step{step}",
            "owl",
            f"2026-01-{step:02}",
            {"captions.jsonl": json_lines(replies)},
        )
    return root


def test_surface_metrics_are_estimated_compared_and_decided_by_without_a_verifier(root):
    run_plainly(root)
    query = "select * from {} order by all"
    rows = succeeded(root.path, "query", query.format("metric_estimates"), "--json").json
    rows = rows["rows"] if isinstance(rows, dict) else rows
    found = {(r["checkpoint"], r["metric"], r["policy"]): r for r in rows}
    label = "rouge(variant=rouge1)"
    expected = rouge(["birds on a roof"] * ITEMS, WANTED, ["rouge1"])["rouge1"].f
    one = found["owl@step1", label, "primary"]
    assert one["value"] == pytest.approx((expected.sum() - expected[3]) / ITEMS)
    assert found["owl@step1", label, "valid_only"]["n_samples"] == ITEMS - 1
    assert found["owl@step1", "bleu(smoothing=exp)", "primary"]["status"] == "ok"
    assert found["owl@step1", "timeout_rate", "primary"]["value"] == pytest.approx(1 / ITEMS)
    lacking = found["owl@step1", "meteor", "primary"]
    assert lacking["value"] is None
    assert lacking["reason"].startswith("no sample has generations.meteor: record it")
    compared = succeeded(
        root.path, "compare", "owl@step2", "owl@step1", "--contract", "captions", "--json"
    ).json
    assert compared["rows"][0]["difference"] > 0.1
    decided = succeeded(root.path, "query", query.format("decisions"), "--json").json
    decided = decided["rows"] if isinstance(decided, dict) else decided
    assert {row["checkpoint"]: row["outcome"] for row in decided}["owl@step2"] == "ship"
    report = root.path / "report.html"
    succeeded(root.path, "report", "captions", "--out", str(report))
    page = report.read_text(encoding="utf-8")
    assert "Further metrics" in page
    assert "BLEU, 0 to 1, higher is better" in page
    assert called(root.path, "gate", "captions", "owl@step2").code == 0


def test_what_the_contract_reads_and_no_item_has_is_refused_before_anything_runs(root):
    path = root.items("captions@1")
    path.write_text(
        path.read_text(encoding="utf-8").replace("references", "refs"), encoding="utf-8"
    )
    contract = load_contract(root, root.contract_file("captions", 1)).contract
    with pytest.raises(ItemFaults, match=r"reads items\.references or answer, and no item has it"):
        read_items(root, contract)


def test_a_metric_that_a_verifier_makes_is_refused_without_one(root):
    path = root.contract_file("captions", 1)
    text = path.read_text(encoding="utf-8").replace("{name: meteor}", "{name: brier_binary}")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContractFaults, match="brier_binary, which needs the section verification"):
        load_contract(root, path)
