"""The files of another tool, from `import` to a table."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from eval_pipeline.contracts.load import load_contract
from eval_pipeline.ingest.imports.landing import importing
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.world import instruments_exist
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.peer_files import MODEL, RIGHT, N, lm_eval
from eval_pipeline_tests.ingest.imports.cutting import MOST_CHANGES, killed_at
from eval_pipeline_tests.ingest.peers.made import inspect_log, inspect_sample, put_json, put_lines


def held(root: Path) -> dict[str, bytes]:
    """Every file of the data root but the lock."""
    files = (path for path in root.rglob("*") if path.is_file() and path.name != ".importing")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_a_run_becomes_a_table(tmp_path: Path) -> None:
    root = tmp_path / "data"
    told = succeeded(root, "import", *lm_eval(tmp_path), "--json").json
    (task,) = told["tasks"]
    assert (task["contract"], task["state"], task["agreement"]) == (
        "sums/v1, a draft",
        "read",
        "100.0%",
    )
    assert (task["items"], task["replies"]) == (N, {MODEL: N})
    assert told["published"] == [
        {"model": "nest/finch-1b", "metric": "exact_match", "published": 0.75, "n": N}
    ]
    loaded = load_contract(
        DataRoot(root), DataRoot(root).contract_file("sums", 1), (instruments_exist,)
    )
    assert loaded.contract.status == "draft"
    assert succeeded(root, "run", "--json").json["failed"] == {}
    board = succeeded(root, "ls", "sums", "--json").json
    assert [(row["checkpoint"], row["value"]) for row in board["rows"]] == [(MODEL, 0.75)]


def test_the_same_files_change_nothing(tmp_path: Path) -> None:
    root, run = tmp_path / "data", lm_eval(tmp_path)
    succeeded(root, "import", *run)
    before = held(root)
    assert "is there already: nothing was changed" in succeeded(root, "import", *run).stdout
    assert "nothing was changed" in succeeded(root, "import", *reversed(run)).stdout
    assert held(root) == before


def test_list_and_undo(tmp_path: Path) -> None:
    root = tmp_path / "data"
    assert "nothing was imported yet" in succeeded(root, "import", "--list").stdout
    assert succeeded(root, "import", "--list", "--json").json == []
    named = succeeded(root, "import", *lm_eval(tmp_path), "--json").json["import"]
    (row,) = succeeded(root, "import", "--list", "--json").json
    assert (row["import"], row["form"], row["state"]) == (named, "lm_eval", "landed")
    assert named in succeeded(root, "import", "--list").stdout
    assert "is undone" in succeeded(root, "import", "--undo", named).stdout
    assert held(root) == {}
    assert named in refused(root, "import", "--undo", named)


def test_undo_keeps_a_file_that_was_changed(tmp_path: Path) -> None:
    root = tmp_path / "data"
    named = succeeded(root, "import", *lm_eval(tmp_path), "--json").json["import"]
    contract = root / "contracts" / "sums" / "v1.yaml"
    contract.write_text(contract.read_text() + "# mine\n")
    before = held(root)
    assert "contracts/sums/v1.yaml was changed" in refused(root, "import", "--undo", named)
    assert held(root) == before


def test_a_second_model_joins_the_benchmark(tmp_path: Path) -> None:
    root = tmp_path / "data"
    first = succeeded(root, "import", *lm_eval(tmp_path / "a"), "--json").json["import"]
    before = held(root)
    other = lm_eval(tmp_path / "b", model="nest/wren")
    told = succeeded(root, "import", *other, "--json").json
    assert told["tasks"][0]["contract"] == "sums/v1, which was there"
    came = {"checkpoint.yaml", "sums.jsonl", "_SUCCESS"}
    assert held(root).keys() - before.keys() == {
        f"imports/{told['import']}/import.json",
        *(f"checkpoints/nest--wren/{name}" for name in came),
    }
    assert {name: held(root)[name] for name in before} == before
    assert "undo it first" in refused(root, "import", "--undo", first)
    succeeded(root, "import", "--undo", told["import"])
    assert held(root) == before


def test_a_second_benchmark_joins_the_model(tmp_path: Path) -> None:
    root = tmp_path / "data"
    succeeded(root, "import", *lm_eval(tmp_path))
    before = held(root)
    told = succeeded(root, "import", *lm_eval(tmp_path), "--benchmark", "more", "--json").json
    assert (root / "checkpoints" / MODEL / "more.jsonl").is_file()
    succeeded(root, "import", "--undo", told["import"])
    assert held(root) == before


def test_replies_that_are_there_are_not_replaced(tmp_path: Path) -> None:
    root = tmp_path / "data"
    succeeded(root, "import", *lm_eval(tmp_path / "a"))
    before = held(root)
    fewer = lm_eval(tmp_path / "b", published=(RIGHT - 1) / N, right=RIGHT - 1)
    assert f"checkpoints/{MODEL}/sums.jsonl is there already" in refused(root, "import", *fewer)
    assert held(root) == before


def test_other_items_under_the_name_of_a_benchmark_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "data"
    succeeded(root, "import", *lm_eval(tmp_path / "a"))
    before = held(root)
    other = lm_eval(tmp_path / "b", model="nest/wren")
    path = Path(other[0])
    path.write_text(path.read_text().replace("5 + 2?", "5 + 2 or so?"))
    said = refused(root, "import", *other)
    assert "sums@1 is there already, and item 5 has another question" in said
    assert held(root) == before


def test_flags_turned_over_change_who_judges_and_not_the_instruments(tmp_path: Path) -> None:
    """A tenth of the publisher's verdicts the other way, and the published number with them."""
    samples, results = lm_eval(tmp_path)
    rows = [json.loads(line) for line in Path(samples).read_text().splitlines()]
    for row in rows[: N // 10]:
        row["exact_match"] = 1 - row["exact_match"]
    turned = put_lines(tmp_path / "turned" / Path(samples).name, rows)
    mean = sum(row["exact_match"] for row in rows) / N
    _, published = lm_eval(tmp_path / "numbers", published=mean)
    plain = succeeded(tmp_path / "one", "import", samples, results, "--json").json["tasks"][0]
    other = succeeded(tmp_path / "two", "import", str(turned), published, "--json").json["tasks"][0]
    assert (plain["state"], other["state"]) == ("read", "recorded")
    assert "agree with exact_match on 91.7% of the replies only" in other["because"]
    text = (tmp_path / "two" / "contracts" / "sums" / "v1.yaml").read_text()
    assert plain["judged by"] == "numeric@2 on last_number@2"
    assert "# verifier: numeric@2\n  # extraction: last_number@2\n" in text


def test_files_of_one_name_in_two_folders_are_two(tmp_path: Path) -> None:
    root = tmp_path / "data"
    log = inspect_log([inspect_sample(f"n{i}", 1, "C") for i in range(30)], 1.0)
    other = {**log, "eval": {"task": "names", "model": "nest/wren"}}
    paths = [
        put_json(tmp_path / "a" / "log.json", log),
        put_json(tmp_path / "b" / "log.json", other),
    ]
    told = succeeded(root, "import", *map(str, paths), "--json").json
    assert told["tasks"][0]["replies"] == {MODEL: 30, "nest--wren": 30}
    (row,) = succeeded(root, "import", "--list", "--json").json
    assert row["files"] == "a/log.json, b/log.json"
    assert (
        "nothing was changed" in succeeded(root, "import", *map(str, paths), str(paths[0])).stdout
    )


@pytest.mark.slow
def test_an_import_that_is_killed_anywhere_is_whole_after_the_next(tmp_path: Path) -> None:
    run = lm_eval(tmp_path)
    plain = tmp_path / "plain"
    succeeded(plain, "import", *run)
    whole = held(plain)
    for change in range(MOST_CHANGES):
        root = tmp_path / f"cut-{change}"
        root.mkdir()
        if not killed_at(change, root, lambda root=root: called(root, "import", *run)):
            break
        succeeded(root, "import", *run)
        assert held(root) == whole
        assert {path.name for path in root.iterdir()} == {path.name for path in plain.iterdir()}
    assert change > 20


def test_another_process_that_imports_is_waited_for_by_the_person(tmp_path: Path) -> None:
    root = tmp_path / "data"
    root.mkdir()
    with importing(DataRoot(root)):
        assert "another process imports" in refused(root, "import", *lm_eval(tmp_path))
        assert "another process imports" in refused(root, "import", "--undo", "x")
    succeeded(root, "import", *lm_eval(tmp_path))


def test_a_model_may_be_renamed(tmp_path: Path) -> None:
    root = tmp_path / "data"
    told = succeeded(
        root, "import", *lm_eval(tmp_path), "--rename", "nest/finch-1b=finch@1", "--json"
    ).json
    assert told["tasks"][0]["replies"] == {"finch@1": N}
    text = (root / "checkpoints" / "finch@1" / "checkpoint.yaml").read_text()
    assert "published_as: nest/finch-1b" in text.replace('"', "").replace("'", "")


def spoiled(folder: Path) -> dict[str, tuple[list[str], str]]:
    """Inputs that cannot be taken, and a word of what is said."""
    samples, results = lm_eval(folder / "good")
    _, wrong = lm_eval(folder / "wrong", published=(RIGHT + 1) / N)
    cut = folder / "cut.eval"
    cut.write_bytes(b"PK\x03\x04" + bytes(60))
    text = folder / "text.json"
    text.write_text("no JSON\n")
    empty = folder / "empty"
    empty.mkdir()
    pipe = folder / "pipe.json"
    os.mkfifo(pipe)
    bomb, torn = folder / "bomb.eval", folder / "torn.eval"
    log = inspect_log([], 1.0)
    for path, texts in ((bomb, [" " * (40 << 20)]), (torn, ["{}"] * 9)):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", json.dumps(log))
            for n, content in enumerate(texts):
                archive.writestr(f"samples/{n}_epoch_1.json", content)
    torn.write_bytes(torn.read_bytes()[:-40])
    rows = [json.loads(line) for line in Path(samples).read_text().splitlines()]
    rows[3]["resps"] = [[["a", "b"]]]
    listed = put_lines(folder / "listed" / Path(samples).name, rows)
    return {
        "only samples": ([samples], "does not say which model"),
        "only results": ([results], "holds numbers and no sample"),
        "another number": ([samples, wrong], "was published as 0.7916666666666666"),
        "a cut archive": ([str(cut)], "it was cut"),
        "a torn archive": ([str(torn)], "torn.eval has no directory at its end: it was cut"),
        "a bomb": ([str(bomb)], "bomb.eval:samples/0_epoch_1.json says that it unpacks to"),
        "a list for a text": ([str(listed), results], "samples_sums_2026.jsonl:4: resps holds"),
        "two runs": ([samples, results, wrong], "are several runs: import each with its own"),
        "a pipe": ([str(pipe)], "pipe.json: is not a regular file"),
        "no form": ([str(text)], "none of the forms"),
        "an empty folder": ([str(empty)], "holds no file"),
        "a bad name": ([samples, results, "--rename", "nest/finch-1b=../x"], "../x"),
        "a bad benchmark": ([samples, results, "--benchmark", "../x"], "../x"),
        "another form": ([samples, results, "--form", "helm"], "is no helm file"),
    }


KINDS = (
    "a torn archive",
    "a bomb",
    "a list for a text",
    "two runs",
    "a pipe",
    "only samples",
    "only results",
    "another number",
    "a cut archive",
    "no form",
    "an empty folder",
    "a bad name",
    "a bad benchmark",
    "another form",
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_input_is_one_line_and_leaves_nothing(tmp_path: Path, kind: str) -> None:
    arguments, said = spoiled(tmp_path)[kind]
    root = tmp_path / "data"
    assert said in refused(root, "import", *arguments)
    assert held(root) == {}
    assert [path.name for path in root.iterdir()] == [".importing"]


def test_many_rejected_rows_exit_1_unless_allowed(tmp_path: Path) -> None:
    samples, results = lm_eval(tmp_path)
    with Path(samples).open("a") as file:
        file.write("no JSON\n")
    found = called(tmp_path / "one", "import", samples, results)
    assert found.code == 1
    assert "1 row rejected: not_json, first in samples_sums_2026.jsonl:25" in found.stdout
    succeeded(tmp_path / "two", "import", samples, results, "--allow-rejected")
    assert (tmp_path / "two" / "contracts" / "sums" / "v1.yaml").is_file()


def test_what_is_imported_leads_to_its_line(tmp_path: Path) -> None:
    root = tmp_path / "data"
    succeeded(root, "import", *lm_eval(tmp_path))
    with (root / "checkpoints" / MODEL / "sums.jsonl").open() as file:
        first = json.loads(file.readline())
    assert first["imported_from"] == "samples_sums_2026.jsonl:1"
    assert first["published"] == {"exact_match": 1.0}


def test_nothing_named_is_a_wrong_use(tmp_path: Path) -> None:
    assert "name the files" in called(tmp_path, "import").stderr
    assert called(tmp_path, "import").code == 2


def judged_file(folder: Path, name: str = "pairs.jsonl", n: int = 4) -> Path:
    """Votes on three models, none of which is in every pair; the last row cannot be taken."""
    pairs = [("nest/fir", "oak"), ("nest/fir", "ash"), ("oak", "ash")]
    rows: list[dict[str, object]] = [
        {"item_id": f"w{i}", "question": f"Describe {i}.", "model_a": a, "model_b": b}
        | {"reply_a": f"{a} {i}", "reply_b": f"{b} {i}", "shown_first": a, "verdict": b}
        | {"judge": "lark"}
        for i in range(n)
        for a, b in pairs
    ]
    rows.append({**rows[0], "reply_a": "another text"})
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_judgments_land_with_what_they_are_about(tmp_path: Path) -> None:
    root, file = tmp_path / "data", judged_file(tmp_path)
    came = called(root, "import", str(file), "--json")
    assert came.code == 1  # more rows were rejected than pass without a word
    told = came.json
    assert (told["forms"], told["judge"], told["pairs"]) == (["columns"], "lark", "as recorded")
    assert (told["items"], told["checkpoints"], told["votes"]) == (4, 3, 12)
    assert told["rejected"] == {"contradictory": 1}
    votes = DataRoot(root).judgments("lark", "pairs", "oak").read_text(encoding="utf-8")
    assert '"imported_from": "pairs.jsonl:1"' in votes
    sample = (DataRoot(root).checkpoint("nest--fir") / "pairs.jsonl").read_text(encoding="utf-8")
    assert '"imported_from": "pairs.jsonl:1"' in sample.split("\n")[0]
    assert succeeded(root, "run", "--json").json["failed"] == {}
    query = "select count(*) as n from judge_votes"
    assert succeeded(root, "query", query, "--json").json == [{"n": 12}]
    rejected = "select count(*) as n from rejected_votes"
    assert succeeded(root, "query", rejected, "--json").json == [{"n": 0}]


def test_an_import_of_judgments_can_be_repeated_and_undone(tmp_path: Path) -> None:
    root, file = tmp_path / "data", judged_file(tmp_path)
    call = ("import", str(file), "--allow-rejected")
    named = succeeded(root, *call, "--json").json["import"]
    before = held(root)
    assert "nothing was changed" in succeeded(root, *call).stdout
    assert held(root) == before
    more = judged_file(tmp_path, "more.jsonl", 2)  # the same checkpoints, another benchmark
    second = succeeded(root, "import", str(more), "--allow-rejected", "--json").json["import"]
    assert "more.jsonl since" in refused(root, "import", "--undo", named)
    succeeded(root, "import", "--undo", second)
    assert held(root) == before
    succeeded(root, "import", "--undo", named)
    assert held(root) == {}


def test_judgments_are_imported_by_themselves(tmp_path: Path) -> None:
    root = tmp_path / "data"
    said = refused(root, "import", str(judged_file(tmp_path)), *lm_eval(tmp_path / "run"))
    assert "import files of judgments by themselves" in said
    assert "pairs.jsonl (columns)" in said
    assert held(root) == {}


def test_judgments_of_dialogues_find_their_texts_beside(tmp_path: Path) -> None:
    folder, root = tmp_path / "bench", tmp_path / "data"
    questions = [
        {"question_id": i, "category": "maths" if i % 2 else "law", "turns": [f"A{i}?", f"B{i}?"]}
        for i in range(4)
    ]
    answers = {
        model: [
            {"question_id": i, "model_id": model, "choices": [{"index": 0, "turns": [model, "b"]}]}
            for i in range(4)
        ]
        for model in ("org/fir", "oak")
    }
    judged = [
        {"question_id": i, "turn": turn, "model_1": "org/fir", "model_2": "oak"}
        | {"g1_winner": "model_1", "g2_winner": "tie", "judge": ["lark", "pair-v2"]}
        for i in range(5)  # the last one has no question
        for turn in (1, 2)
    ]
    files = {"question": questions, "gpt_pair": judged}
    files |= {f"model_answer/{name.split('/')[-1]}": rows for name, rows in answers.items()}
    for name, rows in files.items():
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    told = succeeded(root, "import", str(folder), "--allow-rejected", "--json").json
    assert (told["judge"], told["orders"], told["votes"]) == ("lark", "both", 16)
    assert (told["items"], told["rejected"]) == (8, {"unknown_item": 2})
    items = DataRoot(root).items("gpt_pair@1").read_text(encoding="utf-8").splitlines()
    second = next(json.loads(one) for one in items if "/turn2" in one)
    assert second == {"item_id": "0/turn2", "prompt": "A0?\n\nB0?", "category": "law"}
