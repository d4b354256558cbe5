"""What a doctor has to find on a table, worked out from the faults and not from what it does.

What hides behind another fault is not due (`chronotable_host.virtual.faulty.observations`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chronotable.hardware.naming import sensor_name
from chronotable.hardware.sensors import INPUTS, SENSORS
from chronotable.hardware.wiring import Board
from chronotable_host.virtual.faulty import faults as kinds
from chronotable_host.virtual.faulty.faults import ActualTable, PlantedFault
from chronotable_host.virtual.faulty.observations import (
    is_readable,
    observations,
    reed_behaviour,
    visible,
)

_O, _C, _F, _P = "ocfp"  # kinds of reeds in doubt, as `chronotable.core.health` names them


def due(board: Board, faults: Sequence[PlantedFault]) -> set[PlantedFault]:
    """Return the findings that are due, in the words of the doctor."""
    return set(in_words(visible(board, faults)))


def in_words(faults: Iterable[PlantedFault]) -> list[PlantedFault]:
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


def _cycles(exchanges: list[PlantedFault], moved: str) -> list[PlantedFault]:
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
            told.append(PlantedFault(moved, number, at))
    return told


# ---- what is left behind on the table


def doubted(actual: ActualTable) -> dict[str, str]:
    """Return the reeds that a game must not trust, and how: o, c or f."""
    restless = {sign[1] for sign in reed_behaviour(actual)}
    found: dict[str, str] = {}
    for sensor in range(SENSORS):
        kind = ""
        if actual.is_cut(sensor) or sensor in actual.stuck_open:
            kind = _C
        elif sensor in actual.stuck_closed:
            kind = _O
        elif sensor in restless:
            kind = _F
        elif sensor in actual.wrong_poles:
            kind = _P
        for stuck in (True, False):
            if not kind and {(sensor, 0), (sensor, 1)} & {
                at for at, how in actual.stuck_outputs.items() if how == stuck
            }:
                kind = _O if stuck else _C
        if kind:
            found[sensor_name(sensor)] = kind
    return found


def wrong_in(actual: ActualTable, learned: Board) -> list[str]:
    wrong = [
        f"cell of {sensor}"
        for sensor in range(INPUTS)
        if is_readable(actual, sensor) and learned.cell_of[sensor] != actual.cell_of[sensor]
    ]
    wrong += [
        f"LED of {sensor}"
        for sensor in range(SENSORS)
        if actual.led_of[sensor] not in actual.dark
        and learned.led_of[sensor] != actual.led_of[sensor]
    ]
    if learned.colour_order != actual.colour_order:
        wrong.append("colours")
    return wrong


def explains(board: Board, told: Iterable[PlantedFault], actual: ActualTable) -> bool:
    """Tell whether findings describe a table of which nothing can be seen that is not so here.

    Only a doctor that says it in no more findings than there are faults has found them.
    """
    said = [fault for fault in told if fault.kind not in (kinds.MOVED, kinds.LED_MOVED)]
    if len(said) != len(list(told)):
        return False
    return observations(ActualTable(board, said)) == observations(actual)


def is_complete(actual: ActualTable) -> bool:
    """Tell whether everything can be learned: all switches answer, all LEDs shine."""
    return not actual.dark and all(is_readable(actual, sensor) for sensor in range(INPUTS))
