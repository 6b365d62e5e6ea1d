"""Choices: which option a reply names, whichever letter is right.

`choice` holds the extraction and the verifier. `places` are the patterns where a reply says its
choice, `reading` their order, `options` a label or an option's text at a place, `claims` what
joins, withdraws or replaces one, `words` the vocabulary of the languages that are known.
"""
