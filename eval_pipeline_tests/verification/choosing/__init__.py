"""Instruments chosen by references and replies."""
