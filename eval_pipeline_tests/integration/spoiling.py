"""Ways to spoil a small project, each with its mend and with what the run must say of it."""

import gzip
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.integration.roots import json_lines
from eval_pipeline_tests.integration.three_contracts import (
    land_answers,
    manifest,
    rows_of,
    sum_items,
    sums_of,
    variant,
    write_contract,
)

ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{letter}: &{letter} [{', '.join([f'*{chr(ord(letter) - 1)}'] * 9)}]\n"
    for letter in "bcdefghi"
)
ODD_NAMES = ("a|b", "a=b", "with space", " ", "new\nline", "..x", "-dash", "\x1b[31mred", "e\u0301")


@dataclass(frozen=True)
class Spoiling:
    """One thing that is wrong with a project.

    says: words that stand together in one line: the thing, its place and the mend. None where
    the junk is counted. seen_before_a_run: whether `validate` says so as well.
    """

    name: str
    spoil: Callable[[DataRoot], object]
    mend: Callable[[DataRoot], object]
    says: tuple[str, ...]
    seen_before_a_run: bool = True


def _land(root: DataRoot, name: str, files: Mapping[str, str] | None = None) -> Path:
    """A checkpoint of the family that only `healthy` evaluates."""
    return land_answers(root, name, "2026-02-01", family="oak", files=files)


def _land_again(root: DataRoot, name: str) -> None:
    """The checkpoint as it should have been."""
    shutil.rmtree(root.checkpoint(name))
    _land(root, name)


def _truncated(root: DataRoot) -> None:
    folder = _land(root, "truncated", {})
    path = folder / "sums.parquet"
    pq.write_table(pa.Table.from_pylist(rows_of(sums_of("truncated"))), path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    write_success(folder)


def _untruncated(root: DataRoot) -> None:
    path = root.checkpoint("truncated") / "sums.parquet"
    pq.write_table(pa.Table.from_pylist(rows_of(sums_of("truncated"))), path)
    write_success(path.parent)


def _swapped(root: DataRoot) -> None:
    path = _land(root, "swapped") / "sums.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Answer", b"answer"))


def _resized(root: DataRoot) -> None:
    with (_land(root, "resized") / "sums.jsonl").open("a") as file:
        file.write("{}\n")


def _linked(root: DataRoot) -> None:
    path = _land(root, "linked") / "sums.jsonl"
    elsewhere = root.path / "elsewhere.jsonl"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def _unlinked(root: DataRoot) -> None:
    _land_again(root, "linked")
    (root.path / "elsewhere.jsonl").unlink()


