"""A task whose benchmark is there already: its items stay as they are, and only replies are new."""

import hashlib
import json
import shutil
from pathlib import Path

from eval_pipeline.ingest.peers.entries import Json
from eval_pipeline.layout import DataRoot


def join(root: DataRoot, stage: DataRoot, benchmark: str) -> bool:
    """Takes the items off the stage where the benchmark is there and holds them all.

    benchmark: name@version. Returns whether it is there. Raises ValueError that names an item
    which it does not hold, or holds with another question, reference or options.
    """
    there, staged = root.items(benchmark), stage.items(benchmark)
    if not there.exists():
        return False
    known = _digests(there)
    for item, digest in _digests(staged).items():
        if item not in known or known[item] != digest:
            fault = (
                "has another question, reference or options there"
                if item in known
                else "is not in it"
            )
            raise ValueError(
                f"{benchmark} is there already, and item {item} {fault}: "
                "name another with --benchmark, or take it away first"
            )
    shutil.rmtree(staged.parent)
    return True


def _digests(path: Path) -> dict[str, bytes]:
    """Item -> digest of all that says what is asked and what is right, as the file gave it."""
    found = {}
    with path.open(encoding="utf-8") as file:
        for line in filter(str.strip, file):
            row: dict[str, Json] = json.loads(line)
            answer = row.get("given_answer", row.get("answer"))
            said = [row.get("question"), answer, row.get("right_answers"), row.get("options")]
            found[str(row["item_id"])] = hashlib.sha256(json.dumps(said).encode()).digest()[:16]
    return found
