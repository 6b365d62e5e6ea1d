"""The other versions of a benchmark, as they lie beside the one that a contract pins."""

import json
from collections.abc import Mapping
from pathlib import Path

from eval_pipeline.contracts.faults import ItemFaults
from eval_pipeline.contracts.items import FIELDS, read_lines
from eval_pipeline.layout import DataRoot, versioned


def other_versions(root: DataRoot, benchmark: str) -> dict[str, Path]:
    """Items file of each other version of `name@version`, by its reference, in version order."""
    name, own = versioned(benchmark, "benchmark")
    folder = root.items(benchmark).parent.parent
    numbers = sorted(
        int(path.name[1:])
        for path in (folder.iterdir() if folder.is_dir() else ())
        if path.name[:1] == "v" and path.name[1:].isdigit() and (path / "items.jsonl").is_file()
    )
    references = [f"{name}@{number}" for number in numbers if number != own]
    return {reference: root.items(reference) for reference in references}


def plain_items(root: DataRoot, reference: str) -> list[Mapping[str, object]]:
    """The items of a version as rows like those of `items`: columns, and all else in `extra`.

    Raises ItemFaults, a ValueError, with every fault of its lines.
    """
    rows, faults = read_lines(root, root.items(reference))
    nameless = [line for line, row in rows if not isinstance(row.get("item_id"), str)]
    if faults or nameless:
        raise (
            ItemFaults(faults)
            if faults
            else ValueError(f"{reference}, line {nameless[0]} has no item_id: name the item")
        )
    return [_plain(row) for _, row in rows]


def _plain(row: Mapping[str, object]) -> Mapping[str, object]:
    extra = {key: value for key, value in row.items() if key not in FIELDS}
    columns: dict[str, object] = {key: row.get(key) for key in FIELDS if key != "prompt"}
    columns["question"] = row.get("question", row.get("prompt"))
    return {**columns, "extra": json.dumps(extra, ensure_ascii=False)}
