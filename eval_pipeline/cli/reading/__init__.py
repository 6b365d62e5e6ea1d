"""What verbs start from: the project they stand in, how its cells and judges stand, one sample."""
