"""Corpora on disk: which files are shards, and their documents some at a time.

Door: `shards` of a folder, `batches` of a shard; what holds no document is counted in `UnreadLines`
and never stops a search, and a shard that ends early always does.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
