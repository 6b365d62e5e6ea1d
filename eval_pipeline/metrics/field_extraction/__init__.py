"""Fields read out of documents: how much of what was said is right, of what was wanted found.

`documents` holds two JSON values against each other (`field_counts`), and is what the verifier of
JSON answers asks too; `formula` makes precision, recall and F1 of the counts.
"""
