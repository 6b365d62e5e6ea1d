"""The sections of the report, each a pure function of the contract's tables.

A section gives markup, or None where the contract has no such table. `standing` is the head of the
page and what was decided, `scores` holds the leaderboard; `report` puts them in order.
"""
