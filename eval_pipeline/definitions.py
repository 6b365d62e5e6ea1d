"""The Dagster code location: gathers everything, decides nothing."""

from eval_pipeline.orchestration.code_location.location import code_location

defs = code_location()
