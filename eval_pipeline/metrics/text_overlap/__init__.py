"""Replies against reference texts: BLEU, ROUGE, BERTScore."""
