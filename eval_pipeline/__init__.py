"""Evaluation numbers for language models that a careful person would sign."""

__version__ = "0.1.0"
