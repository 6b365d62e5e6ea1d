"""What leaked items change in a score, against items as hard."""
