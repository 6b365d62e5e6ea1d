"""Results in the forms that other tools take: texts by file name, and nothing is written here.

Door: `FORMS` names each form with its writer, which takes an `Export`: the contract's facts, the
rows of its leaderboard and, where they were asked for, its samples. Read `export` first, then any
form: each knows one format, and names where it is described.
"""
