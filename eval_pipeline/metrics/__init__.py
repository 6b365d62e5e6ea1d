"""The metrics: what a number is called, what it is made from, how it is computed, how sure it is.

Door: `metric` looks an entry up by its name and `asked` by the label that tables use, such as
`pass@4`; `item_values` gives a value an item, `estimate_rows` the table `metric_estimates`,
`comparison_rows` the table `paired_comparisons`. The formulas below them take arrays and know
nothing of tables: `pass_at_k`, `calibration_error`, `corpus_bleu`.

A family of metrics is a shelf, on which stand side by side:

- `entry`: the names, with meaning, columns, options, unit, range, direction and source. It imports
  nothing heavy: contracts are validated by it.
- `formula`, or several `formula_...`: pure functions on arrays.
- `measure`: how columns of samples become the number, in one of the forms of `measures.forms`.
- `rows`, where the family has a table of its own.

Read `entry` first, then `registry`, the shelf `draws`, `measures.forms`, and a family made from
columns, such as `calibration`. `samples` and `view` say which samples take part; `estimates` gives
values their intervals, slices and bounds. What all formulas take stands in `inputs`, `matrices` and
`sums`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
