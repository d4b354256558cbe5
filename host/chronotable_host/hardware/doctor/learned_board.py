"""The board file of one table: that of its board, with the wiring that its doctor has learned."""

import copy
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from chronotable.hardware.board import board_hash
from chronotable.hardware.sensors import BUTTON, BUTTONS, ERAS, FOCUS, PLAYERS, SHARED, SPACES
from chronotable.hardware.wiring import COLUMNS
from chronotable.link.identity import Identity
from chronotable_host.archive.disk import write_whole
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.doctor.listener import LearnedWiring

_SHORT_LIST = re.compile(r"\[\s*([\"\w]+(?:,\s*[\"\w]+)*)\s*\]")


def own_board(peer: Identity) -> dict[str, Any] | None:
    """Return the board file that a table has, parsed; None where it is none of those known here."""
    for name in (*boards.learned(), *boards.names()):
        with suppress(UserError):  # somebody's own file
            data = boards.read_data(name)
            if board_hash(data) == peer.board_hash:
                return data
    return None


def rewired(
    data: Mapping[str, Any], learned: Mapping[int, LearnedWiring], colour_order: str | None
) -> dict[str, Any]:
    """Return a board file with what was learned in it.

    Raises BoardFileError where that is no wiring: two at one place.
    """
    new = copy.deepcopy(dict(data))
    for sensor, found in learned.items():
        cell = list(divmod(found.cell, COLUMNS))
        if sensor < SPACES:
            era, (row, column) = new["eras"][sensor // 16], divmod(sensor % 16, 4)
            era["cells"][row][column] = cell
            era["leds"][row][column] = found.led
        elif sensor < BUTTON:
            player, at = divmod(sensor - FOCUS, len(ERAS))
            new["focus"][PLAYERS[player]][ERAS[at]] = {"cell": cell, "led": found.led}
        else:
            name, side = BUTTONS[sensor - BUTTON]
            for entry in new["buttons"]:
                is_its = side == SHARED or entry.get("side") == PLAYERS[side]
                if entry["name"] == name and is_its:
                    entry["cell"] = cell
    if colour_order is not None:
        new["leds"]["colour_order"] = colour_order
    boards.load(new)
    return new


def save(data: Mapping[str, Any], table_id: str) -> Path:
    """Write a table's own board file into the user's folder; return where.

    Raises OSError where it cannot be written.
    """
    folder = boards.learned_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{data['name']}-{table_id}.json"
    text = json.dumps(data, indent=2)  # lists of numbers and words on one line, as people write
    short = _SHORT_LIST.sub(lambda match: f"[{' '.join(match[1].split())}]", text)
    write_whole(path, short + "\n")
    return path
