"""The sheets and pages that people fill in, and how they are read back."""
