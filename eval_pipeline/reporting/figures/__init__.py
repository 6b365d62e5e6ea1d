"""Figures as self-contained SVG: rows in, text out; the same rows give the same bytes.

`drawing` is what all share (colours, sizes, SVG or PNG); `charts` are intervals, curves, matrices
and counts; the others are each about one thing: `boards`, `ranking`, `rules`, `scores`, `audits`,
`acts`. `drawn_rows` turns rows of tables into what they draw, `label_places` keeps names apart.
"""
