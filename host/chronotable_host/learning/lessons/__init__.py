"""Five lessons on the standard game: a few positions each, in which one turn has to do something.

`exercises.py` has them as data and says what a turn did, `course.py` leads through one lesson.
Nothing here knows a table, a page or a clock.
"""
