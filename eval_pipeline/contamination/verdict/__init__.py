"""From what was found to one status a field and one an item, and what people say of it.

Door: `item_rows` makes the table `contamination_items`, `verdict` decides one field, `item_status`
takes the gravest of an item's fields, `read_decisions` and `after_review` put a person's word in
place of the rule's.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
