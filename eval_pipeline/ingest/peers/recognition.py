"""Which form a file has, told by its structure and never by its name alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import orjson

from eval_pipeline.ingest.peers.archive import Member, is_archive, members
from eval_pipeline.ingest.peers.entries import Entry, Json
from eval_pipeline.ingest.peers.sources import File, Source, document_of, lines_of


class Glance:
    """A file looked at once: as an archive, as JSON lines or as one JSON document.

    `document` is read whole and kept, so that a form which recognises it need not read it again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source: Source = File(path)

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def members(self) -> Mapping[str, Member]:
        """Member by its name inside an archive; empty for any other file."""
        if not is_archive(self.path):
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


Claim = Callable[[Glance], str | None]
Claimed = Mapping[str, Sequence[Glance]]  # part of the form, such as samples -> its files


@dataclass(frozen=True)
class Form:
    """A form of files: its name, what it is, which part of it a file is, and how they are read.

    claims: the part of the form that a file is, such as `samples`; None where it is none of it.
    read: all entries of the files that were claimed, by part.
    """

    name: str
    what: str
    claims: Claim
    read: Callable[[Claimed], Iterator[Entry]]


def forms() -> tuple[Form, ...]:
    """All forms that are known, in alphabetical order."""
    from eval_pipeline.ingest.peers import (
        deepeval,
        helm,
        inspect_log,
        live_code_bench,
        lm_eval,
        open_compass,
        openai_evals,
        promptfoo,
    )

    return (
        deepeval.FORM,
        helm.FORM,
        inspect_log.FORM,
        live_code_bench.FORM,
        lm_eval.FORM,
        openai_evals.FORM,
        open_compass.FORM,
        promptfoo.FORM,
    )


def claimed(glances: Sequence[Glance], named: str | None = None) -> list[tuple[Form, Claimed]]:
    """The forms of the files, each with the files that are its own; named: the only one tried.

    Raises ValueError for a file that no form or that several forms recognise.
    """
    known = [form for form in forms() if named in (None, form.name)]
    if not known:
        raise ValueError(f"form {named!r} is not known: {', '.join(f.name for f in forms())}")
    parts: dict[str, dict[str, list[Glance]]] = {}
    for glance in glances:
        claims = {form.name: part for form in known if (part := form.claims(glance))}
        if len(claims) != 1:
            raise ValueError(_unclear(glance, sorted(claims), known))
        ((form_name, part),) = claims.items()
        parts.setdefault(form_name, {}).setdefault(part, []).append(glance)
    return [(form, parts[form.name]) for form in known if form.name in parts]


def _unclear(glance: Glance, claims: list[str], known: Sequence[Form]) -> str:
    if claims:
        return f"{glance.name} may be {' or '.join(claims)}: say which with --form"
    if len(known) == 1:
        return f"{glance.name} is no {known[0].name} file ({known[0].what})"
    return (
        f"{glance.name} has none of the forms that are known "
        f"({', '.join(form.name for form in known)}): "
        "for plain rows of question, answer and reply there is `eval-pipeline init --from`"
    )
