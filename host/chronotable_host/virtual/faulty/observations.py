"""What hands and eyes can find out about a table with faults, whoever examines it, and however.

One rule: a fault is visible if anything that hands and eyes can do shows a difference between the
table with it and the same table without it. So a fault that another one hides is not visible, such
as a reed that never closes in a row that is cut, without any list of such pairs.
"""

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet

from chronotable.hardware.sensors import INPUTS, SENSORS, SPACES
from chronotable.hardware.wiring import COLUMNS, Board
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault

_DARK = -1
_UNANSWERED = -2

Observations = frozenset[Hashable]
"""Everything that can be seen of a table, one entry for each sign."""


def visible(board: Board, faults: Sequence[PlantedFault]) -> list[PlantedFault]:
    """Return the faults that do not hide behind others."""
    whole = observations(ActualTable(board, faults))
    return [
        fault
        for fault in faults
        if observations(ActualTable(board, [other for other in faults if other != fault])) != whole
    ]


def observations(actual: ActualTable) -> Observations:
    """Return everything that hands and eyes can find out about a table."""
    found: set[Hashable] = set()
    for look in _LOOKS:
        found |= look(actual)
    return frozenset(found)


def is_readable(actual: ActualTable, sensor: int) -> bool:
    """Tell whether a switch can be felt to close and open."""
    is_stuck = sensor in actual.stuck_open | actual.stuck_closed
    is_stuck = is_stuck or any(sensor == at for at, _ in actual.stuck_outputs)
    return not is_stuck and not actual.is_cut(sensor)


def _cells(actual: ActualTable) -> set[Hashable]:
    """Where each switch answers, and where it is always closed."""
    found: set[Hashable] = set()
    for sensor in range(INPUTS):
        if is_readable(actual, sensor):
            found.add(("answers", sensor, actual.cell_of[sensor]))
        elif sensor in actual.stuck_closed and not actual.is_cut(sensor):
            found.add(("closed", actual.cell_of[sensor]))
    return found


def reed_behaviour(actual: ActualTable) -> set[tuple[str | int, ...]]:
    """How each reed answers; one that trembles hides that it also opens when slid over."""
    found: set[tuple[str | int, ...]] = set()
    for sensor in range(SENSORS):
        if not is_readable(actual, sensor):
            continue
        if sensor in actual.flickers:
            found.add(("flickers", sensor))
        elif sensor in actual.weak:
            found.add(("weak", sensor))
        of = actual.nosy.get(sensor)
        if of is not None and is_readable(actual, of) and sensor not in actual.flickers:
            found.add(("nosy", sensor, of))
    return found


def _diodes(actual: ActualTable) -> set[Hashable]:
    """Whose diode is bridged: with two more magnets a fourth cell closes."""
    readable = [sensor for sensor in range(SENSORS) if is_readable(actual, sensor)]
    at = {actual.cell_of[sensor]: sensor for sensor in readable}
    found: set[Hashable] = set()
    for bare in actual.bare & set(readable):
        row, column = divmod(actual.cell_of[bare], COLUMNS)
        corners = (
            (row * COLUMNS + other_column, other_row * COLUMNS + column, cell)
            for other_row in range(kinds.LINES)
            for other_column in range(COLUMNS)
            for cell in [other_row * COLUMNS + other_column]
            if other_row != row and other_column != column
        )
        if any(all(corner in at for corner in three) for three in corners):
            found.add(("diode", bare))
    return found


def _poles(actual: ActualTable) -> set[Hashable]:
    """What each of a sensor's two outputs says of a copy."""
    found: set[Hashable] = set()
    for sensor in range(SPACES):
        if actual.is_cut(sensor) or sensor in actual.stuck_open | actual.stuck_closed:
            continue
        stuck = [(*at, how) for at, how in actual.stuck_outputs.items() if at[0] == sensor]
        found.update(("output", *sign) for sign in stuck)
        if sensor in actual.wrong_poles and not stuck:
            found.add(("exchanged", sensor))
    return found | {("turned", player) for player in actual.turned_of}


def _lights(actual: ActualTable) -> set[Hashable]:
    """Which LED of the chain shines where, and in which colours.

    Hands can only answer to a light where a reed answers to them; of the others it is seen that
    they shine, and not which is whose.
    """
    found: set[Hashable] = {("colours", actual.colour_order)}
    for sensor, led in enumerate(actual.led_of):
        place = sensor if is_readable(actual, sensor) else _UNANSWERED
        found.add(("led", led, _DARK if led in actual.dark else place))
    return found


def _supply(actual: ActualTable) -> set[Hashable]:
    return {("supply", actual.is_supply_weak)}


_LOOKS: tuple[Callable[[ActualTable], AbstractSet[Hashable]], ...] = (
    _cells,
    reed_behaviour,
    _diodes,
    _poles,
    _lights,
    _supply,
)
