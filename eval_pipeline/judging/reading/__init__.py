"""What a judge's reply says: the verdict or the scores in a text, or that there is none.

Begin at `scores`, and at `judging.verdicts`, the door of the shelf. `own_words` and `deciding` say
which marker is the judge's own. `recorded` and `recorded_scores` read the files that others wrote.
"""
