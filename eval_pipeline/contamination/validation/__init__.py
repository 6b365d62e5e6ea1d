"""How often the rule finds what we planted, and flags what is clean."""
