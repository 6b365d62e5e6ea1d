"""Metrics of other packages, offered under the entry-point group `eval_pipeline.metrics`.

`discovery` says what a package must offer (`MetricPlugin`), finds and checks it (`discover`), and
checks each of its scores (`plugin_scores`); `measure` gives it the form of every other metric.
"""
