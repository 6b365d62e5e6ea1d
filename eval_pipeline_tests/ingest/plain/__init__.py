"""Files of other evaluation tools, made in their shape, and the real ones where they are."""
