"""A table that is being played on: the link's other end, the mirror of its game, the port."""
