"""Faults that change nothing that anybody could see, and why; they are not drawn."""

# (file, what it was, what it becomes) -> why no test can tell
EQUIVALENT: dict[tuple[str, str, str], str] = {}
