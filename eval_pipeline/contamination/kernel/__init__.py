"""The compiled scan of documents against a packed index."""
