"""What several draws of an item buy: pass@k, pass^k, majority@k.

`formula_at_k` and `formula_majority` are the formulas an item; `measure` gives them the draws that
the failure policy leaves. `theory_at_k` says what the estimators do where the truth is known, and
is what they are tested against.
"""
