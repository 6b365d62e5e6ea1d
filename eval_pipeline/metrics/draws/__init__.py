"""What several draws of an item buy: pass@k, pass^k, majority@k."""
