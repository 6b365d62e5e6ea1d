"""Two checkpoints, or two versions of a contract, item by item."""
