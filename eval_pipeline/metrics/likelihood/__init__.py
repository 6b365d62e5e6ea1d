"""What log-probabilities say of texts: perplexity, bits, memorised texts."""
