"""Perturbed items, rubrics and extracted fields: from columns to rows."""

import json

import pytest

from eval_pipeline_tests.metrics.described import described, rows_of

PRIMARY = ("all", "primary")
FAMILIES = [f"{a}{b}" for a in "klmnop" for b in "xy"]  # of an item and its two versions


def perturbed(marks, **changed):
    """Twelve originals with two versions each; marks: of original, first and second version."""
    names = [[f, f"{f}-typo", f"{f}-case"] for f in FAMILIES]
    drawn, items, slices = {}, {}, {}
    for i, (original, *versions) in enumerate(names):
        said = marks[i % len(marks)]
        for name, mark in zip((original, *versions), said, strict=True):
            drawn[name] = mark
            items[name] = {"cluster_id": original}
        for version in versions:
            items[version]["original"] = original
            slices[version] = {"how": version.partition("-")[2]}
    items |= changed
    clusters = {name: one["cluster_id"] for name, one in items.items()}
    return described(drawn, {}, items, slices=slices, clusters=clusters)


def test_the_drop_is_relative_to_the_originals_of_the_same_items_and_known_by_slice():
    made = perturbed([("++", "+-", "++"), ("+-", "--", "+-"), ("++", "++", "-r")])
    rows = rows_of(*made, ["robustness_drop"], slices=["how"])
    before = (1 + 0.5 + 1) / 3
    of = {"typo": (0.5 + 0 + 1) / 3, "case": (1 + 0.5 + 0) / 3}
    for how, after in of.items():
        row = rows["robustness_drop", f"how={how}", "primary"]
        assert row["value"] == pytest.approx((before - after) / before)
    row = rows["robustness_drop", *PRIMARY]
    assert row["value"] == pytest.approx((before - (of["typo"] + of["case"]) / 2) / before)
    assert row["ci_low"] < row["value"] < row["ci_high"]
    assert row["n_units"] == len(FAMILIES)
    assert row["reason"].startswith("24 perturbed items beside their originals; a harder test")


def test_a_version_without_its_original_is_left_out_and_counted():
    made = perturbed([("++", "+-", "++"), ("xx", "--", "--")])
    row = rows_of(*made, ["robustness_drop"])["robustness_drop", *PRIMARY]
    assert row["value"] == pytest.approx(1 - (0.5 + 1) / 2)
    assert "12 whose original has no scored draw are left out" in row["reason"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"original": "who"}, "its original 'who' is no item: mend the name"),
        ({"original": "kx-case"}, "is itself a version of an item"),
        ({"original": "kx-typo"}, "is itself a version of an item"),
        ({"original": "ly"}, "fall in different clusters: let unit.clustered_by name a key"),
        ({"original": 3}, "items.original is 3, must be text"),
    ],
)
def test_a_wrong_original_leaves_the_drop_undefined_and_is_named(changed, told):
    made = perturbed([("+", "+", "-")], **{"kx-typo": {"cluster_id": "kx", **changed}})
    row = rows_of(*made, ["robustness_drop"])["robustness_drop", *PRIMARY]
    assert row["value"] != row["value"]
    assert row["status"] == "undefined"
    assert told in row["reason"]


def test_nothing_right_before_leaves_the_drop_undefined():
    row = rows_of(*perturbed([("-", "+", "-")]), ["robustness_drop"])["robustness_drop", *PRIMARY]
    assert row["status"] == "undefined"
    assert "no original was right" in row["reason"]


WEIGHTS = {"truth": 0.75, "style": 0.25}


def marked(*marks, weights=WEIGHTS, draws="+"):
    names = [f"i{i}" for i in range(len(marks))]
    said = {name: [{"marks": one} if one is not None else {}] for name, one in
            zip(names, marks, strict=True)}  # fmt: skip
    return described(dict.fromkeys(names, draws), said, {n: {"rubric": weights} for n in names})


