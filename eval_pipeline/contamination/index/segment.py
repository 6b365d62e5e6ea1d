"""An index as a folder: what is looked for, once on disk, mapped into memory by any who search.

A segment holds the fields of one benchmark version. Its name is the digest of all that shapes its
answers, so segments of several versions lie side by side, and a segment never changes.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.contamination.index.companions import Companions, companions_of
from eval_pipeline.contamination.index.entries import FieldEntry, N, entries_of, ngrams
from eval_pipeline.contamination.rule import MIN_HITS
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import CODE, TEXT

if TYPE_CHECKING:
    from eval_pipeline.contamination.index.packed import PackedFields

FORM = 1  # of the folder
KEPT_OPEN = 4  # segments a process
MANIFEST, FIELDS = "manifest.json", "fields.parquet"
DIGEST = "arrays.sha256"
NORMALISERS = {normaliser.name: normaliser for normaliser in (TEXT, CODE)}


class Manifest(TypedDict):
    """What shapes a segment beside its fields; on disk also its name."""

    form: int
    n: int
    normalisers: dict[str, str]
    shortest: int
    canaries: dict[str, str]
    name: NotRequired[str]


@dataclass(frozen=True)
class Segment:
    """What is looked for: fields with their masks and weights, and canaries.

    damaged: what was there of it and did not hold, and was made anew.
    """

    folder: Path
    name: str
    canaries: Mapping[str, str]
    fields: Sequence[Field]
    damaged: list[str] = field(default_factory=list, compare=False)

    @cached_property
    def masked(self) -> list[list[int]]:
        """Of each field, the words at which a masked n-gram starts."""
        return self._column("masked")

    @cached_property
    def weights(self) -> list[list[int]]:
        """Of each field, the weight of the n-gram at each word that starts one."""
        return self._column("weights")

    def _column(self, name: str) -> list[list[int]]:
        column: list[list[int]] = pq.read_table(self.folder / FIELDS, columns=[name])[
            name
        ].to_pylist()
        return column

    @cached_property
    def entries(self) -> list[FieldEntry]:
        """The fields as the reference looks for them."""
        made = []
        for entry, masked, weights in zip(
            entries_of(self.fields), self.masked, self.weights, strict=True
        ):
            grams = ngrams(entry.words, entry.n) if entry.words else []
            hidden = frozenset(grams[at] for at in masked)
            weighed = dict(zip(grams, weights, strict=True))
            made.append(FieldEntry(entry.field, entry.words, entry.positions, hidden, weighed))
        return made

    @cached_property
    def companions(self) -> Companions:
        """What counts only beside something that was found."""
        with_passage = {field.item_id for field in self.fields if field.is_passage}
        chosen = [f for f in self.fields if f.kind == "answer" or f.item_id in with_passage]
        return companions_of(entries_of(chosen))

    def packed(self) -> "list[PackedFields]":
        """The arrays of the kernel, by normaliser; made where they are not there yet."""
        return self._packed

    @cached_property
    def _packed(self) -> "list[PackedFields]":
        from eval_pipeline.contamination.compiled import state_of_sources
        from eval_pipeline.contamination.index.packed import Packed, PackedFields

        parts = []
        for name in sorted(NORMALISERS):
            chosen = self._of(name)
            if not chosen:
                continue
            folder = self.folder / f"arrays-{state_of_sources()}" / name
            if folder.is_dir() and not self._hold(folder):
                self.damaged.append(f"{self.name}/{folder.parent.name}/{name}")
                shutil.rmtree(folder)
            if not folder.is_dir():
                self._pack(folder, chosen)
            arrays = (np.load(folder / f"{key}.npy", mmap_mode="r") for key in Packed._fields)
            index = Packed(*map(np.asarray, arrays))
            parts.append(PackedFields([self.fields[i] for i in chosen], index))
        return parts

    def _of(self, normaliser: str) -> list[int]:
        return [i for i, field in enumerate(self.fields) if field.normaliser.name == normaliser]

    def _pack(self, folder: Path, chosen: Sequence[int]) -> None:
        from eval_pipeline.contamination.index.packed import packed

        weights = [np.array(self.weights[i], np.int64) for i in chosen]
        masked = [np.zeros(len(self.weights[i]), np.bool_) for i in chosen]
        for mask, i in zip(masked, chosen, strict=True):
            mask[list(self.masked[i])] = True
        index = packed([self.fields[i] for i in chosen], masked, weights)
        with _whole_folder(folder) as temporary:
            for key, array in index._asdict().items():
                np.save(temporary / f"{key}.npy", array, allow_pickle=False)
            (temporary / DIGEST).write_text(self._digest_of(temporary, folder.name))

    def _hold(self, folder: Path) -> bool:
        """Whether arrays are those that were written for this segment."""
        try:
            return (folder / DIGEST).read_text() == self._digest_of(folder, folder.name)
        except (OSError, ValueError):
            return False

    def _digest_of(self, folder: Path, normaliser: str) -> str:
        """sha256 (hex) of the arrays in a folder, and of whose they are."""
        from eval_pipeline.contamination.index.packed import Packed

        digest = hashlib.sha256(f"{self.name}/{normaliser}".encode())
        for key in Packed._fields:
            with (folder / f"{key}.npy").open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()


def write_segment(
    folder: Path, entries: Sequence[FieldEntry], canaries: Mapping[str, str]
) -> Segment:
    """The segment of some entries and canaries below a folder.

    Kept if it is there already and says what its name is the digest of.
    """
    rows = []
    for entry in sorted(entries, key=lambda e: (e.field.item_id, e.field.name)):
        grams = ngrams(entry.words, entry.n) if entry.words else []
        rows.append(
            {
                "item_id": entry.field.item_id,
                "field": entry.field.name,
                "text": entry.field.text,
                "masked": [at for at, gram in enumerate(grams) if gram in entry.masked],
                "weights": [entry.weights.get(gram, 1) for gram in grams],
            }
        )
    manifest: Manifest = {
        "form": FORM,
        "n": N,
        "normalisers": {name: one.version for name, one in sorted(NORMALISERS.items())},
        "shortest": MIN_HITS,
        "canaries": dict(sorted(canaries.items())),
    }
    name = _name_of(manifest, rows)
    place = folder / name
    damaged = place.is_dir() and not _holds(place)
    if damaged:
        shutil.rmtree(place)
    if not place.is_dir():
        with _whole_folder(place) as temporary:
            pq.write_table(pa.Table.from_pylist(rows, _SCHEMA), temporary / FIELDS)
            written = json.dumps({**manifest, "name": name}, indent=1, ensure_ascii=False)
            (temporary / MANIFEST).write_text(written, encoding="utf-8")
    return replace(open_segment(place), damaged=[name] if damaged else [])


def _name_of(manifest: Manifest, rows: Sequence[Mapping[str, object]]) -> str:
    return hashlib.sha256(json.dumps([manifest, rows], sort_keys=True).encode()).hexdigest()


def _holds(place: Path) -> bool:
    """Whether a segment on disk says what its name is the digest of."""
    try:
        manifest: Manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        rows = pq.read_table(place / FIELDS).to_pylist()
    except (OSError, ValueError, pa.ArrowException):
        return False
    if not isinstance(manifest, dict) or manifest.pop("name", None) != place.name:
        return False
    return _name_of(manifest, rows) == place.name


def open_segment(folder: Path) -> Segment:
    """A segment on disk; those that were opened last stay open, as many shards ask for one.

    Raises ValueError where it is none, or was made by another normaliser, Unicode or form.
    """
    try:
        facts = [(folder / name).stat() for name in (MANIFEST, FIELDS)]
    except OSError as error:
        raise ValueError(f"{folder} is no index ({error}): compute it again") from error
    return _opened(folder, tuple((one.st_mtime_ns, one.st_size) for one in facts))


@lru_cache(maxsize=KEPT_OPEN)
def _opened(folder: Path, stamp: tuple[tuple[int, int], ...]) -> Segment:
    """The segment as it was written at the time of a stamp."""
    try:
        manifest: Manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        rows = pq.read_table(folder / FIELDS, columns=["item_id", "field", "text"]).to_pylist()
    except (OSError, ValueError, pa.ArrowException) as error:
        raise ValueError(f"{folder} is no index ({error}): compute it again") from error
    now = {name: one.version for name, one in NORMALISERS.items()}
    made = manifest.get("normalisers")
    if made != now:
        raise ValueError(
            f"index {folder} was made by {_said(made)}, this is {_said(now)}: compute it again"
        )
    if (manifest.get("form"), manifest.get("n")) != (FORM, N):
        raise ValueError(f"index {folder} has another form: compute it again")
    return Segment(
        folder,
        str(manifest["name"]),
        manifest["canaries"],
        [Field(row["item_id"], row["field"], row["text"]) for row in rows],
    )


_SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("field", pa.string()),
        ("text", pa.string()),
        ("masked", pa.list_(pa.int32())),
        ("weights", pa.list_(pa.int64())),
    ]
)


def _said(normalisers: object) -> str:
    return "; ".join(sorted(normalisers.values())) if isinstance(normalisers, dict) else "nothing"


@contextmanager
def _whole_folder(place: Path) -> Iterator[Path]:
    """A folder that appears at once; where another process was quicker, its own stays."""
    temporary = place.with_name(f".{place.name}.{os.getpid()}.{id(place)}.tmp")
    temporary.mkdir(parents=True)
    try:
        yield temporary
        try:
            temporary.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
