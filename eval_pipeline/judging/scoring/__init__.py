"""Scores of single replies: over repeats, over judges, and as a checkpoint's mean."""
