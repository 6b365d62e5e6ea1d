"""Sets of generated images, from features that a named network made of them elsewhere.

`formula_frechet` (FID), `formula_neighbours` (precision and recall), `formula_inception` and
`formula_clip` take matrices of features; no image is opened here. `measure` reads the features of
items and generations.
"""
