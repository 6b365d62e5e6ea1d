"""From what lies on disk to tables in the warehouse: the chain, the plan, the run, and Dagster.

Door: `Evaluation` binds a data root to its warehouse, and everything goes through it; its `plan`
says what would run and why, `bring_up_to_date` runs it, `inspect` names every fault before that,
`verify` computes again, `board` reads the leaderboard. Nothing here computes a number: a stage
calls the room that does.

Read `stage` first (what a stage is), then `chain` (all of them, in order) and any of `stages/`, a
module each. `planning/` holds the disk against lineage; `evaluation` makes and publishes a cell.
`reading/` and `live_judges/` are what several stages share. Only two shelves know Dagster:
`code_location/` (assets, partitions, triggers) and `running/` (a session, its home, its databases).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
