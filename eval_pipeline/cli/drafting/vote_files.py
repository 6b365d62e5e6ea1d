"""Published votes as the vote files of a project; what stands in a file stays."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.ingest.imports.staging import FROM
from eval_pipeline.ingest.pairs import pair_of
from eval_pipeline.ingest.published_votes import Keys, PublishedRow, published_row
from eval_pipeline.ingest.rejects import RowFault
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    from eval_pipeline.ingest.published_votes import Row

Key = tuple[str, str, str, str, int]  # item, model_a < model_b, who was first, repeat


@dataclass(frozen=True)
class Given:
    """What a person says of a file: its form, whose rows are wanted, other names."""

    form: str
    keys: Keys
    only: Mapping[str, str]  # key -> value of the rows that are wanted
    renamed: Mapping[str, str]  # model in the file -> checkpoint


@dataclass
class Refused:
    """Rows that are no votes: how many by reason, and the first of each reason in a sentence."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, number: int, fault: RowFault) -> None:
        """Counts a row, and keeps what was wrong with it where it is the first."""
        self.counts[fault.reason] = self.counts.get(fault.reason, 0) + 1
        self.first.setdefault(fault.reason, f"row {number}: {fault}")


@dataclass(frozen=True)
class Imported:
    """What came of an import: votes kept and known before, by file; rows passed over, refused.

    unplanned: kept votes on pairs that the contract does not have judged, by pair of models.
    """

    kept: Mapping[str, int]
    known: int
    refused: Refused
    unplanned: Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Bench:
    """The items and checkpoints of a contract that votes are about.

    planned: the pairs (item, model_a, model_b) that are judged and belong to a checkpoint; None
    where the votes are the plan. orders_lack: whether votes need not say who was shown first.
    """

    benchmark: str  # without version
    questions: Mapping[str, str]  # item -> question
    checkpoints: Sequence[str]  # by (date, name)
    planned: Callable[[str], Collection[tuple[str, str, str]]] | None = None
    orders_lack: bool = False

    def item(self, row: PublishedRow) -> str:
        """The row's item: by its name, else the only one with its question."""
        if row.item_id is not None and row.item_id in self.questions:
            return row.item_id
        if row.question is None:
            raise RowFault("unknown_item", f"the benchmark has no item {row.item_id!r:.80}")
        found = self._items.get(row.question, [])
        if len(found) != 1:
            many = "no item has" if not found else f"{len(found)} items have"
            raise RowFault("unknown_item", f"{many} the question {row.question!r:.60}")
        return found[0]

    @cached_property
    def _items(self) -> Mapping[str, list[str]]:
        """Question -> its items."""
        found: dict[str, list[str]] = {}
        for item, text in self.questions.items():
            found.setdefault(text, []).append(item)
        return found

    def check_orders(self, row: PublishedRow) -> None:
        """Raises RowFault for a vote without an order, where the contract needs one."""
        if not self.orders_lack and any(vote.shown_first is None for vote in row.votes):
            raise RowFault(
                "unknown_slot",
                "nothing says which reply was shown first; a contract with judging.orders: "
                "unrecorded takes such votes, and licenses no judge by them",
            )

    def later(self, models: Sequence[str]) -> str:
        """The later of two models, whose votes they are."""
        for model in models:
            if model not in self.checkpoints:
                raise RowFault(
                    "unknown_model",
                    f"{model!r:.60} is no checkpoint of the contract: --rename {model}=NAME",
                )
        return max(models, key=list(self.checkpoints).index)


def given_rows(
    rows: "Iterable[tuple[int, Row]]", given: Given, refused: Refused, file: str
) -> Iterator[tuple[int, PublishedRow]]:
    """The wanted rows as their form reads them, models by the names of checkpoints.

    file: how the rows' file is called, for their places.
    """
    for number, row in rows:
        if any(str(row.get(key)) != value for key, value in given.only.items()):
            continue
        try:
            read = published_row(row, given.form, given.keys)
        except RowFault as fault:
            refused.add(number, fault)
            continue
        a, b = (given.renamed.get(model, model) for model in read.models)
        yield number, replace(read, models=(a, b), place=f"{file}:{number}")


def import_votes(
    root: DataRoot,
    bench: Bench,
    judge: str,
    rows: Iterable[tuple[int, PublishedRow]],
    refused: Refused,
) -> Imported:
    """Adds the votes to judgments/JUDGE/BENCHMARK/CHECKPOINT.jsonl, of the later of each pair.

    A vote that stands there already is passed over, so that importing twice changes nothing.
    Raises ValueError for a file that is packed or holds a line that is no vote.
    """
    from eval_pipeline.warehouse.durable import write_text

    there: dict[str, set[Key]] = {}
    planned: dict[str, Collection[tuple[str, str, str]] | None] = {}
    unplanned: Counter[tuple[str, str]] = Counter()
    lines: dict[str, list[str]] = {}
    met: dict[tuple[str, str, str, str], int] = {}
    known = 0
    for number, row in rows:
        try:
            pair = pair_of(*row.models)
            bench.check_orders(row)
            item, later = bench.item(row), bench.later(row.models)
        except RowFault as fault:
            refused.add(number, fault)
            continue
        if later not in there:
            planned[later] = bench.planned(later) if bench.planned else None
            there[later] = set(_keys(root.judgments(judge, bench.benchmark, later)))
        asked = planned[later]
        for vote in row.votes:
            place = (item, pair.model_a, pair.model_b, pair.side(vote.shown_first or "") or "")
            repeat = met[place] = met.get(place, -1) + 1
            if (*place, repeat) in there[later]:
                known += 1
                continue
            line: dict[str, object] = {
                "item_id": item,
                "model_a": row.models[0],
                "model_b": row.models[1],
                "shown_first": vote.shown_first,
                "repeat": repeat,
                "verdict": vote.verdict,
            }
            if row.place:
                line[FROM] = row.place
            if vote.prob_first is not None:
                line["prob_first"] = vote.prob_first
            if vote.prob_a is not None:
                line["prob_a"] = vote.prob_a
            if vote.failed:
                line["error"] = "the published file says so"
            if asked is not None and (item, pair.model_a, pair.model_b) not in asked:
                unplanned[pair.model_a, pair.model_b] += 1
            lines.setdefault(later, []).append(json.dumps(line, ensure_ascii=True) + "\n")
    kept = {}
    for later in sorted(lines):
        path = root.judgments(judge, bench.benchmark, later)
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        write_text(path, before + "".join(lines[later]))
        kept[path.relative_to(root.path).as_posix()] = len(lines[later])
    return Imported(kept, known, refused, unplanned)


def _keys(path: Path) -> Iterator[Key]:
    """What each vote of a file is about."""
    if path.suffix == ".gz":
        with gzip.open(path) as packed:
            if packed.read(1):
                raise ValueError(f"{path} is packed: unpack it before votes are added")
    if not path.exists():
        return
    content = path.read_text(encoding="utf-8")
    if content and not content.endswith("\n"):
        raise ValueError(f"{path}: the last line has no end: mend it before votes are added")
    for number, text in enumerate(content.split("\n"), start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
            pair = pair_of(row["model_a"], row["model_b"])
            first = pair.side(row["shown_first"] or "") or ""
            yield row["item_id"], pair.model_a, pair.model_b, first, row.get("repeat") or 0
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number} is no vote: mend or remove it") from None
