"""Results on disk: Parquet parts that never change, lineage records, pointers to what is current.

Door: `Warehouse` publishes a table into its place and reads it back, checked; `asked` answers SQL,
read only, in a process with limits; the module `trace` walks from a result to what it was made of.
`TABLES` is the registry of every table with its columns, from which rows get their types.

Read `place` first (where a result stands), then `schemas` (what its columns are), `store` (how it
is published), `record`, `lineage` and `history` (how it came to be), `pointer` and `parts`.
`enforcement` and `digest` hold a table to its schema and to its values; `lock`, `durable` and
`garbage` keep the folder sound; `cache` and `call_ledger` keep what is dear to compute; `catalog`,
`views` and `asking` stand behind `query`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
