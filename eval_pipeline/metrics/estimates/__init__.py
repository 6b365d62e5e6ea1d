"""From values to the table `metric_estimates`: slices, policies, bounds, intervals.

`rows` is the way in: `estimate_rows` for a contract, `rows_of_metric` for one metric. Metrics with
a value an item go through `measures.item_values` and a clustered mean; the others through
`set_rows` and `set_estimates`, which take whole sets of samples. `row` has what all rows share,
`any_look` the intervals of contracts that look more than once. `aggregate` and `missing` are the
same ideas on plain counts, for a notebook.
"""
