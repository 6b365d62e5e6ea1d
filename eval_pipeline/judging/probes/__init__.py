"""Pairs of replies whose right verdict is known, and what a judge makes of them."""
