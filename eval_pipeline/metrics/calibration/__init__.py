"""Whether stated confidences can be believed.

`entry` lists the metrics; `formula_scoring` has the Brier scores and surprise, `formula_ece` the
calibration error, `formula_murphy` the parts of the Brier score, `formula_risk_coverage` the cost
of answering only where confident. `bins` is what three of them share. `rows` makes the table
`reliability_bins`. Read `formula_scoring` first, then `measure`.
"""
