"""The rules and texts of That Time You Killed Me, for MicroPython and CPython alike.

`Game` is the door (game.py); RULES ids such as T16 in comments name the rule that is meant.
"""
