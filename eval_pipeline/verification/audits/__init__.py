"""Verdicts held against people, against recorded ones, and against an older version's."""
