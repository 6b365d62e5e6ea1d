"""checkpoint.yaml as run manifest: how the checkpoint was made and run, as it is written there.

Values stay text: 0.10 is not 0.1, and a version is no number. `{unknown: <reason>}` says that a
value is not known, and why. Fields that a comparison rests on and that the file does not state
are listed as unknown too, so that they are missing in plain sight.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import yaml

from eval_pipeline.contracts.faults import CheckpointFaults, Fault
from eval_pipeline.contracts.reading import read_yaml
from eval_pipeline.ingest.checkpoint import MANIFEST
from eval_pipeline.ingest.lines import open_regular
from eval_pipeline.ingest.samples import json_text
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

REQUIRED = "weights_digest"  # a name alone does not say which weights were run
EXPECTED = (
    "family",
    "parent",
    "date",
    "trained_on",
    "engine",
    "tokenizer",
    "chat_template_digest",
    "dtype",
    "batch_size",
    "seed",
)
NOT_STATED = f"not stated in {MANIFEST}"


@dataclass(frozen=True)
class ManifestRead:
    """The run_manifest table, and the file as it was read; its path is its name."""

    table: pa.Table
    file: FileRead


def read_manifest(path: Path) -> ManifestRead:
    """Reads a checkpoint.yaml, one row a field, sorted by field.

    Nested names are joined by dots, lists are JSON, null is null.
    Raises ValueError where the file is not there, and CheckpointFaults (a ValueError too) with
    every fault, its line and its mend: unreadable YAML, aliases, keys that stand twice, a
    weights_digest that is not stated.
    """
    with open_regular(path) as file:
        content = file.read()
    document = read_yaml(content, MANIFEST)
    if document.faults:
        raise CheckpointFaults(document.faults)
    if not isinstance(document.data, dict):
        raise CheckpointFaults([_fault("", 1, "holds no fields", "write `field: value` lines")])
    # the document is known to be plain and small: only now the text behind its values is asked for
    root = yaml.compose(content.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    rows = {field: (value, unknown) for field, value, unknown in _fields(root, ())} if root else {}
    if rows.get(REQUIRED, (None, None)) == (None, None):
        raise CheckpointFaults(
            [
                _fault(
                    REQUIRED,
                    document.line_of((REQUIRED,)),
                    "does not say which weights were run",
                    "give their digest, or write {unknown: <reason>}",
                )
            ]
        )
    for name in EXPECTED:
        if not any(field == name or field.startswith(f"{name}.") for field in rows):
            rows[name] = (None, NOT_STATED)
    table = TABLES["run_manifest"].from_rows(
        [{"field": f, "value": v, "unknown": u} for f, (v, u) in sorted(rows.items())]
    )
    return ManifestRead(
        table, FileRead(MANIFEST, hashlib.sha256(content).hexdigest(), len(content))
    )


def _fields(node: yaml.Node, path: tuple[str, ...]) -> Iterator[tuple[str, str | None, str | None]]:
    """Field, value and unknown of each leaf below the node."""
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        if path and keys == ["unknown"]:
            yield ".".join(path), None, _text(node.value[0][1]) or "no reason given"
        elif path and not keys:
            yield ".".join(path), "{}", None
        else:
            for key, value in node.value:
                yield from _fields(value, (*path, key.value))
    else:
        yield ".".join(path), _text(node), None


def _text(node: yaml.Node) -> str | None:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL else str(node.value)
    return json_text(_plain(node))


def _plain(node: yaml.Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(value) for value in node.value]
    return None if node.tag == _NULL else str(node.value)


_NULL = "tag:yaml.org,2002:null"


def _fault(field: str, line: int | None, message: str, mend: str) -> Fault:
    return Fault(field, MANIFEST, line, message, mend)
