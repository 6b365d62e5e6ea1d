"""What is wrong with a judge, measured: seats, length, its own family, drift, against people.

`pair_audits` and `score_audits` list every audit of a judge; each measure has a module. A finding
is held against the contract's bar in `findings`, one floor up, and becomes a row in `finding_rows`.
"""
