"""Two checkpoints on the same items: differences, intervals, p-values."""
