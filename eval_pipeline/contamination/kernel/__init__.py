"""The compiled scan of documents against packed fields; nothing here knows a row or a verdict.

`scanner` drives it, `scan` looks n-grams up and compares them letter by letter, `tally` keeps what
a document holds of each field. Its answers are those of `search.reference`, which a test holds it
to.
"""
