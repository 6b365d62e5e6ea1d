"""Whether a judge may be believed, and what it would take to know."""
