"""Pairs of replies: which are judged, what both seats say together, what each judge decides."""
