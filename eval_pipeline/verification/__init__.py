"""Replies against references: an extraction finds the answer, a verifier judges it, or says that
nobody can tell.

Read `verdict` first (what is found, what is said, the three ends), then `registry` (every
instrument by name and version) and `scoring` (from generations to scores: the door of the room).
Shelves: `extractions` (where the answer stands), `numbers`, `choices`, `formulas` and `code` (each
kind of answer, read whole), `first` (the instruments of version 1, unmended). What needs limits of
its own runs in the children of `bounded`. `recorded` takes a publisher's verdicts, `agreement`
holds them against ours, and `rescoring` tells what a later version makes of old replies.
"""
