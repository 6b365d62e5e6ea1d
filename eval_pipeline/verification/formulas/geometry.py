r"""Names of geometry: \angle ABC, \triangle ABC, \overline{AB}, \overrightarrow{AB}.

One thing has many names: ABC and CBA are one angle, AB and BA one segment and one line, the
letters of a triangle may begin anywhere. Of a ray and a vector the order counts.
"""

import re

_NAMED = re.compile(
    r"\\(?P<kind>(?:measured)?angle|triangle|overline|overleftrightarrow|overrightarrow|vec)\s*"
    r"(?:\{\s*(?P<braced>[A-Z](?:\s*[A-Z]){0,4}(?:')?)\s*\}|(?P<bare>[A-Z](?:\s*[A-Z]){0,4}))\s*"
)
_KINDS = {"overline": "segment", "overleftrightarrow": "line", "overrightarrow": "vector",
          "vec": "vector", "measuredangle": "angle"}  # fmt: skip


def read_name(text: str) -> tuple[str, ...] | None:
    """What kind of thing a text names and by which letters, in one spelling; None if it does not.

    A single letter under a bar or an arrow is a variable and no such name.
    """
    found = _NAMED.fullmatch(text.replace("∠", "\\angle ").replace("△", "\\triangle "))
    if found is None:
        return None
    letters = "".join((found["braced"] or found["bare"]).split())
    kind = _KINDS.get(found["kind"], found["kind"])
    if kind not in ("angle", "triangle") and len(letters) != 2:
        return None
    if kind == "angle" or kind in ("segment", "line"):
        letters = min(letters, letters[::-1])
    elif kind == "triangle":
        letters = "".join(sorted(letters))
    return kind, letters.casefold()
