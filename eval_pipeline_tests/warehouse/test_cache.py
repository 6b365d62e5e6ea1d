"""Work that contracts share is kept by the digest of what it was made from, and not believed."""

from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eval_pipeline.warehouse.cache import Cache
from eval_pipeline_tests.warehouse.samples import items


def entry(folder: Path, kind: str) -> Path:
    (path,) = (folder / kind).iterdir()
    return path


def test_the_cache_makes_an_entry_once(tmp_path: Path) -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"index"

    cache = Cache(tmp_path)
    for _ in range(2):
        assert cache.bytes_of("ngrams", "ab12", make) == b"index"
    assert cache.bytes_of("ngrams", "cd34", make) == b"index"
    assert len(made) == 2
    assert cache.table("items", "ab12") is None
    table = items("a", "b").replace_schema_metadata({"summary": "two"})
    cache.keep_table("items", "ab12", table)
    kept = cache.table("items", "ab12")
    assert kept is not None
    assert kept.equals(table)
    assert kept.schema.metadata[b"summary"] == b"two"
    assert not cache.damaged
    with pytest.raises(ValueError, match="cache key name"):
        cache.bytes_of("ngrams", "../x", make)


def of_no_rows(kept: bytes) -> bytes:
    written = BytesIO()
    pq.write_table(items("a").slice(0, 0), written)
    return written.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        of_no_rows,
        lambda kept: kept[:85] + of_no_rows(kept),
        lambda kept: b"",
        lambda kept: kept[:-1],
        lambda kept: kept[:-9] + b"x" + kept[-8:],
        lambda kept: kept.split(b"\n", 1)[1],
    ],
    ids=["no rows", "no rows behind the old seal", "emptied", "cut", "a byte", "no seal"],
)
def test_a_damaged_entry_is_made_anew_and_remarked(tmp_path: Path, damage) -> None:
    first = Cache(tmp_path)
    first.keep_table("items", "ab12", items("a", "b"))
    path = entry(tmp_path, "items")
    path.write_bytes(damage(path.read_bytes()))
    cache = Cache(tmp_path)
    assert cache.table("items", "ab12") is None
    assert cache.damaged == ["items/ab12"]
    cache.keep_table("items", "ab12", items("a", "b"))
    again = Cache(tmp_path)
    assert again.table("items", "ab12") is not None
    assert not again.damaged


def test_an_entry_in_the_place_of_another_does_not_hold(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.bytes_of("counts", "ab12", lambda: b"many") == b"many"
    other = entry(tmp_path, "counts")
    other.with_name(other.name.replace("ab12", "cd34")).write_bytes(other.read_bytes())
    assert cache.bytes_of("counts", "cd34", lambda: b"few") == b"few"
    assert cache.damaged == ["counts/cd34"]
