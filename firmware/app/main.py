"""Starts the table. Ctrl-C on the serial line stops it and gives the MicroPython prompt."""

from loop import run

run()
