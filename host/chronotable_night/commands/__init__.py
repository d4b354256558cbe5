"""The commands of games nights: `night`, and `show` and `replay` of their games."""
