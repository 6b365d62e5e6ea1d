"""Faults that change nothing that anybody could see, and why; they are not counted."""

# (file, what it was, what it becomes) -> why no test can tell
EQUIVALENT: dict[tuple[str, str, str], str] = {}
