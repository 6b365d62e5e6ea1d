"""Faults that were planted by hand and once passed unseen: each fails a test here."""

import hashlib
import os
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.cells import FileDigests


def test_a_file_whose_time_was_set_back_is_read_again(tmp_path: Path) -> None:
    """Same size, same inode, same mtime: only the kernel's time of change tells."""
    root = DataRoot(tmp_path)
    path = tmp_path / "votes.jsonl"
    path.write_bytes(b"one")
    memory = tmp_path / "memory.json"
    digests = FileDigests(root, memory, lambda checkpoint: {})
    first = path.stat()
    assert digests.of(path) == hashlib.sha256(b"one").hexdigest()
    digests.remember()
    path.write_bytes(b"two")
    os.utime(path, ns=(first.st_atime_ns, first.st_mtime_ns))
    while path.stat().st_ctime_ns == first.st_ctime_ns:  # within one tick of the clock
        os.utime(path, ns=(first.st_atime_ns, first.st_mtime_ns))
    assert path.stat().st_mtime_ns == first.st_mtime_ns
    again = FileDigests(root, memory, lambda checkpoint: {})
    assert again.of(path) == digests.of(path) == hashlib.sha256(b"two").hexdigest()
