"""The whole chain on real parts: a real warehouse, real Dagster runs, real published data."""
