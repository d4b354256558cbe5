"""The commands, one file per family; each has an `app`, which cli.py takes in with one line.

These files are read at every start, also of `chronotable --help` and whenever a shell completes a
word, so they say what can be typed and import no more than that needs. What a command does imports
most of the package, and rich, SQLAlchemy, pyserial or the page's server: three to five times as
long as such a start takes. It is imported where the command runs: from `play_work.py` what `play`
does, and so on. That, and SQLAlchemy until a game is looked up (archive/store.py), is why there are
imports inside functions; others are of an optional extra, or of a module that Windows lacks.
"""
