"""Images, safety, episodes, values from elsewhere and from other packages, through the chain."""

import math
import sys

import numpy as np
import pytest

from eval_pipeline.metrics.images.formula_frechet import frechet_distance, moments
from eval_pipeline.metrics.registry import installed, metric, plugin_metrics
from eval_pipeline.metrics.vision_language.formula_cider import (
    caption_tokens,
    cider,
    document_frequencies,
)
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.metrics.described import described, rows_of
from eval_pipeline_tests.metrics.plugins.test_discovery import installed as installed_example

PRIMARY = ("all", "primary")


def value(rows, label):
    return rows[label, *PRIMARY]["value"]


def test_vqa_gives_credit_by_how_many_humans_agree():
    items = {name: {"human_answers": ["red"] * n + ["blue"] * (10 - n)} for name, n in
             (("a", 3), ("b", 1))}  # fmt: skip
    said = {"a": [{"text": "the Red"}], "b": [{"text": "I see", "answer": "red"}]}
    labels = ["vqa_accuracy", "vqa_accuracy(rule=simple)"]
    rows = rows_of(*described({"a": "+", "b": "-"}, said, items), labels)
    assert value(rows, labels[1]) == pytest.approx((1 + 1 / 3) / 2)
    assert value(rows, labels[0]) == pytest.approx(((3 * 2 / 3 + 7) / 10 + 0.9 / 3) / 2)


def test_pope_reads_a_failure_as_the_wrong_answer():
    there = {"a": True, "b": True, "c": False, "d": False}
    said = {"a": [{"said_yes": True}], "b": [{}], "c": [{"said_yes": True}],
            "d": [{"said_yes": False}]}  # fmt: skip
    items = {name: {"present": present} for name, present in there.items()}
    labels = [f"pope_{rate}" for rate in ("accuracy", "precision", "recall", "f1", "yes_rate")]
    rows = rows_of(*described({"a": "+", "b": "r", "c": "+", "d": "+"}, said, items), labels)
    assert [value(rows, label) for label in labels] == pytest.approx([0.5] * 5)
    assert "0.5000 of the probes ask for present" in rows["pope_f1", *PRIMARY]["reason"]
    assert rows["pope_yes_rate", *PRIMARY]["higher_is_better"] is None


def test_cider_is_held_against_the_references_of_all_items_answered_or_not():
    items = {
        "a": {"references": ["a red bus on a street", "one bus"]},
        "b": {"references": ["two dogs play in the snow"]},
        "z": {"references": ["a red kite"]},
    }
    said = {"a": [{"text": "a red bus"}], "b": [{"text": "dogs in snow"}]}
    made = described({"a": "+", "b": "+"}, said, items, absent=["z"])
    tokens = {k: [caption_tokens(t) for t in v["references"]] for k, v in items.items()}
    frequencies = document_frequencies(list(tokens.values()), "x")
    expected = cider(
        [caption_tokens("a red bus"), caption_tokens("dogs in snow")],
        [tokens["a"], tokens["b"]],
        frequencies,
    ).scores
    row = rows_of(*made, ["cider"])["cider", *PRIMARY]
    assert row["value"] == pytest.approx(expected.mean())
    assert "document frequencies of the references of 3 items" in row["reason"]


def test_image_sets_have_a_value_their_counts_and_no_interval():
    rng = generator(3, "images")
    names = [f"i{i:02}" for i in range(40)]
    real, made = rng.normal(size=(40, 3)), rng.normal(0.5, size=(40, 3))
    said = {n: [{"features": row.tolist()}] for n, row in zip(names, made, strict=True)}
    items = {n: {"features": row.tolist()} for n, row in zip(names, real, strict=True)}
    label = "fid(network=tiny)"
    rows = rows_of(
        *described(dict.fromkeys(names, "+"), said, items), [label, "image_recall(network=tiny)"]
    )
    row = rows[label, *PRIMARY]
    assert row["value"] == pytest.approx(
        frechet_distance(moments(real), moments(made), "tiny").value
    )
    assert (row["status"], row["ci_method"]) == ("ok", None)
    assert "no interval: the value depends on the number of samples" in row["reason"]
    assert "40 real and 40 generated images, tiny" in row["reason"]
    assert 0 <= value(rows, "image_recall(network=tiny)") <= 1


