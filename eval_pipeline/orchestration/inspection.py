"""`validate`: every fault of a project that can be seen before it is run. Nothing is written."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.conditions import unverified
from eval_pipeline.contracts.faults import Faults, nearest
from eval_pipeline.contracts.items import BenchmarkItems, read_items
from eval_pipeline.contracts.judging import Judge
from eval_pipeline.contracts.ledgers import read_accepted
from eval_pipeline.contracts.load import load_all
from eval_pipeline.contracts.model import Budget, Contract
from eval_pipeline.contracts.remarks import remarks
from eval_pipeline.ingest.benchmark_files import benchmark_files, check_forms
from eval_pipeline.ingest.checkpoint import MANIFEST, MARKER, Landed, landed_checkpoint
from eval_pipeline.ingest.excerpts import listed
from eval_pipeline.layout import CALLS, DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation, one_line
from eval_pipeline.orchestration.planning.world import instruments_exist, prompts_keep_the_rules
from eval_pipeline.orchestration.reading.judgments import recorded_files
from eval_pipeline.orchestration.stage import Settings
from eval_pipeline.orchestration.stages.annotations import scores_by_rubric
from eval_pipeline.verification.recorded import PUBLISHED
from eval_pipeline.verification.registry import is_recorded

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class Inspection:
    """What is wrong, what is no fault and may surprise, and how much was looked at.

    One line a fault and a note; checked: what was looked at, in the plural, to how many.
    """

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)

    def fault(self, line: str) -> None:
        if line not in self.faults:  # two contracts may read one file
            self.faults.append(line)

    def note(self, line: str) -> None:
        if line not in self.notes:
            self.notes.append(line)

    @contextmanager
    def gathering(self, below: str = "") -> Iterator[None]:
        """Turns what is wrong with one thing into faults, so that the next is looked at too.

        below: stands before a message that names a file only.
        """
        try:
            yield
        except Faults as error:
            for fault in error.faults:
                self.fault(f"{below}{fault}")
        except (ValueError, OSError) as error:
            self.fault(f"{below}{one_line(error)}")


@dataclass(frozen=True)
class _Benchmark:
    """A contract and the items that it reads."""

    contract: Contract
    items: BenchmarkItems

    @property
    def clusters(self) -> Mapping[str, str]:
        columns = self.items.table.select(["item_id", "cluster_id"]).to_pydict()
        return dict(zip(columns["item_id"], columns["cluster_id"], strict=True))


def inspect(root: DataRoot, hash_files: bool) -> Inspection:
    """Contracts, items, corpora, checkpoint folders, votes and labels.

    hash_files: also reads every file of every checkpoint: holds its bytes against the marker, and
    the generations against the items.
    """
    found = Inspection()
    checkpoints: tuple[str, ...] = ()
    with found.gathering():
        world = Evaluation(root, Settings(), "validate").world
        for lines in world.faults.values():
            for line in lines:
                found.fault(line)
        for name in world.waiting:
            found.note(f"checkpoints/{name} waits for its {MARKER}")
        for active in world.active:
            for remark in remarks(active.contract, world.facts):
                found.note(remark)
            stated = {name: world.facts[name].conditions for name in active.targets}
            if said := unverified(active.contract, stated):
                found.note(said)
        checkpoints = tuple(sorted(world.facts))
    with found.gathering():
        read_accepted(root)
    contracts = [one.contract for one in load_all(root).contracts]
    benchmarks = _benchmarks(found, root, contracts)
    for one in benchmarks:
        _check_references(found, one)
        _look_for_corpora(found, root, one.contract)
        _read_labels(found, root, one)
        _read_votes(found, root, one, checkpoints)
    for name in checkpoints:
        with found.gathering():
            landed = landed_checkpoint(root, name)
            _look_for_strays(found, landed, contracts)
            if hash_files:
                _hold_against_marker(found, landed)
                _read_replies(found, landed, benchmarks)
    _look_for_stray_votes(found, root, contracts, checkpoints)
    found.checked["contracts"] = len(contracts)
    found.checked["checkpoints"] = len(checkpoints)
    return found


def _benchmarks(
    found: Inspection, root: DataRoot, contracts: Iterable[Contract]
) -> list[_Benchmark]:
    benchmarks = []
    for contract in contracts:
        with found.gathering():
            items = read_items(root, contract)
            benchmarks.append(_Benchmark(contract, items))
            if items.extra_keys:
                found.note(f"{items.file.path}: extra keys kept: {listed(items.extra_keys)}")
    found.checked["item files"] = len({one.items.file.path for one in benchmarks})
    return benchmarks


def _check_references(found: Inspection, one: _Benchmark) -> None:
    """A reference that the contract's verifier cannot read is a fault of its item.

    Instruments that there are not are a fault of the contract, which is said already.
    """
    asked = one.contract.verification
    if asked is None or any(True for _ in instruments_exist(one.contract)):
        return
    from eval_pipeline.verification.scoring import Grader
    from eval_pipeline.verification.tables import items_of

    with found.gathering(f"{one.items.file.path}: "):
        grader = Grader.of(asked.verifier, asked.extraction, asked.options)
        grader.check(list(items_of(one.items.table).values()))


def _look_for_corpora(found: Inspection, root: DataRoot, contract: Contract) -> None:
    from eval_pipeline.contamination.corpus.shard_files import shards

    for corpus in contract.contamination.corpora if contract.contamination else ():
        folder = root.corpus(corpus)
        with found.gathering():
            if not shards(folder):
                found.fault(
                    f"{_below(root, folder)} has no shards, and {contract.title} searches "
                    f"{corpus}: put *.parquet or *.jsonl[.gz] there"
                )


def _read_labels(found: Inspection, root: DataRoot, one: _Benchmark) -> None:
    from eval_pipeline.ingest.annotations import read_annotations

    for name in one.contract.annotation_sets:
        path = root.annotations(name)
        place = _below(root, path)
        if not path.exists():
            found.fault(
                f"{place} is not there: add it, or take {name} out of the annotations that "
                f"{one.contract.title} names"
            )
            continue
        found.checked["label files"] += 1
        with found.gathering():
            readable = _has_rubric(root, one.contract)
            scored = scores_by_rubric(root, one.contract) if readable else None
            read = read_annotations(path, place, name, one.clusters, scored)
            _note_rejects(found, place, one.contract, read.rejected_annotations)


class _AnyPair:
    """Stands for a plan by which every pair is judged."""

    def __contains__(self, pair: object) -> bool:
        return True


def _read_votes(
    found: Inspection, root: DataRoot, one: _Benchmark, checkpoints: Iterable[str]
) -> None:
    from eval_pipeline.ingest.votes import read_votes
    from eval_pipeline.orchestration.stages.judge_votes import verdict_reader

    judging = one.contract.judging
    for judge, path in _vote_files(root, one.contract, checkpoints):
        if not path.exists():
            continue
        found.checked["vote files"] += 1
        place = _below(root, path)
        if judge.form == "pointwise":
            if not _has_rubric(root, one.contract):
                continue
            with found.gathering():
                rejects = _read_scores(root, one, judge, path, place)
                _note_rejects(found, place, one.contract, rejects)
            continue
        verdicts = verdict_reader(judge)
        lack = judging is not None and judging.orders == "unrecorded"
        with found.gathering():
            read = read_votes(
                path, place, judge.name, one.clusters, _AnyPair(), verdicts, orders_lack=lack
            )
            _note_rejects(found, place, one.contract, read.rejected_votes)


def _has_rubric(root: DataRoot, contract: Contract) -> bool:
    """Whether the rubric of its scores can be read; where not, the world's faults say why."""
    return next(prompts_keep_the_rules(root, contract), None) is None


