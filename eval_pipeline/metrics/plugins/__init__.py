"""Metrics of other packages: found, checked, asked."""
