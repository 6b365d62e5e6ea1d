"""What can be said before anything is run: sizes, costs, labels, how often a rule ships."""
