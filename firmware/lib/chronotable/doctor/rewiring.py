"""Writing what the doctor learned of the wiring into the board file."""

from chronotable.hardware import sensors
from ttykm.mp import const

if False:
    from typing import Any

    from chronotable.doctor.wiring_map import WiringMap
    from chronotable.doctor.wizard import Wizard

_NO_LED = const(255)


def is_whole(wiring: "WiringMap") -> bool:
    """Tell whether every place of a map is known, and no two are the same."""
    known = wiring.known
    return min(known) >= 0 and len(set(known)) == len(known)


def learned(w: "Wizard") -> "list[tuple[int, int, int]]":
    """Return sensor, cell and place in the LED chain of all that is not where the file says."""
    changed = []
    for sensor in range(sensors.INPUTS):
        cell = _now(w.cells, sensor)
        led = _now(w.leds, sensor) if sensor < sensors.SENSORS else _NO_LED
        in_file = w.leds.in_file[sensor] if sensor < sensors.SENSORS else _NO_LED
        if cell != w.cells.in_file[sensor] or led != in_file:
            changed.append((sensor, cell, led))
    return changed


def rewrite(data: "Any", w: "Wizard") -> bool:
    """Change a parsed board file; return whether anything changed.

    Cells stay where not all are known, and so do LEDs.
    """
    changed = w.order != data["leds"]["colour_order"]
    data["leds"]["colour_order"] = w.order
    cells = list(w.cells.known if is_whole(w.cells) else w.cells.in_file)
    leds = list(w.leds.known if is_whole(w.leds) else w.leds.in_file)
    changed = changed or cells != list(w.cells.in_file) or leds != list(w.leds.in_file)
    for era in range(len(sensors.ERAS)):
        grid = data["eras"][era]
        for space in range(16):
            row, column = divmod(space, 4)
            grid["cells"][row][column] = list(divmod(cells[era * 16 + space], 8))
            grid["leds"][row][column] = leds[era * 16 + space]
    for at in range(6):
        spot = data["focus"][sensors.PLAYERS[at // 3]][sensors.ERAS[at % 3]]
        spot["cell"] = list(divmod(cells[sensors.FOCUS + at], 8))
        spot["led"] = leds[sensors.FOCUS + at]
    for entry in data["buttons"]:
        side = entry.get("side")
        player = sensors.PLAYERS.index(side) if side else sensors.SHARED
        button = sensors.BUTTONS.index((entry["name"], player))
        entry["cell"] = list(divmod(cells[sensors.BUTTON + button], 8))
    return changed


def _now(wiring: "WiringMap", sensor: int) -> int:
    at = wiring.known[sensor]
    return at if at >= 0 else wiring.in_file[sensor]
