"""What each metric is, in words and types: a module a family, nothing heavy."""
