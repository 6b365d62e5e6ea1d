"""What a text says: the words of a page without its markup, and the parts of an item.

Door: `fields_of` takes items apart, `TEXT` and `CODE` give the words of a text and where each
stands, `text_digest` and `field_digests` name a whole text by its words.

Read `normalise` first, which is what a word is, then `markup` (what is read away before) and
`numbers`. The kernels do the same to bytes and are held to it: `folding` makes the tables,
`lexing` reads words by them, `markup_kernel` and `entity_kernel` read pages, `exact_kernel` makes
digests.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
