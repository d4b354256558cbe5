"""A game between two tables far apart: a numbered log of each side, sealed, through any broker."""
