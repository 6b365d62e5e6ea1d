"""From what was found to the status of a field and an item, and what people say of it."""
