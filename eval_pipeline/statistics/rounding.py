"""How small a spread must be to count as none, said once for all estimates.

Scores and their differences are of size 1, so what floating point leaves of equal ones is some
1e-16 an item; a spread that data have is far above the bound.
"""

NO_SPREAD = 1e-12
