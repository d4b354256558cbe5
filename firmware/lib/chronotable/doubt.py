"""Which turns may have been meant: the candidates for a question, likeliest first.

A candidate is (packed turn, sensors that would be broken). Exact turns come before those that are
one reed away; those before whatever a marker may mean that is felt nowhere, or twice.
"""

from array import array

from chronotable import match
from chronotable.sensors import FOCUS
from ttykm import layout
from ttykm.layout import COMPLETE, PARENT, RECORD_WORDS, SEQUENCE, STATE_WORDS, STATUS
from ttykm.mp import const

if False:
    from chronotable.sight import Sight
    from ttykm.game import Game

    Candidate = tuple[int, tuple[int, ...]]

MISSED = const(16)  # from here on the evidence against a record says: not touched and had to be
_NEEDLESS = const(15)
_MOST = const(9)  # three questions


def exact(game: "Game", sight: "Sight", costs: bytearray, best: int) -> "list[int]":
    """Return the whole records that lie there exactly and lead to different positions.

    `best` comes first. A rival is out when a reed says that it is: one that had to be touched and
    was not, or, when nothing at all speaks against the best, one touched without need. That is not
    held against a rival that ends on another space which cannot be felt, or that is out and back
    after an excursion whose touches were forgotten.
    """
    table = game.table
    found = [best]
    out: list[int] = []
    known = array("H", bytes(2 * _MOST))
    known[0] = best
    cost = costs[2 * best + 1]
    while len(found) < _MOST:
        other = match.rival(table.records, table.end, known, len(found), costs)
        if other < 0:
            break
        against = costs[2 * other + 1]
        if against >= MISSED:
            break
        known[len(found)] = other
        found.append(other)
        if cost == 0 and against > 0 and not _is_hidden(table.records, sight, best, other):
            out.append(other)
    return [index for index in found if index not in out]


def _is_hidden(records: "array[int]", sight: "Sight", best: int, other: int) -> bool:
    """Tell whether a record may be the truth although touches speak against it only."""
    if sight.went_out and same_position(records, other, 0):
        return True
    a, b = best * RECORD_WORDS, other * RECORD_WORDS
    for word in range(6):
        if (records[a + word] ^ records[b + word]) & sight.health.distrusted[word % 3]:
            return True
    return False


def near(
    game: "Game", sight: "Sight", costs: bytearray, now_ms: int, most: int
) -> "list[tuple[int, int, int]]":
    """Return (needless touches, record, sensor) of the whole records one unproven reed away.

    Only those with at most `most` needless touches, and with nothing missed but the sensor.
    """
    table = game.table
    records = table.records
    found = []
    for index in range(table.end):
        if costs[2 * index] != 1 or costs[2 * index + 1] >= 2 * MISSED:
            continue
        if not records[index * RECORD_WORDS + STATUS] & COMPLETE:
            continue
        sensor = _differing(records, index, sight)
        era, bit = sensor >> 4, 1 << (sensor & 15)
        needless = costs[2 * index + 1] & _NEEDLESS
        if costs[2 * index + 1] >= MISSED and sight.seen[match.TOUCHED + era] & bit:
            continue  # what was missed is another space
        if sight.seen[match.COUNTED + era] & bit and not _needs(records, index, era, bit):
            needless -= 1
        if needless <= most and sight.is_unproven(sensor, now_ms):
            found.append((needless, index, sensor))
    found.sort()
    return found


def _differing(records: "array[int]", index: int, sight: "Sight") -> int:
    """Return the one space where a record's presence is not what is felt."""
    base = index * RECORD_WORDS
    seen = sight.seen
    for era in range(3):
        there = records[base + era] | records[base + 3 + era]
        mask = (there ^ seen[match.OCCUPIED + era]) & seen[match.TRUSTED + era]
        if mask:
            space = 0
            while not mask >> space & 1:
                space += 1
            return era << 4 | space
    return 0


def _needs(records: "array[int]", index: int, era: int, bit: int) -> bool:
    """Tell whether a space may, or must, have been touched for a record."""
    base = index * RECORD_WORDS
    needed = records[base + layout.TOUCHED + era]
    for word in (era, 3 + era):
        needed |= records[base + word] ^ records[word]
    return needed & bit != 0


def same_position(records: "array[int]", one: int, other: int) -> bool:
    """Tell whether two records lead to the same position, their focus aside."""
    a, b = one * RECORD_WORDS, other * RECORD_WORDS
    for word in range(STATE_WORDS):
        if records[a + word] != records[b + word]:
            return False
    return True


def turns(
    game: "Game",
    focus: int,
    whole: "list[int]",
    others: "list[tuple[int, int, int]]",
) -> "list[Candidate]":
    """Return the candidates of exact and near records, each position once."""
    records = game.table.records
    found: list[Candidate] = []
    known: list[int] = []
    near_ones = [(index, (sensor,)) for _, index, sensor in others]
    nobody: tuple[int, ...] = ()
    for index, blamed in [(index, nobody) for index in whole] + near_ones:
        if len(found) == _MOST:
            break
        if not any(same_position(records, index, other) for other in known):
            known.append(index)
            found.append((focus << 16 | records[index * RECORD_WORDS + SEQUENCE], blamed))
    return found


def shifts(game: "Game", sight: "Sight", whole: int, told: bool) -> "list[Candidate]":
    """Return where the mover's marker may stand when it is felt nowhere, or on several spots.

    `told` says that the players say that the turn is over: then it need not be felt at home.
    """
    mover = game.mover
    home = layout.focus(game.state, mover)
    spots = sight.spots(mover)
    unfelt = sight.health.markers >> 3 * mover & 7
    away = [era for era in range(3) if era != home]
    first = FOCUS + 3 * mover
    sequence = game.table.records[whole * RECORD_WORDS + SEQUENCE]
    felt = [era for era in away if spots >> era & 1]
    eras = felt or away
    if not spots and not told:
        eras = [era for era in away if unfelt >> era & 1]
        if not eras and not unfelt:
            eras = away
    elif not felt and not told:
        eras = []
    found: list[Candidate] = []
    for era in eras:
        blamed = [at for at in range(3) if spots >> at & 1 and at != era]
        if not (spots | unfelt) >> era & 1:
            blamed.append(era)
        found.append((era << 16 | sequence, tuple([first + at for at in blamed])))
    return found


def acts_unfelt(game: "Game", sight: "Sight", index: int) -> bool:
    """Tell whether the copy of a record starts from a space that cannot be felt."""
    table = game.table
    here = layout.focus(game.state, game.mover)
    space = table.records[index * RECORD_WORDS + SEQUENCE] >> 12
    return sight.health.distrusted[here] >> space & 1 != 0


def stays(game: "Game", index: int) -> bool:
    """Tell whether the copy that acts in a record still lies where it was before the turn."""
    table = game.table
    records = table.records
    base = index * RECORD_WORDS
    bit = 1 << (records[base + SEQUENCE] >> 12)
    if index >= table.seconds:
        base = records[base + PARENT] * RECORD_WORDS
    mover = game.mover
    here = layout.focus(game.state, mover)
    return records[base + 3 * mover + here] & bit != 0
