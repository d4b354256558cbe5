"""Five lessons on the standard game: a few positions each, in which one turn has to do something.

`exercises.py` has them as data, `outcome.py` says what a turn did, and `course.py` leads through
one lesson. Nothing here knows a table, a page or a clock.
"""