def _gzip_bomb(root: DataRoot) -> None:
    folder = _land(root, "bomb", {})
    with gzip.open(folder / "sums.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(260):
            file.write(b" " * (1 << 20))
    write_success(folder)


def _aliased(root: DataRoot) -> None:
    folder = _land(root, "aliased")
    (folder / "checkpoint.yaml").write_text(manifest("oak", "2026-02-01") + ALIAS_BOMB)
    write_success(folder)


def _undescribed(root: DataRoot) -> None:
    folder = _land(root, "undescribed")
    (folder / "checkpoint.yaml").write_text("family: oak\n")
    write_success(folder)


def _odd(number: int) -> Spoiling:
    name = ODD_NAMES[number]

    def spoil(root: DataRoot) -> None:
        _land(root, f"odd{number}").rename(root.checkpoints / name)

    def mend(root: DataRoot) -> None:
        folder = (root.checkpoints / name).rename(root.checkpoint(f"odd{number}"))
        if number:  # one is enough to see that a new name mends it
            shutil.rmtree(folder)

    return Spoiling(
        f"odd name {name!a}",
        spoil,
        mend,
        ("fault: checkpoints/", f"checkpoint name {name!r} is refused", "use letters, digits"),
    )


def _on_cracked_items(root: DataRoot) -> None:
    variant(root, "sums", "cracked", {"sums@1": "cracked@1"})
    path = root.items("cracked@1")
    path.parent.mkdir(parents=True)
    path.write_text(json_lines(sum_items()) + '{"item_id": "cut off\n')


def _on_torn_corpus(root: DataRoot) -> None:
    variant(root, "leaks", "torn", {"web@1": "torn@1"})
    folder = root.corpus("torn@1")
    folder.mkdir(parents=True)
    (folder / "shard.jsonl.gz").write_bytes(_packed()[:40])


def _on_linked_corpus(root: DataRoot) -> None:
    variant(root, "leaks", "elsewhere", {"web@1": "elsewhere@1"})
    folder = root.corpus("elsewhere@1")
    folder.mkdir(parents=True)
    (folder / "shard.jsonl").symlink_to(_pages(root))


def _off_linked_corpus(root: DataRoot) -> None:
    shard = root.corpus("elsewhere@1") / "shard.jsonl"
    shard.unlink()
    shard.write_bytes(_pages(root).read_bytes())


def _packed() -> bytes:
    return gzip.compress(b'{"text": "A page about the weather."}\n' * 50, mtime=0)


def _append(path: Path, junk: bytes) -> None:
    with path.open("ab") as file:
        file.write(junk)


def _take_off(path: Path, junk: bytes) -> None:
    path.write_bytes(path.read_bytes().removesuffix(junk))


VOTE_JUNK = b'\x00\x01 junk\n{"item_id": "talk-99"}\n'
PAGE_JUNK = b'\xff\xfe junk\n{"no": 1}\n'


def _votes(root: DataRoot) -> Path:
    return root.judgments("arbiter", "talks", "late")


def _pages(root: DataRoot) -> Path:
    return root.corpus("web@1") / "shard.jsonl"


SPOILINGS: tuple[Spoiling, ...] = (
    Spoiling(
        "truncated Parquet",
        _truncated,
        _untruncated,
        (
            "failed: healthy/v1 generations of truncated",
            "checkpoints/truncated/sums.parquet: truncated or damaged Parquet",
            "copy or write the file again",
        ),
    ),
    Spoiling(
        "no marker",
        lambda root: (_land(root, "unmarked") / "_SUCCESS").unlink(),
        lambda root: _land_again(root, "unmarked"),
        ("note: checkpoints/unmarked waits for its _SUCCESS",),
    ),
    Spoiling(
        "other bytes than the marker states",
        _swapped,
        lambda root: _land_again(root, "swapped"),
        (
            "failed: healthy/v1 generations of swapped",
            "checkpoint swapped: sums.jsonl is not the file that _SUCCESS states",
            "put the stated file back, or write _SUCCESS again",
        ),
    ),
    Spoiling(
        "another size than the marker states",
        _resized,
        lambda root: _land_again(root, "resized"),
        (
            "fault: checkpoints/resized: sums.jsonl has",
            "bytes, _SUCCESS states",
            "put the stated file back, or write _SUCCESS again",
        ),
    ),
    *map(_odd, range(len(ODD_NAMES))),
    Spoiling(
        "a symbolic link in a checkpoint folder",
        _linked,
        _unlinked,
        ("fault: checkpoints/linked: sums.jsonl is a symbolic link", "holds regular files only"),
    ),
    Spoiling(
        "gzip bomb",
        _gzip_bomb,
        lambda root: _land_again(root, "bomb"),
        (
            "failed: healthy/v1 generations of bomb",
            "checkpoints/bomb/sums.jsonl.gz: ",
            "refused as a gzip bomb",
            "give the file unpacked, or in parts",
        ),
    ),
    Spoiling(
        "alias bomb in checkpoint.yaml",
        _aliased,
        lambda root: _land_again(root, "aliased"),
        (
            "fault: checkpoints/aliased/checkpoint.yaml:6: a: anchors and aliases are refused",
            "write the value out",
        ),
    ),
    Spoiling(
        "checkpoint.yaml without what it must say",
        _undescribed,
        lambda root: _land_again(root, "undescribed"),
        (
            "fault: checkpoints/undescribed/checkpoint.yaml:1: weights_digest: is missing",
            "give the digest of the weights, or write {unknown: <reason>}",
        ),
    ),
    Spoiling(
        "contract edited after results",
        lambda root: _rewritten(root, {"seed: 1": "seed: 2"}),
        lambda root: _rewritten(root, {}),
        (
            "fault: contract sums v1 was changed after results were recorded",
            "restore it or add v2",
            "statistics.seed was 1 and is 2",
        ),
    ),
    Spoiling(
        "missing benchmark",
        lambda root: variant(root, "sums", "absent", {"sums@1": "sum@1"}),
        lambda root: variant(root, "sums", "absent"),
        (
            "fault: contracts/absent/v1.yaml:7: task.benchmark: is sum@1, which is not there",
            "add benchmarks/sum/v1/items.jsonl; did you mean sums@1?",
        ),
    ),
    Spoiling(
        "alias bomb in a contract",
        lambda root: variant(root, "sums", "aliases", {"contract: aliases": ALIAS_BOMB}),
        lambda root: variant(root, "sums", "aliases"),
        (
            "fault: contracts/aliases/v1.yaml:1: a: anchors and aliases are refused",
            "write the value out",
        ),
    ),
    Spoiling(
        "broken line among the items",
        _on_cracked_items,
        lambda root: _take_off(root.items("cracked@1"), b'{"item_id": "cut off\n'),
        (
            "failed: cracked/v1 items: ",
            "benchmarks/cracked/v1/items.jsonl:13: is not JSON",
            "mend the line or take it out",
        ),
    ),
    Spoiling(
        "shard that is cut",
        _on_torn_corpus,
        lambda root: _write_torn(root),
        (
            "failed: torn/v1 contamination_hits",
            "corpus shard torn/v1/shard.jsonl.gz cannot be read",
            "copy the shard again",
        ),
        seen_before_a_run=False,  # it would have to read all corpora
    ),
    Spoiling(
        "shard that is a link",
        _on_linked_corpus,
        _off_linked_corpus,
        (
            "failed: elsewhere/v1 contamination_index",
            "corpus shard elsewhere/v1/shard.jsonl is a link",
            "copy the file there",
        ),
    ),
    Spoiling(
        "junk among the votes",
        lambda root: _append(_votes(root), VOTE_JUNK),
        lambda root: _take_off(_votes(root), VOTE_JUNK),
        (),
        seen_before_a_run=False,
    ),
    Spoiling(
        "junk in a shard",
        lambda root: _append(_pages(root), PAGE_JUNK),
        lambda root: _take_off(_pages(root), PAGE_JUNK),
        (),
        seen_before_a_run=False,
    ),
)


def _rewritten(root: DataRoot, changes: Mapping[str, str]) -> None:
    write_contract(root, "sums", changes)


def _write_torn(root: DataRoot) -> None:
    (root.corpus("torn@1") / "shard.jsonl.gz").write_bytes(_packed())
