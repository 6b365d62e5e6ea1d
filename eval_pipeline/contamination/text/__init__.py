"""What a text says: markup read away, words, their hashes, the fields of an item."""
