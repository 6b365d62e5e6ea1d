"""Texts that belong together, given the pairs that do."""

from collections.abc import Sequence


def components(n: int, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The smallest member of each text's component, of the graph with these edges."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in zip(left, right, strict=True):
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return [root(i) for i in range(n)]
