"""Options that say left=right, and may be repeated."""

import click


def named_pairs(option: str, texts: tuple[str, ...], none_too: bool = False) -> dict[str, str]:
    """What an option that may be repeated says: left=right, each; left= where `none_too`."""
    pairs = {}
    for text in texts:
        left, sign, right = text.rpartition("=") if option == "--rename" else text.partition("=")
        if not (sign and left and (right or none_too)):
            raise click.UsageError(f"{option} {text!r}: write it as {option} left=right")
        pairs[left] = right
    return pairs
