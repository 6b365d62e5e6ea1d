"""Shares of replies that failed, one a status."""
