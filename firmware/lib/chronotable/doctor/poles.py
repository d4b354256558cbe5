"""The step for sensors of polarity: a copy of the other player's visits each space.

The magnet of the step `reeds` has shown one of the two outputs of each sensor; this one shows the
other. Whose copy to take say the focus spots of that player, which are white: so it comes when it
is known which light is where.
"""

from chronotable.doctor import kinds
from chronotable.doctor.examination import POLES, UNTOLD, Examination
from chronotable.doctor.lamps import BREATH, GOOD, TAKE, WHITE
from chronotable.hardware.sensors import FOCUS, SPACES
from ttykm.mp import const

if False:
    from collections.abc import Generator, Iterator

_SILENT = const(3)
_UNSEEN = const(4)
_LAIN_MS = const(300)
_HELD_MS = const(8000)
_SURE = const(3)  # so many spaces make a magnet, or a chip, a bad one
_COPIES = const(2)  # are tried of a player before it is left


def poles(w: Examination) -> "Iterator[None]":
    """Have a copy of the other player's put on each space, and tell what is wrong with outputs."""
    if not w.has_poles:
        return
    felt = list(w.poles)
    first = 1 if felt.count(1) > felt.count(0) else 0  # whose pole the first magnet has up
    player = 1 - first
    seen = bytearray([_UNSEEN] * SPACES)
    spaces = [s for s in range(SPACES) if _is_due(w, s)]
    w.begin(POLES + 1 - player, len(spaces))
    for _ in range(_COPIES):
        turned = yield from _visit_all(w, player, spaces, seen)
        if not turned:
            break
        w.find(kinds.MAGNET_TURNED, player)
    if turned:
        seen = bytearray([_UNSEEN] * SPACES)
    _judge(w, first, spaces, seen)


def _is_due(w: Examination, sensor: int) -> bool:
    """Tell whether a space has two outputs of which something can be learned."""
    if sensor in w.board.presence_only or w.unseen[sensor]:
        return False
    return w.faults.get(sensor, kinds.WEAK) in (kinds.STUCK_OPEN, kinds.ROW_CUT, kinds.WEAK)


def _visit_all(
    w: Examination, player: int, spaces: "list[int]", seen: bytearray
) -> "Generator[None, None, bool]":
    """Note in `seen` whose pole is felt at each space; those that surprise come once more.

    Returns True as soon as the magnet proves to be the wrong way round.
    """
    late: list[int] = []
    others = 0  # spaces in a row that feel the first magnet's pole
    for again in (False, True):
        if again:
            w.once_more(len(late))
        for w.done, sensor in enumerate(late if again else spaces):
            if w.is_ended or _is_chip_silent(w, sensor, seen):
                seen[sensor] = _UNSEEN if w.is_ended else _SILENT
                continue
            pole = yield from _visit(w, sensor, player)
            seen[sensor] = pole
            others = others + 1 if pole == 1 - player == w.poles[sensor] else 0
            if others >= _SURE:
                return True
            if not again and pole not in (player, _UNSEEN):
                late.append(sensor)
    return False


def _is_chip_silent(w: Examination, sensor: int, seen: bytearray) -> bool:
    """Tell whether nothing answers at the inputs of the chip that this output is connected to."""
    chip = w.cells.known[sensor] >> 3
    there = [seen[s] for s in range(SPACES) if w.cells.known[s] >> 3 == chip and s != sensor]
    return there.count(_SILENT) >= _SURE and not [pole for pole in there if pole < _SILENT]


def _visit(w: Examination, sensor: int, player: int) -> "Generator[None, None, int]":
    """Have a copy put on a space and lifted; return whose it is felt as, or why that is unknown."""
    states = w.states
    cell = w.cells.known[sensor]
    w.ask("p", sensor, (sensor,))
    for spot in range(FOCUS + 3 * player, FOCUS + 3 * player + 3):
        w.show(spot, WHITE)
    w.show(sensor, BREATH)
    while not states.closed[cell] or w.now - states.since[cell] < _LAIN_MS:
        yield
        states.take()
        if w.gave_up():
            return _UNSEEN if w.is_silent or w.is_ended else _SILENT
    pole = w.pole(cell)
    w.ask("l", sensor)
    w.show(sensor, GOOD)
    while states.closed[cell] and not w.gave_up():
        yield
        states.take()
        if w.asks == "l" and w.waited() >= _HELD_MS:
            w.ask("z", sensor, (sensor,))
            w.show(sensor, TAKE)
    return pole


def _judge(w: Examination, first: int, spaces: "list[int]", seen: bytearray) -> None:
    """Tell what both magnets have shown; of what never closes, or never opens, `reeds` has not."""
    silent = [s for s in spaces if seen[s] == _SILENT and s not in w.faults]
    for chip in range(8):
        there = [s for s in spaces if w.cells.known[s] >> 3 == chip]
        gone = [s for s in there if s in silent]
        if (3, chip) in w.cut and [s for s in there if seen[s] < _SILENT]:
            w.cut.remove((3, chip))  # only one of its two chips
            w.find(kinds.CHIP_DEAD, 2 * chip + first, 1)
        if len(gone) >= _SURE and len(gone) == len(there):
            w.find(kinds.CHIP_DEAD, 2 * chip + 1 - first, 1)
            for sensor in gone:
                w.faults[sensor] = kinds.CHIP_DEAD
    for sensor in range(SPACES):
        fault, pole = w.faults.get(sensor, -1), seen[sensor]
        is_felt, poles = pole < _SILENT, (w.poles[sensor], pole)
        if fault == kinds.STUCK_CLOSED:
            stuck = w.pole(w.cells.known[sensor])
            if stuck == UNTOLD:
                w.find(fault, sensor)
            else:
                w.faults[sensor] = kinds.OUTPUT_STUCK
                w.find(kinds.OUTPUT_STUCK, sensor, stuck)
        elif fault == kinds.STUCK_OPEN and not is_felt:
            w.find(fault, sensor)
        elif fault == kinds.STUCK_OPEN or (sensor in silent and fault < 0):
            w.faults[sensor] = kinds.OUTPUT_DEAD
            w.find(kinds.OUTPUT_DEAD, sensor, 1 - first if fault < 0 else first)
        elif fault == kinds.ROW_CUT:
            continue
        elif is_felt and (UNTOLD in poles or poles == (1 - first, first)):
            w.wrong_poles.append(sensor)
            w.find(kinds.POLES_WRONG, sensor)
        elif is_felt and poles[0] == poles[1]:
            pole = _UNSEEN  # hands took another magnet than was asked for, here or before
        if sensor in spaces and pole == _UNSEEN:
            w.leave_out(sensor)