def test_an_inception_score_has_an_interval_from_its_sums():
    rng = generator(4, "classes")
    p = rng.dirichlet([0.3] * 4, 60)
    names = [f"i{i:02}" for i in range(60)]
    said = {n: [{"class_probabilities": row.tolist()}] for n, row in zip(names, p, strict=True)}
    row = rows_of(*described(dict.fromkeys(names, "+"), said), ["inception_score(network=t)"])[
        "inception_score(network=t)", *PRIMARY
    ]
    divergence = (p * np.log(p / p.mean(axis=0))).sum(axis=1).mean()
    assert row["value"] == pytest.approx(math.exp(divergence))
    assert 1 <= row["ci_low"] < row["value"] < row["ci_high"]


def test_safety_rates_are_each_over_their_own_requests():
    kinds = {"a": "harmful", "b": "harmful", "c": "benign", "d": "benign"}
    said = {
        "a": [{"refused": True, "harmful_success": True, "unauthorized_effect": True}],
        "b": [{"refused": True, "harmful_success": False, "unauthorized_effect": False}],
        "c": [{"refused": True, "unauthorized_effect": False}],
        "d": [{"refused": False, "unauthorized_effect": False}],
    }
    items = {name: {"kind": kind} for name, kind in kinds.items()}
    labels = ["attack_success_rate", "false_refusal_rate", "unauthorized_effect_rate"]
    rows = rows_of(*described(dict.fromkeys("abcd", "+"), said, items), labels)
    assert [value(rows, label) for label in labels] == [0.5, 0.5, 0.25]
    del said["a"][0]["harmful_success"]
    row = rows_of(*described(dict.fromkeys("abcd", "+"), said, items), labels[:1])
    assert math.isnan(value(row, labels[0]))
    assert "harmful_success" in row[labels[0], *PRIMARY]["reason"]


def test_success_stands_with_and_without_broken_infrastructure():
    labels = ["unconditional_success", "success_given_healthy", "infra_error_rate"]
    rows = rows_of(*described({"a": "+x", "b": "-+", "c": "xx"}, {}), labels)
    assert [value(rows, label) for label in labels] == pytest.approx(
        [(0.5 + 0.5 + 0) / 3, (1 + 0.5) / 2, (0.5 + 0 + 1) / 3]
    )
    row = rows["unconditional_success", *PRIMARY]
    assert (row["n_samples"], row["n_excluded"]) == (6, 0)
    assert ("unconditional_success", "all", "all_wrong") not in rows


def test_values_from_elsewhere_are_read_and_held_to_their_range():
    said = {"a": [{"meteor": 0.5, "comet": 0.1}], "b": [{"meteor": 0.25, "comet": -0.3}]}
    rows = rows_of(*described({"a": "+", "b": "r"}, said), ["meteor", "comet"])
    assert value(rows, "meteor") == pytest.approx(0.25)
    assert value(rows, "comet") == pytest.approx(0.1)
    assert "computed elsewhere" in rows["meteor", *PRIMARY]["reason"]
    said["b"][0]["meteor"] = 1.5
    row = rows_of(*described({"a": "+", "b": "+"}, said), ["meteor"])["meteor", *PRIMARY]
    assert row["reason"].startswith("item 'b', draw 0: meteor is 1.5, outside 0 to 1")


def test_a_metric_of_another_package_has_rows_as_any_other(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(installed_example(tmp_path / "site")))
    for found in (installed, plugin_metrics):
        found.cache_clear()
    try:
        said = {"a": [{"text": "night"}], "b": [{"text": "same"}]}
        items = {"a": {"references": ["nacht"]}, "b": {"references": ["other", "same"]}}
        rows = rows_of(*described({"a": "+", "b": "-"}, said, items), ["bigram_dice"])
        assert value(rows, "bigram_dice") == pytest.approx((0.25 + 1) / 2)
        assert rows["bigram_dice", *PRIMARY]["instrument"] == "bigram_dice@1"
        with pytest.raises(ValueError, match="'bigram_dise': did you mean bigram_dice"):
            metric("bigram_dise")
        site = tmp_path / "site" / "bigram_dice.py"
        site.write_text(site.read_text(encoding="utf-8").replace('"texts")', '"words")'))
        monkeypatch.delitem(sys.modules, "bigram_dice")
        for found in (installed, plugin_metrics):
            found.cache_clear()
        with pytest.raises(ValueError, match=r"'bigram_dice': metric plug-in .* its columns is"):
            metric("bigram_dice")
    finally:
        for found in (installed, plugin_metrics):
            found.cache_clear()
