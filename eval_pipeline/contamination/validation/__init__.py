"""How often the rule finds what we planted, and how often it flags what is clean.

Door: `validation_rows` makes the table `contamination_validation` and chooses the rule's share.
`planting` hides items in clean documents by the mechanisms that real corpora show (`MECHANISMS`),
`negatives` makes clean items that look like leaks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
