"""Naming broken reeds: they are left out until they work again, and are trusted then."""

from chronotable.core import match
from chronotable.core.health import (
    DOES_NOT_CLOSE,
    DOES_NOT_OPEN,
    GHOST,
    HEALED,
    MISWIRED,
    TURNED,
)
from chronotable.core.match import OCCUPIED
from chronotable.hardware.sensors import BUTTON, BUTTONS, FOCUS, SENSORS, SPACES
from ttykm import layout
from ttykm.layout import RECORD_WORDS
from ttykm.mp import const

if False:
    from chronotable.core.evidence import TurnEvidence
    from chronotable.core.guidance import Guidance
    from chronotable.core.health import ReedHealth
    from chronotable.core.matcher import Matcher
    from chronotable.link.listener import TrackerListener

_ONE_BY_ONE = const(3)  # so many sensors may be blamed at once wherever they are
_LINE = const(3)  # so many reeds that do not close make a line that is gone


def blame(
    matcher: "Matcher", listener: "TrackerListener", sensor: int, record: int, kind: str = ""
) -> None:
    """Name a reed as broken and leave it out; what lies there is taken from a record.

    Without a `kind` it is found from what the reed says, or, where wires are wrong, no reed is said
    to be broken. When three reeds of a line do not close, the others of that line are left out with
    them. Where no reed denies the record, but the pole of what lies there, its magnet is turned.
    """
    evidence = matcher.evidence
    health = evidence.health
    if health.kinds[sensor]:
        return
    colour = _colour_in(matcher, record, sensor)
    if not kind and _is_turned(evidence, sensor, colour):
        _trust_magnet_no_more(evidence, listener, sensor, colour)
        return
    if not kind:
        kind = MISWIRED if health.needs_doctor else kind_of(health, sensor, evidence.closed())
    health.distrust(sensor, kind)
    kinds = health.kinds
    if kind == GHOST or (DOES_NOT_OPEN in kinds and DOES_NOT_CLOSE in kinds):
        health.needs_doctor = True
    evidence.distrust(sensor, matcher.game.turn_tree, record)
    if sensor < SPACES:
        evidence.ownership.set(sensor >> 4, 1 << (sensor & 15), colour)
    listener.fault(sensor, kind)
    if kind == DOES_NOT_CLOSE:
        for other in gone_with(health, sensor, evidence.closed()):
            blame(matcher, listener, other, record, kind)


def _colour_in(matcher: "Matcher", record: int, sensor: int) -> int:
    """Return whose copy lies on a space in a record, -1 where none does."""
    base, bit = record * RECORD_WORDS + (sensor >> 4), 1 << (sensor & 15)
    records = matcher.game.turn_tree.records
    if sensor >= SPACES:
        return -1
    return 0 if records[base] & bit else 1 if records[base + 3] & bit else -1


def _is_turned(evidence: "TurnEvidence", sensor: int, colour: int) -> bool:
    """Tell whether the copy of this colour that lies there has its magnet the wrong way round."""
    poles, bit = evidence.poles, 1 << (sensor & 15)
    return poles is not None and colour >= 0 and poles.is_other(sensor >> 4, bit, colour)


def _trust_magnet_no_more(
    evidence: "TurnEvidence", listener: "TrackerListener", sensor: int, colour: int
) -> None:
    evidence.ownership.set(sensor >> 4, 1 << (sensor & 15), colour)
    listener.fault(sensor, TURNED)


def doubt_diodes(evidence: "TurnEvidence", first: int, second: int, held: int) -> None:
    """Take it that a diode is missing if two cells closed at once and complete a rectangle each.

    Hands close one reed at a time. `held` has a bit for each button that was down before.
    """
    closed = evidence.closed()
    closed += [first, second]
    closed += [BUTTON + at for at in range(len(BUTTONS)) if held >> at & 1]
    health = evidence.health
    if _completes_rectangle(health, first, closed) and _completes_rectangle(health, second, closed):
        health.needs_doctor = True


