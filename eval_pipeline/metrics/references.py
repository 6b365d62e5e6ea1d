"""Candidates and the reference texts that they are held against."""

from collections.abc import Sequence

from eval_pipeline.metrics.inputs import texts

References = Sequence[str] | Sequence[Sequence[str]]


def paired(candidates: Sequence[str], references: References) -> tuple[list[str], list[list[str]]]:
    """Candidates, and the references of each as a list; ValueError where they do not match."""
    said = texts(candidates, "candidates")
    if isinstance(references, str) or len(references) != len(said):
        raise ValueError(f"{len(said)} candidates need as many references: give a list of them")
    if all(isinstance(group, str) for group in references):
        return said, [[text] for text in texts(references, "references")]
    groups = [texts(group, f"references[{i}]") for i, group in enumerate(references)]
    if len({len(group) for group in groups}) > 1:
        odd = next(i for i, group in enumerate(groups) if len(group) != len(groups[0]))
        raise ValueError(
            f"references[{odd}] holds {len(groups[odd])} texts and references[0] "
            f"{len(groups[0])}: give every sample as many"
        )
    return said, groups


def require_tokens(references: Sequence[Sequence[Sequence[str]]], tokenize: str) -> None:
    """ValueError that names the first reference without any token."""
    for i, group in enumerate(references):
        if not all(group):
            raise ValueError(
                f"references[{i}] has no token under {tokenize!r}, so nothing can match: mend it, "
                "leave the item out, or choose other tokens"
            )
