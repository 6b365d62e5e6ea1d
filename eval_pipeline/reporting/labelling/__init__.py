"""The page in which a person labels pairs of replies."""
