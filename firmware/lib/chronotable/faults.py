"""Naming broken reeds: they are left out until they work again, and are trusted then."""

from chronotable import match
from chronotable.health import DOES_NOT_CLOSE, DOES_NOT_OPEN, GHOST, HEALED
from chronotable.match import OCCUPIED
from chronotable.sensors import FOCUS, SENSORS, SPACES
from ttykm import layout
from ttykm.layout import RECORD_WORDS

if False:
    from chronotable.guidance import Guidance
    from chronotable.listener import TrackerListener
    from chronotable.matcher import Matcher


def blame(
    matcher: "Matcher", listener: "TrackerListener", sensor: int, record: int, kind: str = ""
) -> None:
    """Name a reed as broken and leave it out; what lies there is taken from a record.

    Without a `kind` it is found from what the reed says. When three reeds of a line do not close,
    the others of that line are left out with them.
    """
    evidence = matcher.evidence
    health = evidence.health
    if health.kinds[sensor]:
        return
    kind = kind or health.kind_of(sensor, evidence.closed())
    health.distrust(sensor, kind)
    kinds = health.kinds
    if kind == GHOST or (DOES_NOT_OPEN in kinds and DOES_NOT_CLOSE in kinds):
        health.needs_doctor = True
    tree = matcher.game.turn_tree
    records = tree.records
    evidence.distrust(sensor, tree, record)
    if sensor < SPACES:
        era, bit = sensor >> 4, 1 << (sensor & 15)
        base = record * RECORD_WORDS
        white, black = records[base + era] & bit, records[base + 3 + era] & bit
        evidence.ownership.set(era, bit, 0 if white else 1 if black else -1)
    listener.fault(sensor, kind)
    if kind == DOES_NOT_CLOSE:
        for other in health.gone_with(sensor, evidence.closed()):
            blame(matcher, listener, other, record, kind)


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
    sensors = guidance.sensors()
    if in_turn:
        sensors = [sensor for sensor in sensors if sensor < SPACES]
    evidence = matcher.evidence
    if matcher.is_bare() or not evidence.health.may_blame(sensors):
        return False
    is_pair = any(guidance.put[at] for at in sensors) and any(guidance.take[at] for at in sensors)
    if is_pair and not evidence.health.needs_doctor:
        evidence.health.needs_doctor = True
        return True
    for sensor in sensors:
        era, bit = sensor >> 4, 1 << (sensor & 15)
        there = sensor < SPACES and evidence.observed[OCCUPIED + era] & bit
        if there and guidance.wanted(era, bit) >= 0:
            evidence.ownership.set(era, bit, guidance.wanted(era, bit))
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
