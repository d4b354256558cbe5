"""Hostile input for `bench --only fuzz`: how it is made, and who takes it."""
