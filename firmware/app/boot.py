"""Runs before main.py. Nothing to prepare: a table that only boots can still be reached."""
