"""Naming broken reeds: leaving them out of a reading, and trusting them again once they work."""

from chronotable import match
from chronotable.health import DOES_NOT_CLOSE, HEALED
from chronotable.match import OCCUPIED
from chronotable.sensors import FOCUS, SENSORS, SPACES
from ttykm import layout
from ttykm.layout import RECORD_WORDS

if False:
    from chronotable.guidance import Guidance
    from chronotable.reading import Reading
    from chronotable.sink import Sink


def blame(reading: "Reading", sink: "Sink", sensor: int, record: int, kind: str = "") -> None:
    """Name a broken reed and leave it out; a record says what lies there."""
    sight = reading.sight
    health = sight.health
    if health.kinds[sensor]:
        return
    kind = kind or health.kind_of(sensor, sight.closed())
    health.distrust(sensor, kind)
    table = reading.game.table
    records = table.records
    sight.distrust(sensor, table, record)
    if sensor < SPACES:
        era, bit = sensor >> 4, 1 << (sensor & 15)
        base = record * RECORD_WORDS
        white, black = records[base + era] & bit, records[base + 3 + era] & bit
        sight.belief.set(era, bit, 0 if white else 1 if black else -1)
    sink.fault(sensor, kind)
    if kind == DOES_NOT_CLOSE:
        for other in health.gone_with(sensor, sight.closed()):
            blame(reading, sink, other, record, kind)


def believe(
    reading: "Reading", guidance: "Guidance", record: int, sink: "Sink", spaces_only: bool
) -> bool:
    """Take it that what the lights ask for, a record, lies there, whatever the reeds say.

    With `spaces_only` markers are left out. Returns False when so many reeds cannot be broken at
    once.
    """
    sensors = guidance.sensors()
    if spaces_only:
        sensors = [sensor for sensor in sensors if sensor < SPACES]
    sight = reading.sight
    if not sight.health.may_blame(sensors):
        return False
    for sensor in sensors:
        era, bit = sensor >> 4, 1 << (sensor & 15)
        there = sensor < SPACES and sight.seen[OCCUPIED + era] & bit
        if sensor < SPACES and there and guidance.wanted(era, bit) >= 0:
            sight.belief.set(era, bit, guidance.wanted(era, bit))
        else:
            blame(reading, sink, sensor, record)
    return True


def heal(reading: "Reading", sink: "Sink", now_ms: int) -> None:
    """Trust the reeds again that seem to work and say what the game says."""
    sight, health, state = reading.sight, reading.sight.health, reading.game.state
    table = reading.game.table
    for sensor in range(SENSORS):
        if health.kinds[sensor] and health.may_heal(sensor, now_ms):
            era = sensor >> 4 if sensor < SPACES else (sensor - FOCUS) % 3
            if sensor < SPACES:
                lying = match.lying(table, 0, era)
                there = lying >> (sensor & 15) & 1
            else:
                there = layout.focus(state, (sensor - FOCUS) // 3) == era
            if sight.is_closed(sensor) == bool(there):
                health.heal(sensor)
                sight.trust(sensor)
                sink.fault(sensor, HEALED)
