"""What leaked items change in a score.

`rows` makes the table `contamination_delta`: all items against the clean ones. `formula_matched`
holds flagged items against clean ones as hard for the other checkpoints, and `formula_difficulty`
takes out what is only error in that difficulty.
"""
