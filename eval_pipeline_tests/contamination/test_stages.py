"""The stages: from items and shards to verdicts."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from eval_pipeline.contracts.model import Contamination, Prompt
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages import (
    contamination_hits,
    contamination_index,
    contamination_items,
    contamination_validation,
    near_duplicates,
)
from eval_pipeline.warehouse.cache import Cache
from eval_pipeline.warehouse.schemas import TABLES

STAGES = (
    contamination_index,
    contamination_hits,
    near_duplicates,
    contamination_validation,
    contamination_items,
)
ASKED = "Read the following carefully and give the final answer on a line of its own:"
QUESTIONS = {
    "a": "A robe takes two bolts of blue fiber and half that much white fiber, how many in all?",
    "b": "Ann walks nine miles to the old mill every day, and back again over the long bridge.",
    "c": "Which of the seven bakers on the square sells the best bread with caraway, and why so?",
}


def contract(**changes: Any) -> Any:
    asked = {"corpora": ["web@1"], "fields": ["question"], "false_positive_bar": 0.5, **changes}
    statistics = SimpleNamespace(seed=7)
    return SimpleNamespace(
        title="sums/v1",
        contract="sums",
        version=1,
        task=SimpleNamespace(benchmark="sums@1"),
        prompt=Prompt(template="prompts/plain.txt"),
        contamination=Contamination(**asked),
        statistics=statistics,
    )


def run(
    root: Path,
    asked: Any,
    questions: Mapping[str, str] = MappingProxyType(QUESTIONS),
    cache: Path | None = None,
) -> dict[str, Any]:
    """All stages in order; tables, files and notes by name."""
    items = TABLES["items"].from_rows(
        [
            {"item_id": i, "cluster_id": i, "question": q, "answer": "42", "slices": []}
            for i, q in questions.items()
        ]
    )
    tables: dict[str, Any] = {"items": lambda columns=None: _some(items, columns)}
    computed = {}
    for module in STAGES:
        stage = module.STAGE
        inputs = StageInputs(asked, DataRoot(root), tables, cache=cache and Cache(cache))
        done = stage.compute(inputs)
        assert set(done.tables) == set(stage.tables)
        for name, table in done.tables.items():
            assert table.schema == TABLES[name].schema
            tables[name] = lambda columns=None, table=table: _some(table, columns)
        assert [check.finds(inputs, done) for check in stage.checks] == [None] * len(stage.checks)
        computed[stage.name] = done
    return computed


def _some(table: pa.Table, columns: list[str] | None) -> pa.Table:
    return table if columns is None else table.select(columns)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = DataRoot(tmp_path).corpus("web@1")
    folder.mkdir(parents=True)
    texts = [f"Seen: {QUESTIONS['a']}", "nothing of note", "the second page says little"]
    lines = [json.dumps({"text": text}) for text in texts]
    (folder / "one.jsonl").write_text("\n".join([*lines, "broken"]))
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "plain.txt").write_text(f"{ASKED} {{question}}\n")
    return tmp_path


def test_a_leak_is_found_and_the_rest_is_clean(root):
    done = run(root, contract())
    verdicts = done["contamination_items"].tables["contamination_items"]
    assert verdicts["item_id"].to_pylist() == ["a", "b", "c"]
    assert verdicts["status"].to_pylist() == ["contaminated", "clean", "clean"]
    hits = done["contamination_hits"]
    assert [f.path for f in hits.files] == ["corpora/web/v1/one.jsonl"]
    assert hits.notes["lines without a document"] == 1
    found = done["contamination_validation"].tables["contamination_validation"].to_pylist()
    assert {r["mechanism"]: r["n_found"] for r in found}["verbatim"] == 2  # of 3, one chose
    assert done["contamination_validation"].notes["documents planted in"] == 2


def test_the_prompts_own_template_is_no_leak(root):
    with_template = {**QUESTIONS, "b": f"{ASKED} {QUESTIONS['b']}"}
    page = json.dumps(
        {"text": f"Our prompt: {ASKED} Ann walks nine miles. {' '.join(QUESTIONS)}" * 4}
    )
    (DataRoot(root).corpus("web@1") / "two.jsonl").write_text(page)
    done = run(root, contract(), with_template)
    assert done["contamination_index"].files[0].path == "prompts/plain.txt"
    rows = done["contamination_items"].tables["contamination_items"].to_pylist()
    assert [row["status"] for row in rows] == ["contaminated", "clean", "clean"]
    (root / "prompts" / "plain.txt").write_text("{question}")
    rows = run(root, contract(), with_template)["contamination_items"].tables
    assert rows["contamination_items"]["status"].to_pylist()[1] == "contaminated"


def test_every_field_has_the_digest_of_its_words(root):
    again = {**QUESTIONS, "d": QUESTIONS["c"].upper() + "!"}
    done = run(root, contract(fields=["question", "answer"]), again)
    rows = done["contamination_items"].tables["contamination_items"].to_pylist()
    digests = {(r["item_id"], r["field"]): r["text_digest"] for r in rows if r["text_digest"]}
    assert digests["c", "question"] == digests["d", "question"]
    assert len(set(digests.values())) == 4  # three questions and the one answer


def test_a_short_answer_is_never_clean(root):
    done = run(root, contract(fields=["question", "answer"]))
    rows = done["contamination_items"].tables["contamination_items"].to_pylist()
    assert {r["status"] for r in rows if r["field"] == "answer"} == {"untestable"}


def test_a_corpus_that_is_not_there_is_named(root):
    with pytest.raises(ValueError, match=r"corpus print@2 has no shards.*corpora/print/v2"):
        run(root, contract(corpora=["web@1", "print@2"]))


def test_a_field_that_is_not_there_is_named(root):
    with pytest.raises(ValueError, match="no item has 'rationale'"):
        run(root, contract(fields=["question", "rationale"]))


def test_what_was_searched_once_is_not_searched_again(root, tmp_path):
    cache = tmp_path / "cache"
    corpus = DataRoot(root).corpus("web@1")
    kinds = {"contamination_hits": "contamination_scans", "near_duplicates": "near_documents"}

    def made(asked: Any, questions: Mapping[str, str] = MappingProxyType(QUESTIONS)) -> list[int]:
        """Entries that were not in the cache; what comes of a cached one is what a new one gives.

        Of the search for n-grams, and of that for near-duplicates.
        """
        new = []
        folders = [cache / kind for kind in kinds.values()]
        before = [{p: p.stat().st_mtime_ns for p in folder.glob("*")} for folder in folders]
        done = run(root, asked, questions, cache)
        again = run(root, asked, questions)
        assert [done[stage] for stage in kinds] == [again[stage] for stage in kinds]
        for folder, old in zip(folders, before, strict=True):
            after = {p: p.stat().st_mtime_ns for p in folder.glob("*")}
            assert old.items() <= after.items()
            new.append(len(after) - len(old))
        return new

    assert made(contract()) == [1, 1]
    assert made(contract()) == [0, 0]  # a checkpoint landed
    assert made(contract(false_positive_bar=0.1)) == [0, 0]  # another contract
    (corpus / "two.jsonl").write_text(json.dumps({"text": QUESTIONS["b"]}))
    assert made(contract()) == [1, 1]  # a shard came: only it is searched
    other = {**QUESTIONS, "d": "Who of the four old ferrymen rows the longest way home at dusk?"}
    assert made(contract(), other) == [2, 2]  # a benchmark version came: both shards, its segment
    assert len(list((cache / "contamination_indexes").glob("*"))) == 2
    assert made(contract()) == [0, 0]


def test_near_duplicates_are_those_of_all_shards_together(root):
    lines = [f"{QUESTIONS['b']} And {n}?" for n in range(4)]
    for name in ("two.jsonl", "ten.jsonl"):
        shard = DataRoot(root).corpus("web@1") / name
        shard.write_text("\n".join(json.dumps({"text": text}) for text in [*lines, QUESTIONS["b"]]))
    done = run(root, contract())["near_duplicates"]
    rows = [r for r in done.tables["near_duplicates"].to_pylist() if r["item_id"] == "b"]
    assert sorted((-r["jaccard"], r["other"]) for r in rows)[:3] == [
        (-1.0, "ten.jsonl:4"),
        (-1.0, "two.jsonl:4"),
        (-13 / 15, "ten.jsonl:0"),
    ]
    assert len(rows) == 5
    assert done.notes["further pairs of the same items"] == 5


def test_a_shard_that_cannot_be_read_is_named_or_counted(root):
    (DataRoot(root).corpus("web@1") / "torn.parquet").write_bytes(b"PAR1 torn")
    with pytest.raises(ValueError, match=r"shard web/v1/torn.parquet cannot .*unreadable_shards"):
        run(root, contract())
    done = run(root, contract(unreadable_shards="skip"))
    hits = done["contamination_hits"]
    assert hits.set_aside["unreadable shards"] == 1
    searched = hits.tables["contamination_shards"].to_pylist()
    assert [(r["shard"], r["documents"], r["status"]) for r in searched] == [
        ("one.jsonl", 3, "ok"),
        ("torn.parquet", 0, "undefined"),
    ]
    rows = done["contamination_items"].tables["contamination_items"].to_pylist()
    clean = [row["reason"] for row in rows if row["status"] == "clean"]
    unsearched = "1 of 2 shards could not be read; lines of the corpora that hold no readable"
    assert clean == [f"no document holds more than chance; {unsearched} document: 1"] * 2


def test_an_empty_corpus_is_no_clean_one(root):
    (DataRoot(root).corpus("web@1") / "one.jsonl").write_text("no json\n")
    with pytest.raises(ValueError, match=r"corpus web@1 holds no document that can be searched"):
        run(root, contract())


def test_planning_knows_shards_and_instruments(root):
    stage = contamination_hits.STAGE
    assert [p.name for p in stage.files(DataRoot(root), contract(), None)] == ["one.jsonl"]
    assert stage.instruments(contract())["rule"] == "F@4"
    assert stage.wanted(contract())
    assert not stage.wanted(SimpleNamespace(contamination=None))
