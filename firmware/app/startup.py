"""Makes the game's table as its board and the files at the root say, once when it starts."""

from about import UNTOLD, read_json, write_json
from chronotable.core.commands import SETTINGS, change, start
from chronotable.core.table import Table
from chronotable.doctor.kinds import SUPPLY_WEAK
from chronotable.hardware.sensors import SENSORS
from chronotable.link.unpacked import unpack_position

if False:
    from typing import Any

    from chronotable.hardware.wiring import Board
    from chronotable.journal.journal import Journal
    from chronotable.lights.light import Light
    from chronotable.link.link import Link

_KINDS = ("o", "c", "f", "p")


def make_table(
    board: "Board", light: "Light", link: "Link", entropy: "Any", journal: "Journal"
) -> Table:
    """Return the table, with the code of its sounds where the board has a piezo."""
    parts = board, light, link, entropy, journal, reed_faults(link)
    if board.sound_pin < 0:
        return Table(*parts)
    from machine import PWM, Pin

    from chronotable.lights.sounds import SoundingTable

    return SoundingTable(PWM(Pin(board.sound_pin)), *parts)


def reed_faults(link: "Link") -> "dict[int, str]":
    """Return what the doctor has found of reeds, by sensor; tell if the supply failed then."""
    found = read_json("reeds.json")
    if not found:
        return {}
    from chronotable.hardware.naming import sensor_name

    if "supply" in found:
        link.post_event("finding", 0, kind=SUPPLY_WEAK, sensor=255, other=255)
        if found["supply"] == UNTOLD:
            found["supply"] = "told"
            write_json("reeds.json", found)
    names = [sensor_name(sensor) for sensor in range(SENSORS)]
    return {at: str(found[names[at]]) for at in range(SENSORS) if found.get(names[at]) in _KINDS}


def configure(table: "Table") -> None:
    """Apply settings.json: numbers by name, and a packed position to set up for the start.

    Its `objects` are packed, too, where it says that they are told apart. A game that goes on
    stays.
    """
    settings = read_json("settings.json")
    for number, name in enumerate(SETTINGS):
        if name in settings:
            change(table, number, int(str(settings[name])))
    options = int(str(settings.get("options", 0)))
    if table.journal.current:
        return
    if "start" in settings:
        objects = str(settings.get("objects", ""))
        start(table, unpack_position(str(settings["start"]), objects), options)
    elif options:
        start(table, None, options)
