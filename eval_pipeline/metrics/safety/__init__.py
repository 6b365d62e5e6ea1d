"""Harm that came through, and harmless requests that were refused."""
