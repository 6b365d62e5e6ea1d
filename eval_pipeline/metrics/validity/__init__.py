"""Whether a surface metric ranks replies as people do, before it stands for quality.

`formula` is the rank correlation with a bootstrap by clusters; `rows` makes the table
`metric_validity`, a row a metric.
"""
