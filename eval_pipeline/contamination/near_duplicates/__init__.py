"""Whole texts that are nearly the same, by sketches."""
