"""Candidates and the reference texts that they are held against."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from eval_pipeline.metrics.inputs import rows, texts

References = Sequence[str] | Sequence[Sequence[str]]


def paired(candidates: Sequence[str], references: References) -> tuple[list[str], list[list[str]]]:
    """Candidates, and the references of each as a list, one or more; ValueError where unmatched."""
    said, given = texts(candidates, "candidates"), rows(references, "references")
    if len(given) != len(said):
        raise ValueError(f"{len(said)} candidates need as many references: give a list of them")
    return said, _groups([[group] if isinstance(group, str) else group for group in given])


def _groups(references: list[Any]) -> list[list[str]]:
    """Each sample's references; texts are looked at all at once, and one by one for a fault."""
    plain = all(type(group) is list and group for group in references)
    if plain and set(map(type, chain.from_iterable(references))) == {str}:
        return references
    return [texts(group, f"references[{i}]") for i, group in enumerate(references)]


def references_each(groups: Sequence[Sequence[str]]) -> int | None:
    """How many references each sample has; None where their number varies."""
    sizes = {len(group) for group in groups}
    return sizes.pop() if len(sizes) == 1 else None


def require_tokens(references: Sequence[Sequence[Sequence[str]]], tokenize: str) -> None:
    """ValueError that names the first reference without any token."""
    for i, group in enumerate(references):
        if not all(group):
            raise ValueError(
                f"references[{i}] has no token under {tokenize!r}, so nothing can match: mend it, "
                "leave the item out, or choose other tokens"
            )
