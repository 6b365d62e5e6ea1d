"""What a search brought back, by rank."""
