"""One verifier on one reply, or on a file of cases, outside any contract."""
