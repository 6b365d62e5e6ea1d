"""Shards searched: from documents to rows of `contamination_hits`, whoever does the work.

Door: `scan_shard` for a shard, `Workforce` for many of them by threads or a Dask cluster, `Scanner`
for a text in memory.

Read `reference` first: it is the search, in plain Python. `by_kernel` gives the same hits faster,
`hits` says which of them are kept, `shard` puts it together; `canary` looks for canaries, `spread`
counts how common n-grams are in a sample.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
