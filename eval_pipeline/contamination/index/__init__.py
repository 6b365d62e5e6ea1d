"""What is looked for: fields as n-grams, what of them is masked, and the index on disk."""
