"""What would run, and why: the world on disk held against the records of lineage. No dagster."""
