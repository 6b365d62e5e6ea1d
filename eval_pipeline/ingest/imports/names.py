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
        others = self.given if published in self._renamed else {**self._known, **self.given}
        other = next(
            (one for one, taken in others.items() if taken == name and one != published), None
        )
        if other is not None:
            raise ValueError(
                f"{other!r} and {published!r} would both be {name}: "
                f"name one of them with --rename '{published}=NAME'"
            )
        self.given[published] = name
        return name


def known_names(root: DataRoot) -> dict[str, str]:
    """Published name -> checkpoint; one that does not say how it was published bears that name.

    Raises ValueError that names a checkpoint.yaml whose line cannot be read.
    """
    known = {}
    for folder in sorted(_folders(root.checkpoints)):
        try:
            text = (folder / MANIFEST).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue  # what is wrong with the folder is said where checkpoints are listed
        line = next((one for one in text.split("\n") if one.startswith(f"{PUBLISHED_AS}:")), None)
        known[_published(line, folder.name) if line else folder.name] = folder.name
    return known


def _published(line: str, checkpoint: str) -> str:
    try:
        value = yaml.safe_load(line)[PUBLISHED_AS]
    except yaml.YAMLError:
        value = None
    if not isinstance(value, str):
        raise ValueError(
            f"checkpoints/{checkpoint}/{MANIFEST}: {PUBLISHED_AS} is no name: write it in quotes"
        )
    return value


def _folders(path: Path) -> list[Path]:
    return [one for one in path.iterdir() if one.is_dir()] if path.is_dir() else []
