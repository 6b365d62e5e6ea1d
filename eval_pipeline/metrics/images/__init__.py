"""Sets of images against each other, and images against their captions."""
