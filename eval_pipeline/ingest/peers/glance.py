"""A file looked at once, in the shapes by which forms are told apart."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import orjson

from eval_pipeline.ingest.peers.archive import Member, is_archive, members
from eval_pipeline.ingest.peers.entries import Json
from eval_pipeline.ingest.peers.sources import File, Source, document_of, lines_of

_OWN_FORM = ("header.json", "_journal/start.json")  # an archive with one is a log by itself
_WORKBOOK = "[Content_Types].xml"


def glances_of(path: Path) -> list["Glance"]:
    """The file; of an archive that is no form by itself, its members.

    Raises ValueError that names a workbook, or an archive that is damaged or a bomb.
    """
    found = Glance(path)
    if not found.members or any(name in found.members for name in _OWN_FORM):
        return [found]
    if _WORKBOOK in found.members:
        raise ValueError(f"{found.name} is an Excel workbook: save the sheet as CSV")
    return [
        Glance(path.parent / path.stem / name, member)
        for name, member in sorted(found.members.items())
        if not _is_left_over(name)
    ]


def _is_left_over(name: str) -> bool:
    """What an archiver adds by itself."""
    *folders, last = name.split("/")
    return "__MACOSX" in folders or last.startswith(".")


class Glance:
    """A file looked at once: as an archive, as JSON lines or as one JSON document.

    `document` is read whole and kept, so that a form which recognises it need not read it again.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        """path: of the file; of a source that is no file, a name to be shown and never opened."""
        self.path = path
        self.source: Source = File(path) if source is None else source

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def members(self) -> Mapping[str, Member]:
        """Member by its name inside an archive; empty for any other file."""
        if not isinstance(self.source, File) or not is_archive(self.path):
            return {}
        return {member.info.filename: member for member in members(self.path)}

    @cached_property
    def first(self) -> Mapping[str, Json]:
        """The first line as an object; empty where it is none."""
        if self.members:
            return {}
        line = next((content for _, content in lines_of(self.source)), b"")
        try:
            value: Json = orjson.loads(line)
        except orjson.JSONDecodeError:
            return {}
        return value if isinstance(value, dict) else {}

    @cached_property
    def document(self) -> Json:
        """The whole file as one JSON value; None where it holds lines, or is no JSON."""
        if self.members or not self._begins_as_document:
            return None
        try:
            return document_of(self.source)
        except ValueError:
            if self.first:
                return None  # lines, each a value of its own
            raise

    @property
    def object(self) -> Mapping[str, Json]:
        """The document where it is one object; else empty."""
        return self.document if isinstance(self.document, dict) else {}

    @property
    def rows(self) -> Sequence[Json]:
        """The document where it is one list; else empty."""
        return self.document if isinstance(self.document, list) else ()

    @cached_property
    def _begins_as_document(self) -> bool:
        with self.source.open() as file:
            start = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        return start[:1] in (b"{", b"[")
