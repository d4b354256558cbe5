"""A club: many tables, one archive, and the tournaments that are played at them."""
