"""Whether a metric ranks replies as people do."""
