"""Hostile input for `python -m tests.lab --only fuzz`: how it is made, and who takes it."""
