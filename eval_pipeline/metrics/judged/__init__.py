"""Scores that judges gave."""
