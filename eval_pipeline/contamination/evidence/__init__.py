"""What log-probabilities and scores say of a model: evidence, never proof."""
