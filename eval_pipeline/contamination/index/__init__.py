"""What is looked for: fields as word n-grams, what of them tells nothing, and the index on disk.

Door: `entries_of` cuts fields into n-grams, `masked_entries` hides boilerplate and weighs the rest,
`index_rows` and `open_index` are the table `contamination_index`, `write_segment` makes the folder
that searching processes share.

Read `entries` first, then `masks`, `siblings` (what several items share) and `passages`;
`packed` and `hashing` are the same index as arrays for the kernel.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
