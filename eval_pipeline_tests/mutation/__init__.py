"""Small faults planted in the product, to see whether a test tells: `python -m` this package.

`operators` makes the faults of a module, `entries` holds those planted by hand, `covering` learns
which tests enter which function, `trying` runs them on a fault, `__main__` samples and reports.
"""
