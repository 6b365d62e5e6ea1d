"""What becomes of the claims in a reply.

`formula_claims` holds them against the world (`factuality_report`), `formula_faithfulness` against
the reply's own sources (`faithfulness`). `measure` reads the claims that a tool extracted.
"""
