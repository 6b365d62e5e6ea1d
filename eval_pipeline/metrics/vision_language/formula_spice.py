"""How far the statements of a caption agree with those of its references.

Statements are tuples that a scene-graph parser made: (object), (object, attribute) or (object,
relation, object). The parser is no part of this; its name and version belong to the contract,
for its errors move the score. Source: Anderson et al. 2016, arXiv:1607.08822, section 3.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.inputs import Floats, same_length, whole

Statement = Sequence[str]


@dataclass(frozen=True)
class Spice:
    """Precision, recall and F1 of each caption's statements, shape (captions,).

    precision is NaN where the caption states nothing; all are NaN where its references state
    nothing, and `n_undefined` counts those captions: they can be neither right nor wrong.
    """

    precision: Floats
    recall: Floats
    f1: Floats
    n_undefined: int


def spice(
    captions: Sequence[Sequence[Statement]], references: Sequence[Sequence[Statement]]
) -> Spice:
    """F1 = 2 |C and R| / (|C| + |R|) of the sets of statements; tuples match as they are written.

    references: the statements of all references of a caption together. Raises ValueError that
    names the caption whose statements are no tuples of one to three words.
    """
    whole(same_length(captions=captions, references=references), "captions", 1)
    rows = []
    for i, (caption, reference) in enumerate(zip(captions, references, strict=True)):
        said, true = _statements(caption, f"caption {i}"), _statements(reference, f"reference {i}")
        both = len(said & true)
        if not true:
            rows.append((np.nan, np.nan, np.nan))
            continue
        precision = both / len(said) if said else np.nan
        rows.append((precision, both / len(true), 2 * both / (len(said) + len(true))))
    precision, recall, f1 = np.array(rows, dtype=np.float64).T
    return Spice(precision, recall, f1, int(np.isnan(recall).sum()))


def _statements(tuples: Sequence[Statement], place: str) -> set[tuple[str, ...]]:
    found = set()
    for statement in tuples:
        words = None if isinstance(statement, str) else tuple(statement)
        if not words or len(words) > 3 or not all(isinstance(w, str) and w for w in words):
            raise ValueError(
                f"{place}: a statement is a tuple of one to three words, got {statement!r:.60}"
            )
        found.add(words)
    return found
