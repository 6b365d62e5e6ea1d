"""The items of a benchmark: frozen, so a single broken line refuses the file.

One JSON object a line, split on `\\n` only. `question` (or `prompt`) is what the model is shown;
the contract says which keys are clusters and slices; further keys are kept in `extra`.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from eval_pipeline.contracts.faults import Fault, ItemFaults, field_of, nearest, shown
from eval_pipeline.contracts.metric_rules import item_columns
from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.warehouse.schemas import TABLES

FIELDS = ("item_id", "question", "prompt", "answer", "options", "entry_point", "test")
_BOM = b"\xef\xbb\xbf"

Row = dict[str, Any]
Said = tuple[str, str, str]  # field, what is wrong, and the mend


@dataclass(frozen=True)
class BenchmarkItems:
    """A benchmark as a contract sees it.

    table: the columns of `items`, sorted by item_id. file: the evidence. extra_keys: keys that
    neither a column nor the contract names, sorted; they are kept in `extra`.
    """

    table: pa.Table
    file: FileRead
    extra_keys: tuple[str, ...]


def read_items(root: DataRoot, contract: Contract) -> BenchmarkItems:
    """The items that the contract pins.

    Raises ItemFaults with every fault of every line, and those of the contract where it names a
    column that no item has.
    """
    path = root.items(contract.task.benchmark)
    file = path.relative_to(root.path).as_posix()
    raw = _content(path, file)
    rows, faults = _rows(raw, file)
    keys = {key for _, row in rows for key in row}
    wanted = _Wanted.by(contract)
    if rows:
        faults += _absent_columns(root, contract, keys)
    faults += _repeated_ids(rows, file)
    for line, row in rows:
        faults += [Fault(name, file, line, *said) for name, *said in _wrong(row, wanted, keys)]
    if faults:
        raise ItemFaults(faults)
    records = sorted((_record(row, wanted) for _, row in rows), key=lambda one: one["item_id"])
    extra = sorted(keys - {*FIELDS, *wanted.columns})
    evidence = FileRead(file, hashlib.sha256(raw).hexdigest(), len(raw))
    return BenchmarkItems(TABLES["items"].from_rows(records), evidence, tuple(extra))


def read_lines(root: DataRoot, path: Path) -> tuple[list[tuple[int, Row]], list[Fault]]:
    """Line number and object of each line of an items file, and the faults of the others."""
    file = path.relative_to(root.path).as_posix()
    return _rows(_content(path, file), file)


@dataclass(frozen=True)
class _Wanted:
    """What the contract asks of each item beyond a name and a question."""

    cluster: str
    slices: tuple[str, ...]
    options: bool

    @classmethod
    def by(cls, contract: Contract) -> "_Wanted":
        guesses = any(handling == "chance" for _, handling in contract.failures)
        return cls(contract.unit.clustered_by, tuple(contract.task.slices), guesses)

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.cluster, *self.slices)


def _content(path: Path, file: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"cannot be read ({error.strerror or type(error).__name__})"
        mend = "check that it is there and readable"
        raise ItemFaults([Fault("", file, None, message, mend)]) from error


def _rows(raw: bytes, file: str) -> tuple[list[tuple[int, Row]], list[Fault]]:
    """Line number and object of each line that holds one, and the faults of the others."""
    rows: list[tuple[int, Row]] = []
    faults: list[Fault] = []
    for line, content in enumerate(raw.removeprefix(_BOM).split(b"\n"), start=1):
        if not content.strip():
            continue
        try:
            rows.append((line, _object(content)))
        except ValueError as error:
            faults.append(Fault("", file, line, str(error), "mend the line or take it out"))
    if not rows and not faults:
        faults.append(Fault("", file, None, "holds no items", "write one JSON object a line"))
    return rows, faults


def _object(content: bytes) -> Row:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} of the line is not UTF-8") from None
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({error.msg}, column {error.colno})") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"holds {shown(value)} where an object is needed")
    if "\\u" in text and not _is_unicode(value):
        raise ValueError("holds half a surrogate pair")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> Row:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"gives the key {shown(twice)} twice")
    return values


def _no_number(word: str) -> float:
    raise ValueError(f"holds {word}, which is not a number of JSON")


def _is_unicode(value: Row) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _absent_columns(root: DataRoot, contract: Contract, keys: Iterable[str]) -> Iterator[Fault]:
    """Columns that the contract names and no item has: a fault of the contract, said once."""
    place = root.contract_file(contract.contract, contract.version)
    file = place.relative_to(root.path).as_posix()
    there = sorted(keys)
    named = [("unit.clustered_by", contract.unit.clustered_by)]
    named += [("task.slices", column) for column in contract.task.slices]
    searched = contract.contamination
    if searched is not None and "fields" in searched.model_fields_set:
        shown_to_models = "question" if "prompt" in there else ""
        named += [("contamination.fields", c) for c in searched.fields if c != shown_to_models]
    for field, column in named:
        if column not in there:
            message = f"names {shown(column)}, which no item has"
            yield Fault(field, file, None, message, nearest(column, there))
    for path, name, columns in item_columns(contract):
        if not set(columns) & set(there):
            message = f"is {name}, which reads items.{' or '.join(columns)}, and no item has it"
            mend = f"add {columns[0]} to the items, or take {name} out"
            yield Fault(field_of(path), file, None, message, mend)


def _repeated_ids(rows: Iterable[tuple[int, Row]], file: str) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for line, row in rows:
        name = row.get("item_id")
        if isinstance(name, str) and first.setdefault(name, line) != line:
            message = f"is {shown(name)}, as in line {first[name]}"
            yield Fault("item_id", file, line, message, "give each item a name of its own")


def _wrong(row: Row, wanted: _Wanted, keys: Iterable[str]) -> Iterator[Said]:
    """All that is wrong with one item; columns that no item has are spoken of elsewhere."""
    yield from _wrong_text(row, "item_id", needed=True)
    if isinstance(name := row.get("item_id"), str) and not name.isprintable():
        yield "item_id", f"is {shown(name)}", "leave control characters out of names"
    if "question" in row and "prompt" in row:
        yield "prompt", "stands beside question", "keep one of them"
    yield from _wrong_text(row, "prompt" if "prompt" in row else "question", needed=True)
    yield from _wrong_text(row, "answer", needed=False)
    is_code = "entry_point" in row or "test" in row
    yield from _wrong_text(row, "entry_point", needed=is_code)
    yield from _wrong_text(row, "test", needed=is_code)
    yield from _wrong_options(row, wanted.options)
    for column in dict.fromkeys(wanted.columns):
        if column in keys and column != "item_id":
            yield from _wrong_label(row, column)


def _wrong_text(row: Row, key: str, needed: bool) -> Iterator[Said]:
    value = row.get(key)
    if value is None:
        if needed:
            yield key, "is missing", "write it as text"
    elif not isinstance(value, str):
        mend = (
            f'quote it: "{shown(value)}"' if isinstance(value, bool | int | float) else "write text"
        )
        yield key, f"must be text, not {shown(value)}", mend
    elif needed and not value.strip():
        yield key, "is empty", "write some text, or take the item out"


def _wrong_options(row: Row, needed: bool) -> Iterator[Said]:
    options = row.get("options")
    if options is None:
        if needed:
            mend = "list the choices, or let the contract count no failure as chance"
            yield "options", "is missing, and the contract counts failures as chance", mend
    elif not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        yield "options", "must be a list of texts", "quote each choice"
    elif len(options) < 2:
        yield "options", f"has {len(options)} choices", "give two or more"


def _wrong_label(row: Row, column: str) -> Iterator[Said]:
    value = row.get(column)
    if value is None or value == "":
        yield column, "is missing, and the contract groups items by it", "write it as text"
    elif not isinstance(value, str | int):
        message = f"must be text, a whole number, true or false, not {shown(value)}"
        yield column, message, "write it as text"


def _record(row: Row, wanted: _Wanted) -> Mapping[str, Any]:
    rest = {k: v for k, v in row.items() if k not in FIELDS and k not in wanted.columns}
    return {
        "item_id": row["item_id"],
        "cluster_id": _label(row[wanted.cluster]),
        "question": row["prompt"] if "prompt" in row else row["question"],
        "answer": row.get("answer"),
        "options": row.get("options"),
        "entry_point": row.get("entry_point"),
        "test": row.get("test"),
        "slices": [(name, _label(row[name])) for name in sorted(wanted.slices)],
        "extra": json.dumps(rest, sort_keys=True, ensure_ascii=False) if rest else None,
    }


def _label(value: str | int) -> str:
    """A cluster's or slice's name as text: numbers and true, false as JSON writes them."""
    return value if isinstance(value, str) else json.dumps(value)
