"""What a doctor has to find on a table, worked out from its faults and from nothing that it does.

One rule: a fault is due if the table without it could be told from the table with it by anything
that hands and eyes can do to the whole table. So what hides behind something else is not due, such
as a reed that never closes in a row that is cut, and nobody has to think of all such pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from chronotable.naming import sensor_name
from chronotable.sensors import INPUTS, SENSORS
from chronotable.wiring import COLUMNS, Board
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import Fault
from chronotable_host.virtual.faulty.truth import Truth

_DARK = -1
_UNANSWERED = -2

Signs = frozenset[Hashable]
"""Everything that can be seen of a table, one entry for each sign."""

_O, _C, _F = "ocf"  # kinds of reeds in doubt, as `chronotable.health` names them


def due(board: Board, faults: Sequence[Fault]) -> set[Fault]:
    """Return the findings that are due, in the words of the doctor."""
    return set(in_words(visible(board, faults)))


def visible(board: Board, faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults that do not hide behind others."""
    whole = signs(Truth(board, faults))
    return [
        fault
        for fault in faults
        if signs(Truth(board, [other for other in faults if other != fault])) != whole
    ]


def in_words(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults as they are told: exchanges that share a reed are a cycle, told one by one."""
    told = [fault for fault in faults if fault.kind not in _PAIRS]
    for kind, moved in _PAIRS.items():
        told += _cycles([fault for fault in faults if fault.kind == kind], moved)
    return told


_PAIRS = {
    kinds.EXCHANGED: kinds.MOVED,
    kinds.LED_EXCHANGED: kinds.LED_MOVED,
    kinds.BUTTON_EXCHANGED: kinds.MOVED,
}


def _cycles(exchanges: list[Fault], moved: str) -> list[Fault]:
    shared = {
        number
        for fault in exchanges
        for number in fault[1:]
        if sum(number in other[1:] for other in exchanges) > 1
    }
    alone = [fault for fault in exchanges if not shared & set(fault[1:])]
    chained = [fault for fault in exchanges if fault not in alone]
    told = list(alone)
    for number in sorted({number for fault in chained for number in fault[1:]}):
        at = number
        for fault in chained:
            if at in fault[1:]:
                at = fault.second if at == fault.first else fault.first
        if at != number:
            told.append(Fault(moved, number, at))
    return told


# ---- what can be seen


def signs(truth: Truth) -> Signs:
    """Return everything that hands and eyes can find out about a table."""
    found: set[Hashable] = set()
    for look in _LOOKS:
        found |= look(truth)
    return frozenset(found)


def is_readable(truth: Truth, sensor: int) -> bool:
    """Tell whether a switch can be felt to close and open."""
    is_stuck = sensor in truth.stuck_open | truth.stuck_closed
    return not is_stuck and not truth.is_cut(sensor)


def _cells(truth: Truth) -> set[Hashable]:
    """Where each switch answers, and where it is always closed."""
    found: set[Hashable] = set()
    for sensor in range(INPUTS):
        if is_readable(truth, sensor):
            found.add(("answers", sensor, truth.cell_of[sensor]))
        elif sensor in truth.stuck_closed and not truth.is_cut(sensor):
            found.add(("closed", truth.cell_of[sensor]))
    return found


def _manners(truth: Truth) -> set[tuple[str | int, ...]]:
    """How each reed answers; one that trembles hides that it also opens when slid over."""
    found: set[tuple[str | int, ...]] = set()
    for sensor in range(SENSORS):
        if not is_readable(truth, sensor):
            continue
        if sensor in truth.flickers:
            found.add(("flickers", sensor))
        elif sensor in truth.weak:
            found.add(("weak", sensor))
        of = truth.nosy.get(sensor)
        if of is not None and is_readable(truth, of) and sensor not in truth.flickers:
            found.add(("nosy", sensor, of))
    return found


def _diodes(truth: Truth) -> set[Hashable]:
    """Whose diode is bridged: with two more magnets a fourth cell closes."""
    readable = [sensor for sensor in range(SENSORS) if is_readable(truth, sensor)]
    at = {truth.cell_of[sensor]: sensor for sensor in readable}
    found: set[Hashable] = set()
    for bare in truth.bare & set(readable):
        row, column = divmod(truth.cell_of[bare], COLUMNS)
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


def _lights(truth: Truth) -> set[Hashable]:
    """Which LED of the chain shines where, and in which colours.

    Hands can only answer to a light where a reed answers to them; of the others it is seen that
    they shine, and not which is whose.
    """
    found: set[Hashable] = {("colours", truth.colour_order)}
    for sensor, led in enumerate(truth.led_of):
        place = sensor if is_readable(truth, sensor) else _UNANSWERED
        found.add(("led", led, _DARK if led in truth.dark else place))
    return found


def _supply(truth: Truth) -> set[Hashable]:
    return {("supply", truth.is_supply_weak)}


_LOOKS: tuple[Callable[[Truth], AbstractSet[Hashable]], ...] = (
    _cells,
    _manners,
    _diodes,
    _lights,
    _supply,
)


# ---- what is left behind on the table


def doubted(truth: Truth) -> dict[str, str]:
    """Return the reeds that a game must not trust, and how: o, c or f."""
    restless = {sign[1] for sign in _manners(truth)}
    found: dict[str, str] = {}
    for sensor in range(SENSORS):
        kind = ""
        if truth.is_cut(sensor) or sensor in truth.stuck_open:
            kind = _C
        elif sensor in truth.stuck_closed:
            kind = _O
        elif sensor in restless:
            kind = _F
        if kind:
            found[sensor_name(sensor)] = kind
    return found


def wrong_in(truth: Truth, learned: Board) -> list[str]:
    """Return what a board that was learned has wrong of what could be learned."""
    wrong = [
        f"cell of {sensor}"
        for sensor in range(INPUTS)
        if is_readable(truth, sensor) and learned.cell_of[sensor] != truth.cell_of[sensor]
    ]
    wrong += [
        f"LED of {sensor}"
        for sensor in range(SENSORS)
        if truth.led_of[sensor] not in truth.dark and learned.led_of[sensor] != truth.led_of[sensor]
    ]
    if learned.colour_order != truth.colour_order:
        wrong.append("colours")
    return wrong


def explains(board: Board, told: Iterable[Fault], truth: Truth) -> bool:
    """Tell whether findings describe a table of which nothing can be seen that is not so here.

    Only a doctor that says it in no more findings than there are faults has found them.
    """
    said = [fault for fault in told if fault.kind not in (kinds.MOVED, kinds.LED_MOVED)]
    if len(said) != len(list(told)):
        return False
    return signs(Truth(board, said)) == signs(truth)


def is_complete(truth: Truth) -> bool:
    """Tell whether everything can be learned: all switches answer, all LEDs shine."""
    return not truth.dark and all(is_readable(truth, sensor) for sensor in range(INPUTS))
