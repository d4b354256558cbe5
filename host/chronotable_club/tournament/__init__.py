"""Tournaments of a club: pairings, standings and ratings, from a log of what happened.

Nothing here knows of tables, brokers, files or clocks: what happened comes in as events, and
`state.py` says what they come to.
"""
