"""What items tell of models: facility, discrimination, curves, differential function."""
