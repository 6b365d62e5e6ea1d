"""From a published file of judgments to a judge's votes under a contract."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from eval_pipeline.contracts.load import load_all
from eval_pipeline.ingest.votes import read_votes
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import lines, put


def written(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    put(path, lines(rows))
    return path


def llmbar_rows(n: int) -> list[dict[str, object]]:
    return [
        {
            "input": f"question {i // 2}",  # each twice, with other replies
            "output_1": f"good {i}",
            "output_2": f"bad {i}",
            "label": 1,
            "results": [{"swap = False": {"winner": "1"}, "swap = True": {"winner": "nan"}}],
        }
        for i in range(n)
    ]


def test_a_file_becomes_a_draft_whose_votes_are_read(tmp_path: Path) -> None:
    file, root = written(tmp_path / "result.jsonl", llmbar_rows(6)), tmp_path / "data"
    call = (str(file), "--form", "llmbar", "--judge", "stern", "--rename", "output_1=good@1")
    made = succeeded(root, "votes", "draft", *call, "--contract", "bar", "--json").json
    assert made["kept"] == {"judgments/stern/bar/output_2.jsonl": 12}
    (one,) = load_all(DataRoot(root)).contracts
    assert one.contract.judging is not None
    assert one.contract.judging.orders == "both"
    assert one.contract.judging.annotations == ["bar_labels"]
    items = [f"bar-{i:05d}" for i in range(1, 7)]
    planned = {(item, "good@1", "output_2") for item in items}
    path = DataRoot(root).judgments("stern", "bar", "output_2")
    read = read_votes(path, "votes", "stern", dict.fromkeys(items, "c"), planned)
    assert len(read.rejected_votes) == 0
    verdicts = [read.judge_votes[name].to_pylist() for name in ("slot_order", "verdict")]
    assert sorted(zip(*verdicts, strict=True), key=str) == [
        *[("a_first", "model_a")] * 6,
        *[("b_first", None)] * 6,
    ]
    assert "would be overwritten" in refused(root, "votes", "draft", *call, "--contract", "bar")


def test_a_second_import_adds_nothing_and_strangers_are_named(tmp_path: Path) -> None:
    file, root = written(tmp_path / "bar.jsonl", llmbar_rows(2)), tmp_path / "data"
    succeeded(root, "votes", "draft", str(file), "--form", "llmbar", "--judge", "stern")
    row = {"id": "bar-00001", "x": "output_1", "y": "output_2", "left": "output_2", "won": "left"}
    other = written(tmp_path / "other.jsonl", [row, row, row | {"x": "moth"}, row | {"id": "?"}])
    keys = ("item_id=id", "model_a=x", "model_b=y", "shown_first=left", "verdict=won")
    call = ["votes", "import", "bar", str(other), "--form", "columns", "--judge", "kind", "--json"]
    call += [word for key in keys for word in ("--key", key)]
    first, again = called(root, *call), called(root, *call)
    assert (first.code, again.code) == (1, 1)
    assert first.json["kept"] == {"judgments/kind/bar/output_2.jsonl": 2}  # a vote and its repeat
    assert (again.json["kept"], again.json["known"]) == ({}, 2)
    assert again.json["refused"] == {"unknown_model": 1, "unknown_item": 1}
    assert "does not ask kind" in first.stderr
    only = called(root, *call, "--only", "left=output_1")
    assert (only.code, only.json["known"]) == (0, 0)


def pair_rows(pairs: Iterable[tuple[str, str]], n: int = 3) -> list[dict[str, object]]:
    return [
        {
            "item_id": f"w{i}",
            "question": f"Describe thing {i}.",
            "model_a": a,
            "model_b": b,
            "reply_a": f"{a} {i}",
            "reply_b": f"{b} {i}",
            "shown_first": a,
            "verdict": b,
        }
        for i in range(n)
        for a, b in pairs
    ]


def drafted(folder: Path, rows: Iterable[Mapping[str, object]]) -> str:
    """The contract that `votes draft` writes of the rows."""
    file = written(folder / "v.jsonl", rows)
    call = ("votes", "draft", str(file), "--form", "columns", "--judge", "lark", "--contract", "t")
    called(folder / "data", *call)
    return DataRoot(folder / "data").contract_file("t", 1).read_text(encoding="utf-8")


def test_pairs_are_planned_as_the_file_holds_them(tmp_path: Path) -> None:
    three = pair_rows([("fir", "oak"), ("fir", "ash"), ("oak", "ash")])
    (tmp_path / "a").mkdir()
    assert "pairing: {recorded: true}  # as the file holds them: 3 pairs" in drafted(
        tmp_path / "a", three
    )
    (tmp_path / "b").mkdir()
    star = pair_rows([("oak", "fir"), ("fir", "ash")])
    text = drafted(tmp_path / "b", star)
    assert "pairing: {anchors: [fir]}" in text  # named second, and in every pair
    (tmp_path / "c").mkdir()
    assert "recorded: true" in drafted(tmp_path / "c", star[:-1])  # not on every item


def test_orders_are_found_over_the_rows(tmp_path: Path) -> None:
    rows = pair_rows([("fir", "oak")])
    swapped = [
        {**row, "model_a": "oak", "model_b": "fir", "shown_first": "oak"}
        | {"reply_a": row["reply_b"], "reply_b": row["reply_a"]}
        for row in rows
    ]
    silent = [{key: row[key] for key in row if key != "shown_first"} for row in rows]
    games = [{**row, "game": game} for row in silent for game in (1, 2)]
    many = pair_rows([("fir", "oak")], 100)
    del many[0]["shown_first"]
    for name, given, said in (
        ("one", rows, "orders: one\n"),
        ("swapped", [*rows, *swapped], "orders: both\n"),
        ("games", games, "orders: both\n"),
        ("mixed", [*rows, *swapped[:2]], "orders: one  # 2 of 3 judged pairs have both"),
        ("silent", silent, "orders: unrecorded  #"),
        ("few", many, "orders: one\n"),
    ):
        (tmp_path / name).mkdir()
        assert said in drafted(tmp_path / name, given), name
    votes = DataRoot(tmp_path / "few" / "data").judgments("lark", "t", "oak")
    assert len(votes.read_text(encoding="utf-8").splitlines()) == 99


def test_votes_that_no_plan_asks_for_are_told(tmp_path: Path) -> None:
    file = written(tmp_path / "v.jsonl", pair_rows([("oak", "fir"), ("fir", "ash")]))
    root = tmp_path / "data"
    call = ("--form", "columns", "--judge", "lark")
    succeeded(root, "votes", "draft", str(file), *call, "--contract", "t")
    more = written(tmp_path / "more.jsonl", pair_rows([("oak", "ash")], 2))
    told = succeeded(root, "votes", "import", "t", str(more), *call)
    assert "2 votes are on pairs that t/v1 does not have judged, most on ash and oak" in told.stderr
    lost = written(
        tmp_path / "lost.jsonl", [{**pair_rows([("oak", "fir")], 1)[0], "verdict": "oak"}]
    )
    text = lost.read_text(encoding="utf-8").replace('"shown_first": "oak", ', "")
    put(lost, text)
    refused_row = called(root, "votes", "import", "t", str(lost), *call, "--json")
    assert refused_row.json["refused"] == {"unknown_slot": 1}


def test_labels_of_the_file_are_the_truth_of_a_draft(tmp_path: Path) -> None:
    rows = [
        {"pair_id": f"p{i}", "question": f"Sum {i}?", "response_A": f"yes {i}", "response_B": "no"}
        | {"label": "A>B" if i % 2 else "B>A", "source": "maths" if i % 3 else "law"}
        | {"judgments": [{"decision": "A>B"}, {"decision": "B>A" if i < 6 else "A=B"}]}
        for i in range(12)
    ]
    file, root = written(tmp_path / "bench.jsonl", rows), tmp_path / "data"
    call = ("--form", "judge_bench", "--judge", "owl")
    succeeded(root, "votes", "draft", str(file), *call)
    text = DataRoot(root).contract_file("bench", 1).read_text(encoding="utf-8")
    assert "truth: label" in text
    assert "truth_rule: sum" in text
    assert "slices: [source]" in text
    assert "label_accuracy: 0.8" in text
    succeeded(root, "run", "--contract", "bench")
    query = "select reading, value, decides from label_accuracies where slice = 'all'"
    found = succeeded(root, "query", query, "--json").json
    # odd items: A wins when it is shown first, and in the second game again, or there is a tie
    assert {row["reading"]: pytest.approx(row["value"]) for row in found} == {
        "a_first": 0.5,
        "b_first": 0.25,
        "both": 0.25,
        "mean": 0.375,
        "sum": 0.5,
    }
    assert [row["reading"] for row in found if row["decides"]] == ["sum"]
    licence = succeeded(root, "query", "select outcome, reason from judge_licences", "--json").json
    assert "label_accuracy" in licence[0]["reason"]
    sliced = "select value from label_accuracies where slice = 'source=law' and decides"
    assert succeeded(root, "query", sliced, "--json").json == [{"value": 0.5}]
    page = tmp_path / "r.html"
    succeeded(root, "report", "bench", "--out", str(page))
    assert "Judges against labels" in page.read_text(encoding="utf-8")
