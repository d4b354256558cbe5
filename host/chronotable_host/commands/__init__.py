"""The commands, one file per family; each has an `app`, from which cli.py loads what was typed.

Only the typed command's file is read, but `--help` and a shell that completes a word read it, too,
so it says what can be typed and imports no more than that needs. What a command does imports most
of the package, and rich, SQLAlchemy, pyserial or the page's server: three to five times as long as
such a start takes. Where that is much, it is imported where the command runs: from `play_work.py`
what `play` does, and so on. Other imports inside functions are of an optional extra, or of a module
that Windows lacks.
"""
