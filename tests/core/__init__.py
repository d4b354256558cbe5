"""The rules and texts of ttykm on both interpreters: these files also run on MicroPython."""
