"""The bundled data: written from one seed, the same each time, small, and fit for use."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_all
from eval_pipeline.contracts.targets import checkpoint_facts, decoupling_faults, targets
from eval_pipeline.lab.nights import CONTRACT_SEED
from eval_pipeline.lab.planted import (
    ANCHORS,
    BASELINE,
    CHECKPOINTS,
    DRAWS,
    JUDGES,
    MARKERS,
    NEAREST,
    SEED,
    SENTINELS,
)
from eval_pipeline.lab.tricks import PROBE_SET
from eval_pipeline.lab.truth import Truth, read_truth
from eval_pipeline.lab.write import write_lab
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.conftest import PROJECT

BUNDLED = DataRoot(PROJECT / "data")
MOST_BYTES = 5_000_000


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> tuple[DataRoot, Truth]:
    root = DataRoot(tmp_path_factory.mktemp("lab"))
    return root, write_lab(root)


def files(root: DataRoot) -> Iterator[tuple[str, Path]]:
    for path in sorted(root.path.rglob("*")):
        if path.is_file():
            yield path.relative_to(root.path).as_posix(), path


def content(path: Path) -> object:
    """What a file says, whatever the packer's version."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.name == "_SUCCESS":
        return [line for line in path.read_text().split("\n") if is_plain(line)]
    return path.read_bytes()


def is_plain(line: str) -> bool:
    return ".gz" not in line and ".parquet" not in line


def test_the_same_seed_writes_the_same_bytes(lab: tuple[DataRoot, Truth], tmp_path: Path) -> None:
    root, _ = lab
    write_lab(DataRoot(tmp_path))
    again = {name: path.read_bytes() for name, path in files(DataRoot(tmp_path))}
    assert again == {name: path.read_bytes() for name, path in files(root)}


def test_another_seed_writes_other_data(lab: tuple[DataRoot, Truth], tmp_path: Path) -> None:
    root, _ = lab
    other = DataRoot(tmp_path)
    write_lab(other, SEED + 1)
    name = "arithmetic_words@1"
    assert other.items(name).read_bytes() != root.items(name).read_bytes()


def test_the_bundled_data_are_what_the_lab_writes(lab: tuple[DataRoot, Truth]) -> None:
    root, _ = lab
    for name, path in files(root):
        assert content(BUNDLED.path / name) == content(path), name


def test_the_data_are_small(lab: tuple[DataRoot, Truth]) -> None:
    assert sum(path.stat().st_size for _, path in files(lab[0])) < MOST_BYTES


def test_every_contract_is_whole_and_asks_for_what_the_lab_planted(
    lab: tuple[DataRoot, Truth],
) -> None:
    root, _ = lab
    loaded = load_all(root)
    assert not loaded.faults_by_file
    by_name = {one.contract.contract: one.contract for one in loaded.contracts}
    assert sorted(by_name) == ["arithmetic_words", "helpful_replies", "python_functions"]
    facts = {c.name: checkpoint_facts(root, c.name) for c in CHECKPOINTS}
    for contract in by_name.values():
        assert contract.status == "frozen"
        assert read_items(root, contract).extra_keys == ()
        assert targets(contract, facts) == [c.name for c in CHECKPOINTS]
        assert not any(decoupling_faults(contract, one) for one in facts.values())
    judged = by_name["helpful_replies"]
    assert judged.judging is not None
    assert judged.pairing is not None
    assert judged.length_control is not None
    assert {(j.name, j.family) for j in judged.judging.judges} == {
        (j.name, j.family) for j in (*JUDGES, *MARKERS)
    }
    assert (set(judged.pairing.anchors), judged.pairing.nearest) == (ANCHORS, NEAREST)
    assert judged.length_control.baseline == BASELINE
    assert judged.judging.probes == [PROBE_SET]
    assert judged.judging.sentinels == SENTINELS
    assert judged.statistics.seed == CONTRACT_SEED
    examined = by_name["arithmetic_words"].item_analysis
    assert examined is not None
    assert examined.groups is not None
    families = {*examined.groups.reference, *examined.groups.focal}
    assert families == {c.family for c in CHECKPOINTS}
    assert getattr(by_name["arithmetic_words"].budget, "draws_per_item", None) == DRAWS


def test_one_judge_of_each_kind_deserves_a_licence(lab: tuple[DataRoot, Truth]) -> None:
    for judges in (JUDGES, MARKERS):
        assert sum(lab[1].licences[judge.name] for judge in judges) == 1


def test_the_truth_on_disk_is_the_truth_returned(lab: tuple[DataRoot, Truth]) -> None:
    root, truth = lab
    on_disk = read_truth(root.truth)
    assert [v.name for v in on_disk.values] == [v.name for v in truth.values]
    assert [v.value for v in on_disk.values] == pytest.approx([v.value for v in truth.values])
    assert (on_disk.leaks, on_disk.licences) == (truth.leaks, truth.licences)
