"""Answers about images: questions, objects that are not there, captions.

One formula a file: `formula_vqa`, `formula_pope`, `formula_cider`, `formula_spice`. They read
answers, words and statements; no image is opened here. `measure` gives them columns.
"""
