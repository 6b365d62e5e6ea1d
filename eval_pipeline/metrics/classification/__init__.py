"""Labels told apart: by class, and by ranks of a score."""
