"""The names of all sensors, for people and scripts; a table needs them for its board file alone."""

from chronotable.hardware import sensors


def sensor_name(sensor: int) -> str:
    """Name a sensor for people and scripts, e.g. `past 3`, `focus white past`, `button undo white`.

    Spaces are counted from 1 here, as players do. `parse_sensor` (parsing.py) reads the name back.
    Raises ValueError where there is no such sensor.
    """
    if 0 <= sensor < sensors.SPACES:
        return f"{sensors.ERAS[sensor // 16]} {sensor % 16 + 1}"
    if sensors.FOCUS <= sensor < sensors.SENSORS:
        player, era = divmod(sensor - sensors.FOCUS, 3)
        return f"focus {sensors.PLAYERS[player]} {sensors.ERAS[era]}"
    if sensors.BUTTON <= sensor < sensors.INPUTS:
        name, side = sensors.BUTTONS[sensor - sensors.BUTTON]
        return (
            f"button {name}" if side == sensors.SHARED else f"button {name} {sensors.PLAYERS[side]}"
        )
    raise ValueError(f"there is no sensor {sensor}; sensors are 0 to {sensors.INPUTS - 1}")