def _read_scores(
    root: DataRoot, one: _Benchmark, judge: Judge, path: Path, place: str
) -> "pa.Table":
    """The rejects of a file of scores."""
    from eval_pipeline.ingest.scores import read_scores
    from eval_pipeline.orchestration.live_judges import live_judging
    from eval_pipeline.orchestration.stages import judge_scores

    judging = one.contract.judging
    if judging is None:
        raise ValueError(f"{one.contract.title} declares no judging: add the section")
    said = judge_scores.score_reader(root, judging, judge)
    due = set(live_judging.scored_items(one.contract, one.items.table))
    return read_scores(path, place, judge.name, one.clusters, due, said).rejected_scores


def _vote_files(
    root: DataRoot, contract: Contract, checkpoints: Iterable[str]
) -> list[tuple[Judge, Path]]:
    """Judge and file of all that is recorded for the contract, whether it is there or not."""
    judges = contract.judging.judges if contract.judging else ()
    return [
        one
        for judge in judges
        for name in checkpoints
        for one in recorded_files(root, contract, [judge], name)
    ]


def _look_for_stray_votes(
    found: Inspection, root: DataRoot, contracts: Iterable[Contract], checkpoints: Iterable[str]
) -> None:
    names = list(checkpoints)
    read = {path for one in contracts for _, path in _vote_files(root, one, names)}
    for path in sorted((root.path / "judgments").glob("*/*/*")):
        if path not in read and path.name != CALLS and not path.name.startswith("."):
            found.note(
                f"{_below(root, path)} is read by nothing: no contract asks this judge about such "
                "a checkpoint"
            )


