"""The folder that this firmware runs from; see main.py for how one of the two is chosen."""

import sys

HERE = sys.path[0]
"""The folder, `/a` or `/b`."""

BOARD_FILE = HERE + "/board.json"
"""A firmware has its board file beside it: both go together when another version is installed."""
