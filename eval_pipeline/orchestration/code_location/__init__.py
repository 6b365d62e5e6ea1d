"""What Dagster loads: assets made from the chain, their metadata, jobs and triggers."""