def test_marks_are_weighed_by_the_items_rubric():
    made = marked({"truth": 5, "style": 1}, {"truth": 2, "style": 4}, None)
    row = rows_of(*made, ["rubric_score"])["rubric_score", *PRIMARY]
    assert row["value"] == pytest.approx((0.75 * 5 + 0.25 + 0.75 * 2 + 0.25 * 4) / 2)
    assert row["measured_in"] == "points, 1 to 5"
    assert "1 of 3 samples have no generations.marks" in row["reason"]


def test_a_contract_may_declare_the_scale_of_the_marks():
    label = "rubric_score(highest=10, lowest=0)"
    made = marked(*[{"truth": i % 11, "style": 10} for i in range(12)], draws="+")
    row = rows_of(*made, [label])[label, *PRIMARY]
    marks = [0.75 * (i % 11) + 2.5 for i in range(12)]
    assert row["value"] == pytest.approx(sum(marks) / 12)
    assert row["measured_in"] == "points, 0 to 10"
    assert (row["bound_low"], row["bound_high"]) == pytest.approx((row["value"],) * 2)
    assert row["ci_low"] < row["value"] < row["ci_high"] < 10
    failed = marked({"truth": 10, "style": 10}, {}, draws="r")
    row = rows_of(*failed, [label])[label, *PRIMARY]
    assert row["value"] == 0  # a failed sample gets the lowest mark of that scale


@pytest.mark.parametrize(
    ("marks", "weights", "told"),
    [
        ({"truth": 6, "style": 1}, WEIGHTS, "marks on truth[0] is 6: it must be a number in"),
        ({"truth": True, "style": 1}, WEIGHTS, "marks on truth[0] is True: give a number"),
        ({"truth": 5}, WEIGHTS, "criterion 'style' has no marks"),
        ({"truth": 5, "style": 1}, {"truth": 0.8, "style": 0.1}, "weights must sum to 1, got 0.9"),
        ([5, 1], WEIGHTS, "must map criteria to marks"),
    ],
)
def test_wrong_marks_or_weights_name_the_sample(marks, weights, told):
    row = rows_of(*marked(marks, weights=weights), ["rubric_score"])["rubric_score", *PRIMARY]
    assert row["status"] == "undefined"
    assert row["reason"].startswith("item 'i0', draw 0: ")
    assert told in row["reason"]


def test_extracted_fields_are_counted_by_field_and_a_failure_says_none():
    wanted = [{"name": "Ada", "year": 1815}, {"name": "Bo", "tags": ["x", "y"]}, {"name": "C"}]
    said = [{"name": "ada", "year": 1815.0}, {"name": "Bo", "tags": ["x"], "age": 3}, None]
    marks = {"a": "+", "b": "+", "c": "p"}
    answers = {
        name: [json.dumps(one)] for name, one in zip(marks, said, strict=True) if one is not None
    } | {"c": [None]}
    items = {name: {"answer": json.dumps(one)} for name, one in zip(marks, wanted, strict=True)}
    made = described(marks, {}, items, answers=answers)
    labels = [f"field_{m}" for m in ("precision", "recall", "micro_f1", "task_success")]
    labels += ["field_precision(texts=casefold)", "field_macro_f1"]
    rows = rows_of(*made, labels)
    values = [rows[label, *PRIMARY]["value"] for label in labels]
    # said 2 + 3, wanted 2 + 3 + 1, right: year; Bo and x
    assert values[:5] == pytest.approx([3 / 5, 3 / 6, 6 / 11, 0, 4 / 5])
    of_fields = {"name": 2 / 5, "year": 1, "tags": 2 / 3, "age": 0}  # name: 1 right of 2 and 3
    assert values[5] == pytest.approx(sum(of_fields.values()) / 4)


def test_an_answer_that_is_no_object_is_named():
    made = described({"a": "+"}, {}, {"a": {"answer": "[1]"}}, answers={"a": ["{}"]})
    row = rows_of(*made, ["field_recall"])["field_recall", *PRIMARY]
    assert "item 'a', draw 0: items.answer is '[1]': it must be a JSON object" in row["reason"]
