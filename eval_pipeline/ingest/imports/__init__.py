"""What other tools wrote, landed in a data root: whole or not at all, once, and undone if wished.

Door: `staged` writes everything beside its place, `land` moves it there, `undo` takes it away.

Read `names` (which checkpoint a published model is), `staging` (entries to files), `equality` (the
publisher's numbers computed again), `joining` (a benchmark that is there already), `landing` (the
move, which a kill cannot halve).
"""
