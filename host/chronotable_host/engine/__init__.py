"""A player that searches: positions, evaluation, search, levels, and a protocol for others."""
