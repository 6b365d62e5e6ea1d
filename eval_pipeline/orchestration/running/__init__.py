"""How a run goes in Dagster: one session of the command, Dagster's home and its databases."""
