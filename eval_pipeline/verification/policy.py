"""What a sample counts as, once it has its status: the contract's failure policy."""

from collections.abc import Mapping

HANDLINGS = ("wrong", "exclude", "chance", "retry")


def score(
    status: str, verdict: float | None, failures: Mapping[str, str], chance: float | None
) -> float | None:
    """The score in [0, 1] of one sample, or None where it is excluded.

    `ok` scores its verdict; a failure scores 0 (wrong), the credit of a guess (chance), or is
    excluded (exclude; retry, until the draw arrives). Raises ValueError for a status or handling
    that the policy does not name, and for chance where a guess has no known credit.
    """
    if status == "ok":
        if verdict is None:
            raise ValueError("a sample with status ok has no verdict")
        return verdict
    handling = failures.get(status)
    if handling not in HANDLINGS:
        raise ValueError(f"failures.{status} must be one of {HANDLINGS}, got {handling!r}")
    if handling == "wrong":
        return 0.0
    if handling != "chance":
        return None
    if chance is None:
        raise ValueError(f"failures.{status} is chance, which needs items with options")
    return chance
