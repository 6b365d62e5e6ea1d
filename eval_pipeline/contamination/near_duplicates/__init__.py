"""Whole texts that are nearly the same: candidates by sketches, each compared shingle by shingle.

Door: `near_duplicates` among some texts, `Lookup` of some texts in the documents of a corpus;
`meeting_probability` says how likely a pair of a given likeness is to be seen at all.

Read `minhash` first, the sketches written from their definition, then `banding`, `sketches` (both
ways of making them) and `pairs`; `rows` makes the table.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
