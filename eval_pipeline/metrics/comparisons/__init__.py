"""Two checkpoints on the same items: differences, intervals, p-values.

`rows` makes the table `paired_comparisons`: `item_differences`, then `comparison_rows`. `judged`
reads a judge's verdicts on a pair as such differences (`judged_differences`).
"""
