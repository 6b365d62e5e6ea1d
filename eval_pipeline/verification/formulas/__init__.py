"""Formulas: read whole, brought into a normal form, evaluated, and compared as statements.

`mathematics` is the verifier. A text becomes `tokens`, the `reader` (with `descent`) makes `terms`
of them, `statements` relations, sets and named values; `comparison` holds two statements against
each other: `normal` forms prove, `evaluation` refutes, `proofs` asks a computer algebra in a child.
`listing` has the verifiers of sets, tuples and intervals, which read by the same reader.
"""
