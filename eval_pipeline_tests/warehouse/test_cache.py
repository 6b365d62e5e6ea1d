"""Work that contracts share is kept by the digest of what it was made from."""

import pytest

from eval_pipeline.warehouse.cache import cached_bytes, cached_table
from eval_pipeline_tests.warehouse.samples import items


def test_the_cache_makes_an_entry_once(tmp_path):
    made = []

    def make():
        made.append(1)
        return b"index"

    for _ in range(2):
        assert cached_bytes(tmp_path, "ngrams", "ab12", make) == b"index"
    assert cached_bytes(tmp_path, "ngrams", "cd34", make) == b"index"
    assert len(made) == 2
    table = items("a", "b")
    for _ in range(2):
        assert cached_table(tmp_path, "items", "ab12", lambda: table).equals(table)
    with pytest.raises(ValueError, match="cache key name"):
        cached_bytes(tmp_path, "ngrams", "../x", make)
