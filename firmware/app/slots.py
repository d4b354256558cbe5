"""The folder that this firmware runs from; see main.py for how one of the two is chosen."""

import json
import os
import sys

from micropython import const

if False:
    from chronotable.link.link import Link

HERE = sys.path[0]  # the folder, `/a` or `/b`

BOARD_FILE = HERE + "/board.json"
"""A firmware has its board file beside it: both go together when another version is installed."""

_SLOT = const("slot")
_TRIED = const("tried")
_HEAD = const(96)  # bytes: the manifest's first line is shorter, the whole is too much for the heap


def version() -> "tuple[str, int]":
    """Return version and build, which the first line of the manifest tells; "?" and 0 without."""
    try:
        with open(HERE + "/manifest.json") as file:
            head = json.loads(file.read(_HEAD).split("\n")[0].rstrip(", ") + "}")
        return str(head["version"])[:24], int(head["build"], 16)
    except (OSError, ValueError, KeyError):
        return "?", 0


def on_trial() -> bool:
    """Say whether this firmware is on trial: if it fails now, the one before it starts next."""
    try:
        with open(_TRIED) as file:
            return "/" + file.read(8).strip() == HERE
    except (OSError, ValueError):
        return False


def tell(link: "Link") -> None:
    """Tell the PC what runs from where, and whether it is on trial."""
    link.send("installed", build=version()[1], slot=HERE[1:], trial=int(on_trial()))


def confirm(link: "Link") -> None:
    """Take the slot: the firmware is proven, as a PC hears it run. Another trial's mark goes."""
    if _TRIED in os.listdir():
        if on_trial():
            os.rename(_TRIED, _SLOT)
        else:
            os.remove(_TRIED)
        tell(link)
