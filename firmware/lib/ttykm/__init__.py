"""The rules of That Time You Killed Me, for MicroPython and CPython alike.

`Game` is the door (game.py). A number such as T16 in a comment is that of a rule, which
`chronotable rules T16` prints; XS15 and the like are examples in tests/vectors.
"""
