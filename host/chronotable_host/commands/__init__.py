"""The commands, one file per family; each has an `app`, which cli.py takes in with one line.

These files are read at every start, so they import at the top only what is quick to import.
"""
