"""Puzzles: positions in which the player to move wins in one, two or three turns, proven.

`positions.jsonl` has those that everybody has, `making.py` finds more in one's own games. Nothing
here knows a table, a page or a clock.
"""
