"""Right values from elsewhere, and the runner that holds them against public functions."""
