"""The game as the PC reads and writes it: positions, turns, records, and why a turn is illegal."""
