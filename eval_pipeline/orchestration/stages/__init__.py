"""The chain, a module a stage: what it reads, what it writes, and the few lines that compute it.

Each module ends in `STAGE`, and `chain` puts them in order. A stage takes tables and a contract,
calls the room that knows the matter, and gives tables back: no dagster, no arithmetic. Read
`generations`, `verifier_scores` and `metric_estimates` for how a checkpoint is scored, then
`paired_comparisons`, `decisions` and `leaderboard`.
"""
