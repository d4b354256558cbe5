"""The commands, one file per family; each has an `app`, from which cli.py loads what was typed.

Only the file of the typed command is read, but also for its `--help`, and whenever a shell
completes a word of it. What a command does imports most of the package, and rich, SQLAlchemy,
pyserial or the page's server, two or three times as long as such a start takes. So the commands
with the most options say in one file what can be typed, and import the other where they run:
`play` has `play_work.py`, `try` `try_work.py`, `invite` and `join` `far_work.py`. That, and
SQLAlchemy until a game is looked up (archive/store.py), is why there are imports inside functions;
others are of an optional extra, or of a module that Windows lacks.
"""
