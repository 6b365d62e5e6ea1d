"""From a published file of judgments to a judge's votes under a contract."""

from collections.abc import Iterable, Mapping
from pathlib import Path

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
