"""Captions and answers about images: CIDEr, POPE, SPICE, VQA."""
