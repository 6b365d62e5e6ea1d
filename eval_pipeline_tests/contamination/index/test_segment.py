"""An index on disk is what its name says, or it is made anew."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.segment import FIELDS, MANIFEST, Segment, write_segment
from eval_pipeline.contamination.text.fields import Field

ENTRIES = entries_of(
    [Field("a", "question", "Ann walks nine miles to the old mill every day of the long week.")]
)


def written(folder: Path) -> Segment:
    return write_segment(folder, ENTRIES, {"a canary of sums": "*"})


def of_no_fields(folder: Path) -> None:
    pq.write_table(pq.read_table(folder / FIELDS).slice(0, 0), folder / FIELDS)


def of_no_canaries(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "canaries": {}}))


def without_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


@pytest.mark.parametrize("damage", [of_no_fields, of_no_canaries, without_manifest])
def test_a_damaged_index_is_made_anew_and_told(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    first = written(tmp_path)
    assert not first.damaged
    damage(first.folder)
    again = written(tmp_path)
    assert again.damaged == [first.name]
    assert again == first
    assert not written(tmp_path).damaged


def test_damaged_arrays_are_made_anew_and_told(tmp_path: Path) -> None:
    (packed,) = written(tmp_path).packed()
    keys = packed.index.keys.copy()
    (path,) = tmp_path.rglob("keys.npy")
    np.save(path, np.zeros_like(keys))
    again = written(tmp_path)
    (anew,) = again.packed()
    assert [name.split("/")[-1] for name in again.damaged] == ["text_v2"]
    np.testing.assert_array_equal(anew.index.keys, keys)
    sound = written(tmp_path)
    assert sound.packed()
    assert not sound.damaged
