"""The names of all sensors, for people and scripts; a table needs them for its board file alone."""

from chronotable.hardware.sensors import (
    BUTTON,
    BUTTONS,
    ERAS,
    FOCUS,
    INPUTS,
    PLAYERS,
    SENSORS,
    SHARED,
    SPACES,
)


def sensor_name(sensor: int) -> str:
    """Name a sensor for people and scripts, e.g. `past 3`, `focus white past`, `button undo white`.

    Spaces are counted from 1 here, as players do. `parse_sensor` (parsing.py) reads the name back.
    Raises ValueError where there is no such sensor.
    """
    if 0 <= sensor < SPACES:
        return f"{ERAS[sensor // 16]} {sensor % 16 + 1}"
    if FOCUS <= sensor < SENSORS:
        return f"focus {PLAYERS[(sensor - FOCUS) // 3]} {ERAS[(sensor - FOCUS) % 3]}"
    if BUTTON <= sensor < INPUTS:
        name, side = BUTTONS[sensor - BUTTON]
        return f"button {name}" if side == SHARED else f"button {name} {PLAYERS[side]}"
    raise ValueError(f"there is no sensor {sensor}; sensors are 0 to {INPUTS - 1}")
