"""Which button is held while the power comes on, read without anything that may have failed."""

import json
from time import sleep_ms

from machine import Pin

from slots import BOARD_FILE

if False:
    from typing import Any

_ASKING = ("action", "a")  # for safe mode, for the doctor


def button() -> str:
    """Return the name of a held button that asks for something, "" where none is.

    Also where the board file does not say where they are: who needs it says what is wrong with it.
    """
    try:
        with open(BOARD_FILE) as file:
            board = json.load(file)
        is_low = _in_registers if "registers" in board else _in_matrix
        for entry in board["buttons"]:
            if entry["name"] in _ASKING and is_low(board, *entry["cell"]):
                return str(entry["name"])
    except Exception:
        return ""
    return ""


def _in_matrix(board: "dict[str, Any]", row: int, column: int) -> bool:
    pin = board["matrix"]["row_pins"][row]
    reads = Pin(board["matrix"]["col_pins"][column], Pin.IN, Pin.PULL_UP)
    Pin(pin, Pin.OUT, value=0)
    sleep_ms(1)
    is_low = not reads.value()
    Pin(pin, Pin.IN)
    return is_low


def _in_registers(board: "dict[str, Any]", chip: int, number: int) -> bool:
    """Take the inputs, and shift until that of the chip is at the data pin; D7 is the first."""
    pins = board["registers"]
    reads = Pin(pins["data_pin"], Pin.IN, Pin.PULL_UP)
    clock = Pin(pins["clock_pin"], Pin.OUT, value=0)
    load = Pin(pins["load_pin"], Pin.OUT, value=0)
    sleep_ms(1)
    load.value(1)
    for _ in range(8 * chip + 7 - number):
        clock.value(1)
        clock.value(0)
    return not reads.value()
