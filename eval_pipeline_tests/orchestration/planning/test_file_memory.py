"""What is remembered of files is used where it holds, and never believed where it was altered."""

import hashlib
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.cells import FileDigests


def test_an_altered_memory_is_begun_anew(tmp_path: Path) -> None:
    root, memory = DataRoot(tmp_path), tmp_path / "memory.sealed"
    path = tmp_path / "items.jsonl"
    path.write_text("{}\n")
    digest = hashlib.sha256(b"{}\n").hexdigest()

    def fresh() -> FileDigests:
        return FileDigests(root, memory, lambda name: {})

    first = fresh()
    assert first.of(path) == digest
    first.remember()
    written = memory.read_bytes()
    fresh().remember()
    assert memory.read_bytes() == written
    memory.write_bytes(written.replace(digest.encode(), b"0" * 64))
    assert fresh().of(path) == digest
    memory.write_bytes(b"")
    assert fresh().of(path) == digest
