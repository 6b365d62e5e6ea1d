"""Words with which a model begins a question of its own: what follows is no reply."""

import re


def stop_pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """A line that begins with one of the words; None for no words. ValueError for other things."""
    if isinstance(words, str) or not all(isinstance(w, str) and w.strip() for w in words):
        raise ValueError(f"stop must be a list of words, got {words!r}")
    if not words:
        return None
    return re.compile(rf"^[^\S\n]*(?:{'|'.join(map(re.escape, words))})", re.MULTILINE)
