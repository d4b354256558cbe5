"""The board and the link of a table, as every mode needs them: game, safe mode, doctor."""

import gc
import json
import os
import sys

import machine
from micropython import const

import watchdog
from chip import entropy, unload
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from slots import BOARD_FILE, tell, version
from ttykm.game import RULES_VERSION
from usb import Usb

if False:
    from chronotable.hardware.wiring import Board

_BULK_IN_2 = const(b"\x07\x05\x82\x02")  # how a USB descriptor of that endpoint begins
UNTOLD = const("weak")  # in reeds.json of a supply that gave way, until the game has told it


def read_json(name: str) -> "dict[str, object]":
    """Return the object in a file of the flash, {} where there is none that can be read."""
    try:
        with open(name) as file:
            data = json.load(file)
            return data if isinstance(data, dict) else {}
    except (OSError, ValueError):
        return {}


def write_json(name: str, data: object) -> None:
    """Write a file beside another one, and put it in its place when it is whole."""
    with open(name + "~", "w") as file:
        json.dump(data, file)
    os.rename(name + "~", name)


def read_board() -> "tuple[Board, int]":
    """Return the board and its hash; the code that reads the board file is unloaded again."""
    gc.collect()  # after all imports: else the heap is in pieces too small for the game's tables
    from chronotable.hardware import board as reader  # not for longer than this

    board = reader.load(read_json(BOARD_FILE))
    board_hash = reader.board_hash(board)
    unload("chronotable.hardware.board", "chronotable.hardware.naming")
    return board, board_hash


def make_link(board: "Board", board_hash: int) -> Link:
    """Return the table's end of the link; the PC will hear what runs here and why it failed."""
    unique_id = machine.unique_id()[-6:].hex()
    boot = entropy() & 0xFFFF or 1
    link = Link(TABLE, Identity(board.name[:12], board_hash, unique_id, RULES_VERSION, boot))
    link.send(
        "about",
        firmware=version()[0],
        micropython="%d.%d.%d" % sys.implementation.version[:3],
    )
    tell(link)
    reason = watchdog.failure()
    if reason:
        link.send("failure", boots=watchdog.fails, reason=reason)
    return link


def make_usb() -> Usb:
    """Return the serial line; where its endpoint is another than `usb` knows, a slow one."""
    usb = Usb()
    usb_device = getattr(machine, "USBDevice", None)
    if not usb_device or _BULK_IN_2 not in usb_device.BUILTIN_DEFAULT.desc_cfg:
        import bytewise

        slow = bytewise.Bytewise()
        usb.write = slow.write
        usb.has_room = slow.has_room
    return usb
