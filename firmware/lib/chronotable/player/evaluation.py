"""What turns are worth to who takes them, in points, and the best that a turn tree leads to.

The table's own player needs this (search.py, search_modules.py). A board is seen line by line: what
lies in a row or a column has a weight for each era and for whose focus is there, the same from both
ends, outer lines and inner ones apart; so has how many copies each player has on the board. The
weights (weights.py) are learned from games of the PC's engine; those of what the modules add are
made by hand.
"""

from array import array

from chronotable.player.weights import SUPPLY, WEIGHTS
from ttykm.mp import const, micropython, ptr8, ptr16, ptr32

WON = const(16000)  # what a won position is worth, less one for each turn until then
SOON = const(15000)  # what is worth more is won

_STATUE = const(60)  # points, of one that is not built yet
HAT = const(20)  # of an elephant's

# the letters of weights.py: which line it is, by what lies on four spaces in threes, beginning
# with 35; then, three points from one to the next and 80 for none, by whether the focus of who
# moves next is there: outer lines, then inner ones; and by era and that: numbers of copies. Each is
# a pair, for the focus of who acted being elsewhere or there
_FIRST = const(35)
_LINES = const(81)
_OF_FOCUS = const(180)
_HALF = const(45)  # outer lines are two and two letters, as inner ones are
_COUNTS = const(441)

# a table of words: for copies on four spaces of a line their threes, and 256 times how many;
# supplies; what varies it; by era what a focus there adds; what is looked for (search.py) and how
# much was done; by whether it is an inner one, a line's weights, a byte each: without the focus and
# with it, and both once more; behind them, by era and focus and so many times, a board and what it
# is worth
_SUPPLY = const(16)
_DRAW = const(21)
_THERE = const(22)
WORK = const(25)  # records that were looked at
FIRST = const(26)  # the copy with which a look begins
ROOM = const(27)
ENOUGH = const(28)  # what an outcome is worth, as it stands there, that ends a look
_KEEPS = const(29)  # one less than so many boards of each kind are kept, a power of two
_PAIRS = const(30)
_KEPT = const(192)
_MEAN = const(0x4000)  # added to what a board is worth where it is kept, so that it is not negative

# an outcome: the words of its state with the new focus, its sequence, and what it is worth
OUTCOME_WORDS = const(9)
ZERO = const(32768)  # as which it stands there

BETTER_FOCUS = const(512)  # added to a room: an outcome stands there once, with its better focus


