"""Corpora on disk: which files, and their documents some at a time."""
