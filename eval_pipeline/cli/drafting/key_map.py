"""Which key each part of a plain row has, as a person says it: with --key, or in a mapping file."""

from collections.abc import Mapping
from pathlib import Path

import click
import yaml

from eval_pipeline.cli.drafting.draft_files import quoted
from eval_pipeline.cli.showing.pairs import named_pairs
from eval_pipeline.ingest.excerpts import shown_name
from eval_pipeline.ingest.peers.plain import PUBLISHED
from eval_pipeline.ingest.plain.keys import SYNONYMS

MAPPING = "mapping.yaml"
PARTS = (*SYNONYMS, PUBLISHED)


def said_keys(mapping: Path | None, pairs: tuple[str, ...]) -> dict[str, str]:
    """Part -> key, of the file and then of the pairs; an empty key says that there is none.

    Raises ValueError for a file that holds anything else, UsageError for a part that is unknown.
    """
    keys = {} if mapping is None else _of_file(mapping)
    keys |= named_pairs("--key", pairs, none_too=True)
    if strange := sorted(keys.keys() - set(PARTS)):
        raise click.UsageError(f"--key {strange[0]}=...: the parts are {', '.join(PARTS)}")
    return keys


def mapping_text(keys: Mapping[str, str]) -> str:
    """The file that --map reads."""
    return "".join(f"{part}: {quoted(key)}\n" for part, key in sorted(keys.items()))


def _of_file(path: Path) -> dict[str, str]:
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{shown_name(path)} is no YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(value, dict) or not all(
        isinstance(part, str) and isinstance(key, str | None) for part, key in value.items()
    ):
        raise ValueError(f"{shown_name(path)}: write a line `part: key` for each part")
    return {part: key or "" for part, key in value.items()}
