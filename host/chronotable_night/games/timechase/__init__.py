"""Time Chase: tricks in the present, tricks again in the past (rules H1 to H21).

`state` deals and reads the row of events; `acting` says what is legal and carries it out, up to the
next decision, and what a seat knows; `words`, `decisions` and `telling` put it in words; `bots`
plays by rules of thumb; `kind` shows all of it to the outside.
"""
