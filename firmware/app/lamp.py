"""Pictures for when nothing runs yet or nothing runs any more: no PIO, no DMA, no interrupt."""

import json

from machine import Pin, bitstream

from slots import BOARD_FILE

if False:
    from collections.abc import Sequence
    from typing import Any


def paint(pin: int, count: int, order: str, level: int, lit: "Sequence[int]") -> None:
    """Light every third LED red, those in `lit` white, so dimly that any supply carries it.

    Interrupts wait for the 1.6 ms.
    """
    data = bytearray(3 * count)
    for at in range(order.find("R"), 3 * count, 9):
        data[at] = level
    for led in lit:
        data[3 * led : 3 * led + 3] = b"\x14\x14\x14"
    bitstream(Pin(pin, Pin.OUT), 0, (400, 850, 800, 450), data)


def show(level: int, lit: "Sequence[int]") -> "dict[str, Any]":
    """Paint on the board file's chain, or the reference board's; return what is in the file."""
    board = {}
    try:
        with open(BOARD_FILE) as file:
            board = json.load(file)
        leds = board["leds"]
        paint(leds["pin"], leds["count"], leds["colour_order"], level, lit)
    except Exception:  # whatever is wrong with the file
        paint(22, 54, "GRB", level, lit)
    return board
