"""Figures as self-contained SVG: rows in, text out."""
