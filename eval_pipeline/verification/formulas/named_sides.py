"""Names that stand for a value on the left of an equation: f(x), P(X > 2), an angle."""

import re


def named_function(side: str) -> str | None:
    """The name that f(x), P(X > 2) or an angle on the left of an equation gives."""
    found = re.fullmatch(
        r"\s*([A-Za-z]'*(?:\^\{?-1\}?)?)\s*\(\s*([A-Za-z](?:\s*,\s*[A-Za-z])*)\s*\)\s*", side
    )
    if found and found[1][0] in "fghFGHpqPQyVAuvwrs":
        return f"{found[1]}({''.join(found[2].split())})"
    return "".join(side.split()) if _NAMED.fullmatch(side) else None


_NAMED = re.compile(
    r"\s*(?:(?:P|Pr|E|Var|Cov|\\Pr|\\mathbb\s*\{?[EP]\}?)\s*[(\[].{1,80}[)\]]"
    r"|m?\s*\\angle\s*\{?[A-Z]{1,3}\}?)\s*"
)
