"""A form of files: how it is recognised, and how it is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.ingest.peers.entries import Entry
from eval_pipeline.ingest.peers.glance import Glance

Claim = Callable[[Glance], str | None]
Claimed = Mapping[str, Sequence[Glance]]  # part of the form, such as samples -> its files


@dataclass(frozen=True)
class PeerForm:
    """A form of files: its name, what it is, which part of it a file is, and how they are read.

    claims: the part of the form that a file is, such as `samples`; None where it is none of it.
    read: all entries of the files that were claimed, by part.
    """

    name: str
    what: str
    claims: Claim
    read: Callable[[Claimed], Iterator[Entry]]
