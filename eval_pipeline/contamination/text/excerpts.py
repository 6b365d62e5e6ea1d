"""What is shown of a text: few characters of it, in the encoding that tables hold."""

EXCERPT = 400  # characters
CONTEXT = 8  # words before and after a match


def excerpt(text: str, start: int, end: int) -> str:
    """A part of a text, cut to `EXCERPT` characters; what cannot be UTF-8 becomes `?`."""
    cut = min(end, start + EXCERPT)
    part = text[start:cut].encode("utf-8", "replace").decode()
    return f"{'…' if start else ''}{part}{'…' if cut < len(text) else ''}"


def bytes_of(text: str) -> int:
    """How many bytes a text has in a table."""
    return len(text.encode("utf-8", "replace"))
