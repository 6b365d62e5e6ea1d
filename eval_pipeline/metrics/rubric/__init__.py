"""Points of a rubric that a reply earned."""
