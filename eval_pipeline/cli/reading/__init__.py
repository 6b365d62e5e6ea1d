"""What verbs start from: the project that they stand in, and one sample of it."""