def trust_hands(
    matcher: "Matcher",
    guidance: "Guidance",
    record: int,
    listener: "TrackerListener",
    in_turn: bool,
) -> bool:
    """Take it that what the lights ask for lies there, and blame the reeds that say otherwise.

    Players have said so with button *a*. `record` is what the lights ask for. In a turn no focus
    reed is blamed: a marker may stand where it ends the turn. Nor is any, the first time, where one
    reed is to be closed and another one open: their wires may be exchanged, and the doctor is
    needed; who says it again plays around them. Returns False, with nothing changed, when so many
    reeds cannot be broken at once, or nothing lies there: the table is cleared.
    """
    most = SPACES if in_turn else SENSORS
    sensors = [at for at in range(most) if guidance.take[at] or guidance.put[at]]
    evidence = matcher.evidence
    wanted = {at: guidance.wanted(at >> 4, 1 << (at & 15)) for at in sensors if at < SPACES}
    turned = [at for at in wanted if _is_turned(evidence, at, wanted[at])]
    sensors = [at for at in sensors if at not in turned]
    if matcher.is_bare() or not (may_blame(evidence.health, sensors) or (turned and not sensors)):
        return False
    is_pair = any(guidance.put[at] for at in sensors) and any(guidance.take[at] for at in sensors)
    if is_pair and not evidence.health.needs_doctor:
        evidence.health.needs_doctor = True
        return True
    for sensor in turned:
        _trust_magnet_no_more(evidence, listener, sensor, wanted[sensor])
    for sensor in sensors:
        era, bit = sensor >> 4, 1 << (sensor & 15)
        there = sensor < SPACES and evidence.observed[OCCUPIED + era] & bit
        if there and wanted[sensor] >= 0:
            evidence.ownership.set(era, bit, wanted[sensor])
        else:
            blame(matcher, listener, sensor, record)
    return True


def heal(matcher: "Matcher", listener: "TrackerListener", now_ms: int) -> None:
    """Trust broken reeds again that seem to work and agree with the position of the game."""
    evidence, health, state = matcher.evidence, matcher.evidence.health, matcher.game.state
    tree = matcher.game.turn_tree
    for sensor in range(SENSORS):
        if health.kinds[sensor] and health.may_heal(sensor, now_ms):
            era = sensor >> 4 if sensor < SPACES else (sensor - FOCUS) % 3
            if sensor < SPACES:
                lying = match.lying(tree, 0, era)
                there = lying >> (sensor & 15) & 1
            else:
                there = layout.focus(state, (sensor - FOCUS) // 3) == era
            if evidence.is_closed(sensor) == bool(there):
                health.heal(sensor)
                evidence.trust(sensor)
                listener.fault(sensor, HEALED)


def may_blame(health: "ReedHealth", sensors: "list[int]") -> bool:
    """Tell whether so many reeds can be broken at once: a few, or those of one line."""
    if len(sensors) <= _ONE_BY_ONE:
        return len(sensors) > 0
    return health.shares_a_line(sensors)


def kind_of(health: "ReedHealth", sensor: int, closed: "list[int]") -> str:
    """Return how a reed is broken that is closed, or open, and should not be."""
    if sensor not in closed:
        return DOES_NOT_CLOSE
    return GHOST if _completes_rectangle(health, sensor, closed) else DOES_NOT_OPEN


def gone_with(health: "ReedHealth", sensor: int, closed: "list[int]") -> "list[int]":
    """Return the other reeds of a line of which three do not close and none is `closed`."""
    cells = health.cells
    for shift, mask in health.lines:
        line = cells[sensor] >> shift & mask
        members = [at for at in range(SENSORS) if cells[at] >> shift & mask == line]
        dead = [at for at in members if health.kinds[at] == DOES_NOT_CLOSE]
        if len(dead) >= _LINE and not [at for at in members if at in closed]:
            return [at for at in members if not health.kinds[at]]
    return []


def _completes_rectangle(health: "ReedHealth", sensor: int, closed: "list[int]") -> bool:
    """Tell whether three closed cells and a sensor's are the corners of a rectangle."""
    if len(health.lines) < 2:
        return False
    cells = [health.cells[other] for other in closed]
    row, column = divmod(health.cells[sensor], 8)
    for cell in cells:
        across, down = divmod(cell, 8)
        if across != row and down != column:
            if row * 8 + down in cells and across * 8 + column in cells:
                return True
    return False
