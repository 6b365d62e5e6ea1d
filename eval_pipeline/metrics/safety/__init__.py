"""Harm that came through, help that was refused, effects that nobody asked for.

`formula` has the rates (`safety_sums`) and the trade between two of them
(`attack_success_within_budget`); `rows` makes the table `safety_frontier`.
"""
