"""Marks on several criteria as one score between the ends of a scale.

`rubric_score` of `formula` takes one set of marks, `rubric_scores` many; judging asks it as well.
"""
