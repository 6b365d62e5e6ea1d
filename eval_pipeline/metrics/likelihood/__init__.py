"""How probable the model found texts, and whether it has them by heart.

`formula_bits` has perplexity, bits a character and bits a byte, all from sums of log-probabilities
in nats; `formula_memorisation` joins them with what is known of contamination.
"""
