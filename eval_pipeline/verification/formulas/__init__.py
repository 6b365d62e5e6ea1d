"""Formulas: read whole, brought into a normal form, evaluated, and compared as statements."""
