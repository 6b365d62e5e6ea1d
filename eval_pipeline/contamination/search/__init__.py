"""Shards searched: the reference, the kernel's twin of it, and the rows that are kept."""
