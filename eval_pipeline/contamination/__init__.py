"""Whether a corpus holds what a benchmark asks, shown by the text of both sides.

Door: `fields_of` says what of the items is looked for, `index_rows` and `open_index` what of it is
boilerplate, `scan_shard` searches a shard of a corpus, `item_rows` gives each item its status, and
`validation_rows` says how often such a status is wrong. For two texts in a notebook there are
`same_text`, `ngram_overlap` and `shingle_jaccard`, which need no index.

Read `rule` first: it says what counts as a leak. Then the shelves in their order, each of which
stands on those before it: `text` (what a word is), `corpus` (documents on disk), `index` (what is
looked for), `kernel` (the compiled scan), `search` (shards to hits), `near_duplicates` (whole texts
that are nearly one), `evidence` (what log-probabilities say), `verdict` (hits to statuses),
`validation` (planted leaks and clean look-alikes).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
