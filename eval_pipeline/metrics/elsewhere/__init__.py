"""Values that were computed elsewhere and come as a column of the generations.

There is no formula: `measure` reads the column, holds it against the entry's range, and averages.
"""
