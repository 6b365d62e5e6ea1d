"""Fields of a document that were found and are right."""
