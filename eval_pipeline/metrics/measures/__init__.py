"""How columns of samples become the numbers of the catalogue: a module a family."""
