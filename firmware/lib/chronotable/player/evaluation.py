"""What positions are worth to a player, in points, and the best that a turn tree leads to.

The table's own player needs this (search.py). The weights of a standard game are those of the PC's
engine (weights.json there). Those of games with modules are made by hand, the same for each set:
seven rows do not fit here, and the engine has learned its own from games with these. A test
compares both.
"""

from array import array

from ttykm.mp import const, micropython, ptr8, ptr16, ptr32

# by era: of a copy in the centre, at an edge, in a corner; of an era with copies. Then the supply
# of 0 to 4 pieces, a statue not built yet, an elephant's hat
STANDARD = (170, 92, 93, 34, 133, 102, 68, 61, 125, 100, 82, 4, -438, -180, 11, 207, 400, 0, 0)
MODULES = (97, 79, 62, 41, 84, 64, 66, 19, 37, 14, 8, 102, -188, -84, 3, 91, 177, 60, 20)

WON = const(16000)  # what a won position is worth, less one for each turn until then
SOON = const(15000)  # what is worth more is won

# a table of words: of each row of spaces, by era, 16 words for an outer one and 16 for an inner one
_HELD = const(96)  # by era: that there are copies
SUPPLY = const(99)  # of 0 to 7 pieces
STATUE = const(107)
HAT = const(108)
BEFORE = const(109)  # of each mask of the position that turns are looked at of
_WORDS = const(115)

# an outcome: the words of its state but for the focus, its sequence, and what it is worth
OUTCOME_WORDS = const(9)
OUTCOME_SEQUENCE = const(7)
_OUTCOME_WORTH = const(8)
_ZERO = const(32768)  # as which it stands there


def table_of(weights: "tuple[int, ...]", draw: int = 0) -> "array[int]":
    """Return the table of these weights; a number of `draw` other than 0 varies it by a little.

    So no two games are the same, and each is repeatable.
    """
    table = array("i", bytes(4 * _WORDS))
    for era in range(3):
        centre, edge, corner, table[_HELD + era] = weights[4 * era : 4 * era + 4]
        for row in range(32):
            outside, inside = (centre, edge) if row & 16 else (edge, corner)
            value = 0
            for bit in range(4):
                if row >> bit & 1:
                    value += outside if bit in (1, 2) else inside
            table[32 * era + row] = value
    for pieces in range(8):
        table[SUPPLY + pieces] = weights[12 + min(pieces, 4)]
    table[STATUE], table[HAT] = weights[17:]
    if draw:
        for at in range(_HELD):
            draw = drawn(draw)
            if table[at]:
                table[at] += (draw >> 10) % 5 - 2
    return table


def drawn(draw: int) -> int:
    """Return the number of 20 bits that follows another one by chance; the upper ones serve."""
    return (draw & 0x7FFFF) * 1021 + 31 & 0xFFFFF


def outcomes(room: int) -> "array[int]":
    """Return room for so many outcomes."""
    return array("H", bytes(2 * OUTCOME_WORDS * room))


@micropython.viper
def of_masks(records: ptr16, base: int, table: ptr32) -> int:
    """Note what each of the six masks from word `base` on is worth to its player."""
    for word in range(6):
        mask = records[base + word]
        era = word if word < 3 else word - 3
        row = era << 5
        value = 0
        if mask:
            value = table[_HELD + era] + table[row + (mask & 15)] + table[row + (mask >> 12)]
            value += table[row + 16 + (mask >> 4 & 15)] + table[row + 16 + (mask >> 8 & 15)]
        table[BEFORE + word] = value
    return 0


@micropython.viper
def take(
    records: ptr16,
    begin: int,
    end: int,
    table: ptr32,
    out: ptr16,
    order: ptr8,
    count: int,
    room: int,
) -> int:
    """Add the outcomes of the whole turns among the records `begin`..`end`-1, each once.

    `of_masks` has seen the position. `order` has the numbers of `count` outcomes in `out`, the best
    of them first for the player whose turn it is; the worst are left out where there are more than
    `room`. Returns how many there are then. With modules outcomes that differ in objects alone
    count as one, and hats are not looked at.
    """
    side = (records[6] >> 10) & 1
    for index in range(begin, end):
        base = index << 4
        if records[base + 15] & 1 == 0:
            continue
        meta = records[base + 6]
        value = table[SUPPLY + (meta & 7)] - table[SUPPLY + ((meta >> 3) & 7)]
        value += table[STATUE] * (((meta >> 14) & 1) - ((meta >> 15) & 1))
        held = 0
        for word in range(6):
            mask = records[base + word]
            era = word if word < 3 else word - 3
            worth = table[BEFORE + word]
            if mask != records[word]:
                worth = 0
                if mask:
                    row = era << 5
                    worth = (
                        table[_HELD + era] + table[row + (mask & 15)] + table[row + (mask >> 12)]
                    )
                    worth += table[row + 16 + ((mask >> 4) & 15)]
                    worth += table[row + 16 + ((mask >> 8) & 15)]
            if word < 3:
                value += worth
                held += 1 if mask else 0
            else:
                value -= worth
                held += 16 if mask else 0
        own = held & 15
        other = held >> 4
        if side:
            value = 0 - value
            own = other
            other = held & 15
        if other < 2:
            value = WON
        elif own < 2:
            value = 0 - SOON
        worth = value + _ZERO
        at = count
        while at and out[int(order[at - 1]) * 9 + 8] < worth:
            at -= 1
        known = 0
        before = at
        while before and known == 0:
            before -= 1
            row = int(order[before]) * 9
            if out[row + 8] != worth:
                break
            known = 1
            for word in range(7):
                if out[row + word] != records[base + word]:
                    known = 0
        if known or at == room:
            continue
        number = count
        if count == room:
            number = order[count - 1]
        else:
            count += 1
        before = count - 1
        while before > at:
            order[before] = order[before - 1]
            before -= 1
        order[at] = number
        row = number * 9
        for word in range(8):
            out[row + word] = records[base + word]
        out[row + 8] = worth
    return count


@micropython.viper
def is_among(past: ptr16, states: int, words: int, state: ptr16) -> int:
    """Tell whether a state of so many words is among those of the past."""
    for number in range(states):
        at = number * words
        same = 1
        for word in range(words):
            if past[at + word] != state[word]:
                same = 0
                break
        if same:
            return 1
    return 0


def worth_of(out: "array[int]", number: int) -> int:
    """Return what an outcome is worth to the player whose turn it was."""
    return out[number * OUTCOME_WORDS + _OUTCOME_WORTH] - _ZERO
