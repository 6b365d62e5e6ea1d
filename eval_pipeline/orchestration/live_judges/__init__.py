"""Judges that are asked live: whether they may be, what they are due, what it costs."""
