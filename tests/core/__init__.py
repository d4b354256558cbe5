"""The rules of ttykm on both interpreters: these files also run on MicroPython."""
