"""Candidates and the reference texts that they are held against."""

from collections.abc import Sequence
from itertools import chain

from eval_pipeline.metrics.inputs import texts

References = Sequence[str] | Sequence[Sequence[str]]


def paired(candidates: Sequence[str], references: References) -> tuple[list[str], list[list[str]]]:
    """Candidates, and the references of each as a list; ValueError where they do not match."""
    said = texts(candidates, "candidates")
    if isinstance(references, str) or len(references) != len(said):
        raise ValueError(f"{len(said)} candidates need as many references: give a list of them")
    if all(isinstance(group, str) for group in references):
        return said, [[text] for text in texts(references, "references")]
    groups = _groups(references)
    if len({len(group) for group in groups}) > 1:
        odd = next(i for i, group in enumerate(groups) if len(group) != len(groups[0]))
        raise ValueError(
            f"references[{odd}] holds {len(groups[odd])} texts and references[0] "
            f"{len(groups[0])}: give every sample as many"
        )
    return said, groups


def _groups(references: References) -> list[list[str]]:
    """Each sample's references; texts are looked at all at once, and one by one for a fault."""
    plain = all(type(group) is list and group for group in references)
    if plain and set(map(type, chain.from_iterable(references))) == {str}:
        return list(references)  # type: ignore[arg-type]  # just seen to be lists of texts
    return [texts(group, f"references[{i}]") for i, group in enumerate(references)]


def require_tokens(references: Sequence[Sequence[Sequence[str]]], tokenize: str) -> None:
    """ValueError that names the first reference without any token."""
    for i, group in enumerate(references):
        if not all(group):
            raise ValueError(
                f"references[{i}] has no token under {tokenize!r}, so nothing can match: mend it, "
                "leave the item out, or choose other tokens"
            )