def table_of(keeps: int = 2) -> "array[int]":
    """Return a table. By era and focus so many boards, a power of two, stay with their worth there.

    More of them save time.
    """
    table = array("i", bytes(4 * (_KEPT + 12 * keeps)))
    for space in range(4):
        for places in range(16):
            if places >> space & 1:
                table[places] += 256 + 3**space
    for pieces, value in enumerate(SUPPLY):
        table[_SUPPLY + pieces] = value
    table[_KEEPS] = keeps - 1
    for at in range(2 * _LINES):
        word = _LINES + 2 * (at // _LINES * _HALF + WEIGHTS[at % _LINES] - _FIRST)
        for byte in range(4):  # the second pair of a line begins where those at a focus do
            weight = WEIGHTS[word + byte // 2 + byte % 2 * _OF_FOCUS]
            table[_PAIRS + at] += weight << (8 * byte)
    vary(table, 0)
    return table


def vary(table: "array[int]", draw: int) -> None:
    """Begin anew; a number of `draw` other than 0 varies what boards are worth by a little.

    So no two games are the same, and each is repeatable.
    """
    table[_DRAW] = draw and draw & 0xFFF | 1
    table[WORK] = table[FIRST] = 0
    for at in range(_KEPT, len(table), 2):
        table[at] = -1  # other than all boards: no player has all of its spaces


def drawn(draw: int) -> int:
    """Return the number of 20 bits that follows another one by chance; the upper ones serve."""
    return (draw & 0x7FFFF) * 1021 + 31 & 0xFFFFF


def outcomes(room: int) -> "array[int]":
    """Return room for so many outcomes."""
    return array("H", bytes(2 * OUTCOME_WORDS * room))


@micropython.viper
def take(
    records: ptr16,
    begin: int,
    end: int,
    weights: ptr8,
    table: ptr32,
    out: ptr16,
    order: ptr8,
    count: int,
    room: int,
) -> int:
    """Add the outcomes of the whole turns among the records `begin`..`end`-1, each once.

    `order` has the numbers of `count` outcomes in `out`, the best of them first for the player
    whose turn it is; the worst are left out where there are more than `room`. Returns how many
    there are then. With modules outcomes that differ in objects alone count as one, and hats are
    not looked at.
    """
    meta = records[6]
    side = (meta >> 10) & 1
    mine = 3 * side
    theirs = 3 - mine
    shift = 6 + 2 * side
    here = (meta >> shift) & 3
    their_focus = (meta >> (14 - shift)) & 3
    most = room & 255
    keeps = table[_KEEPS]
    table[WORK] += end - begin
    for index in range(begin, end):
        base = index << 4
        if records[base + 15] & 1 == 0:
            continue
        meta = records[base + 6]
        total = table[_SUPPLY + ((meta >> mine) & 7)] - 3 * _MEAN
        total -= table[_SUPPLY + ((meta >> theirs) & 7)]
        total += _STATUE * (((meta >> (14 + side)) & 1) - ((meta >> (15 - side)) & 1))
        held = 0
        for era in range(3):
            own = records[base + mine + era]
            other = records[base + theirs + era]
            held += (1 if own else 0) + (16 if other else 0)
            kind = 2 * era + (1 if era == their_focus else 0)
            board = own + (other << 1)
            kept = _KEPT + 2 * (kind * (keeps + 1) + (((board * 2533) >> 9) & keeps))
            key = ((own - 0x8000) << 16) + other
            if table[kept] != key:
                table[kept] = key
                byte = (kind & 1) << 3  # which two of a line's weights
                worth = 0
                copies = 0
                others = 0
                for across in range(4):
                    places = table[(own >> (4 * across)) & 15]
                    seen = table[(other >> (4 * across)) & 15]
                    copies += places
                    others += seen
                    word = _PAIRS + (_LINES if (across + 1) & 2 else 0)
                    worth += table[word + ((places + places + seen) & 255)] >> byte & 0x7F007F
                    places = table[((((own >> across) & 0x1111) * 0x1248) >> 12) & 15]
                    seen = table[((((other >> across) & 0x1111) * 0x1248) >> 12) & 15]
                    worth += table[word + ((places + places + seen) & 255)] >> byte & 0x7F007F
                copies = copies >> 8
                others = others >> 8
                word = _COUNTS + kind * 50
                word += 10 * (others if others < 4 else 4) + 2 * (copies if copies < 4 else 4)
                there = (worth >> 16) + weights[word + 1]
                worth = (worth & 0xFFFF) + weights[word]
                there = 3 * (there - worth)
                worth = 3 * (worth - 720) + (((board * table[_DRAW]) >> 11) & 7) + _MEAN
                table[kept + 1] = (there << 16) + worth
            worth = table[kept + 1]
            total += worth & 0xFFFF
            table[_THERE + era] = worth >> 16
        for which in range(2):
            focus = here + 1 + which
            focus -= 3 if focus > 2 else 0
            worth = table[_THERE + focus]
            if room & 512 and table[_THERE + 3 - here - focus] + which > worth:
                continue
            worth += total
            if held < 32:
                worth = WON
            elif held & 15 < 2:
                worth = 0 - SOON
            meta = (meta & (0xFFFF ^ (3 << shift))) | (focus << shift)
            worth += ZERO
            at = count
            while at and out[int(order[at - 1]) * 9 + 8] < worth:
                at -= 1
            if at == most:
                continue
            known = 0
            before = at
            while before and known == 0:
                before -= 1
                row = int(order[before]) * 9
                if out[row + 8] != worth:
                    break
                known = 1 if out[row + 6] == meta else 0
                for word in range(6):
                    if out[row + word] != records[base + word]:
                        known = 0
            if known:
                continue
            number = count
            if count == most:
                number = order[count - 1]
            else:
                count += 1
            before = count - 1
            while before > at:
                order[before] = order[before - 1]
                before -= 1
            order[at] = number
            row = number * 9
            for word in range(6):
                out[row + word] = records[base + word]
            out[row + 6] = meta
            out[row + 7] = records[base + 7]
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


@micropython.viper
def turn_of(out: ptr16, number: int) -> int:
    """Return the turn of an outcome, packed."""
    row = number * 9
    meta = out[row + 6]
    return ((meta >> (6 + ((meta >> 9) & 2))) & 3) << 16 | out[row + 7]


@micropython.viper
def worth_of(out: ptr16, number: int) -> int:
    """Return what an outcome is worth to the player whose turn it was."""
    return out[number * 9 + 8] - ZERO
