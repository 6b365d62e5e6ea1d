"""What Dagster loads: assets made from the chain, their partitions, metadata and triggers.

`location` gathers it; `assets` makes one asset function a stage, with its checks; `warehouse_io`
publishes what leaves them; `triggers` and `watch` start runs by themselves. Assets hold nothing:
they ask an `Evaluation`.
"""