def _look_for_strays(found: Inspection, landed: Landed, contracts: Iterable[Contract]) -> None:
    known = {one.benchmark for one in contracts}
    read = {path.name for one in known for path in benchmark_files(landed.folder, one)}
    for file in sorted(landed.files.keys() - read - {MANIFEST}):
        found.note(
            f"checkpoints/{landed.name}/{file} is read by nothing: no contract has such a benchmark"
        )


def _hold_against_marker(found: Inspection, landed: Landed) -> None:
    from eval_pipeline.warehouse.digest import file_digest

    for file in sorted(landed.files):
        found.checked["checkpoint files"] += 1
        with found.gathering():
            landed.check_bytes(file, file_digest(landed.folder / file)[0])


def _read_replies(found: Inspection, landed: Landed, benchmarks: Iterable[_Benchmark]) -> None:
    """Each generation file by itself, so that a damaged one hides nothing of the others."""
    from eval_pipeline.ingest.generations import read_generations

    below = f"checkpoints/{landed.name}/"
    for one in benchmarks:
        files = benchmark_files(landed.folder, one.contract.benchmark)
        budget = one.contract.budget
        draws = budget.draws_per_item if isinstance(budget, Budget) else None
        with found.gathering(below):
            check_forms(files)
        for path in files:
            with found.gathering(below):
                read = read_generations([path], one.clusters, draws)
                if read.extra_keys:
                    keys = listed(read.extra_keys)
                    found.note(f"{below}{path.name}: extra keys kept: {keys}")
                _look_for_verdicts(found, f"{below}{path.name}", one.contract, read.extra_keys)
                _note_rejects(found, f"{below}{path.name}", one.contract, read.rejected_lines)


def _recorded_field(contract: Contract) -> str | None:
    """Where the rows are said to hold a publisher's verdicts."""
    asked = contract.verification
    if asked is None:
        return None
    if is_recorded(asked.verifier):
        return str(asked.options.get("field"))
    return asked.recorded.field if asked.recorded else None


def _look_for_verdicts(
    found: Inspection, place: str, contract: Contract, keys: Collection[str]
) -> None:
    """Says so where no row can hold the recorded verdicts that the contract names."""
    field = _recorded_field(contract)
    if field is None or {PUBLISHED, field, field.split(".")[0]} & set(keys):
        return
    near = nearest(field, keys) or "its rows have no further keys"
    found.note(
        f"{place}: {contract.title} takes recorded verdicts of {field}, a key of no row; {near}"
    )


def _note_rejects(found: Inspection, place: str, contract: Contract, rejects: "pa.Table") -> None:
    reasons = Counter(rejects["reason"].to_pylist())
    if reasons:
        said = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))
        found.note(f"{place}: {contract.title} would reject {rejects.num_rows} rows ({said})")


def _below(root: DataRoot, path: Path) -> str:
    return path.relative_to(root.path).as_posix()
