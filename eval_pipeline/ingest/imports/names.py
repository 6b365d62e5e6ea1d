"""Published names as names of checkpoints and benchmarks: mapped once, and remembered.

`openai/gpt-4o` becomes `openai--gpt-4o`; what else may not stand in a name becomes `-`. The
published name stays in checkpoint.yaml, so that the next import of the model finds it.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import yaml

from eval_pipeline.layout import DataRoot, checked_name

PUBLISHED_AS = "published_as"  # the field of checkpoint.yaml
MANIFEST = "checkpoint.yaml"
LONGEST = 128
_REFUSED = re.compile(r"[^A-Za-z0-9._@+-]+")


def proposed_name(published: str) -> str:
    """A name that may stand in a path, for one that may not; a name that may is itself.

    Raises ValueError where nothing of the name is left.
    """
    name = _REFUSED.sub("-", published.strip().replace("/", "--")).lstrip("._@+-")[:LONGEST]
    if not name:
        raise ValueError(f"{published!r:.80} holds no letter or digit: name it with --rename")
    return name


class Names:
    """Published name -> name in this project, for one import."""

    def __init__(self, renamed: Mapping[str, str], known: Mapping[str, str]) -> None:
        """renamed: what the person says. known: what earlier imports said."""
        self._renamed = dict(renamed)
        self._known = dict(known)
        self.given: dict[str, str] = {}

    def of(self, published: str) -> str:
        """The name; raises ValueError where two published names would become one."""
        name = self.given.get(published)
        if name is not None:
            return name
        asked = self._renamed.get(published) or self._known.get(published)
        name = checked_name(asked or proposed_name(published), "checkpoint")
        other = next((one for one, taken in self.given.items() if taken == name), None)
        if other is not None:
            raise ValueError(
                f"{other!r} and {published!r} would both be {name}: "
                f"name one of them with --rename '{published}=NAME'"
            )
        self.given[published] = name
        return name


def known_names(root: DataRoot) -> dict[str, str]:
    """Published name -> checkpoint, of all checkpoints that say how they were published."""
    known = {}
    for folder in sorted(_folders(root.checkpoints)):
        try:
            text = (folder / MANIFEST).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue  # what is wrong with the folder is said where checkpoints are listed
        line = next((one for one in text.split("\n") if one.startswith(f"{PUBLISHED_AS}:")), None)
        value = yaml.safe_load(line)[PUBLISHED_AS] if line else None
        if isinstance(value, str):
            known[value] = folder.name
    return known


def _folders(path: Path) -> list[Path]:
    return [one for one in path.iterdir() if one.is_dir()] if path.is_dir() else []
