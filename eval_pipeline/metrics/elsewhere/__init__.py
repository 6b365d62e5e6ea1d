"""Values that were computed elsewhere: read, checked, averaged."""
