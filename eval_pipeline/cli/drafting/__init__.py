"""A first draft of a contract from plain files of answers, or of published votes."""
