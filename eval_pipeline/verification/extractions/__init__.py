"""Where the answer stands in a reply.

`extraction` (the whole text, a line that a pattern marks), `marker` (the ways to say "the answer
is"), `boxed`, `json_field`, and `chain`, which tries several in order. Numbers, choices and
programs have an extraction of their own, beside their verifiers.
"""
