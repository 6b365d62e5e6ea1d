"""A warehouse on a small disk: `python -m ...integration.full_disk ROOT KIBIBYTES`.

To be started in a mount namespace of its own. Runs once on the small disk and once when it has
grown, and prints both ends and the final digests as JSON.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import eval_pipeline

ROOMY = "size=512m"


def main(folder: str, kibibytes: str) -> None:
    root = DataRoot(Path(folder))
    root.warehouse.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o"]
    subprocess.run([*mount, f"size={kibibytes}k", "tmpfs", str(root.warehouse)], check=True)
    full = eval_pipeline(root, "run")
    kept = digests(root)
    subprocess.run(["mount", "-o", f"remount,{ROOMY}", str(root.warehouse)], check=True)
    grown = eval_pipeline(root, "run", "--json")
    ends = {"full": asdict(full), "kept": kept, "grown": asdict(grown), "digests": digests(root)}
    print(json.dumps(ends))


def digests(root: DataRoot) -> dict[str, str | None]:
    standing = Warehouse(root.warehouse).standing()
    return {str(place): record.digest for place, record in sorted(standing.items(), key=str)}


if __name__ == "__main__":
    main(*sys.argv[1:])
