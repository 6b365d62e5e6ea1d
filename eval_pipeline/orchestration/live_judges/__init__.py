"""Judges that are asked live: whether they may be, what they are due, what it costs.

`live_judging` first: who is asked, with which prompt. `judge_calls` pays for the replies that are
not kept yet, `trial_calls` and `judge_trials` are what judges are tried on, and `judge_costs` says
beforehand what it would cost.
"""
