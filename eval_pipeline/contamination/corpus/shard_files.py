"""Which files of a corpus are its shards."""

from pathlib import Path

from eval_pipeline.layout import is_regular

ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")


def shards(folder: Path) -> list[Path]:
    """The shards of a corpus, sorted by name; none where the folder is not there.

    Raises ValueError that names a shard which is no file itself but a symbolic link, a pipe or a
    folder: it could lead anywhere, and what is left out would look clean.
    """
    if not folder.is_dir():
        return []
    paths = sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    for path in paths:
        if not is_regular(path):
            kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "pipe or device"
            raise ValueError(
                f"corpus shard {place_of(path)} is a {kind}, not the file itself: "
                "copy the file there"
            )
    return paths


def place_of(shard: Path) -> str:
    """The shard below the folder of corpora: name, version, file."""
    return "/".join(shard.parts[-3:])
