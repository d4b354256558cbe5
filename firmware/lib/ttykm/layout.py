"""How a position lies in memory: words of 16 bits in an `array('H')`.

A *state* is the first `STATE_WORDS` of a *record*; a record adds what a partial turn needs.
Masks have one bit per space of an era, bit 0 for space 1 (T1). What
the modules add lies in words of its own (objects.py).

Players are WHITE 0 and BLACK 1, eras PAST 0, PRESENT 1 and FUTURE 2.
A *place* is era * 16 + space, 0..47; `GONE` stands for no place (nobody acts, or the copy died).
An *action* is a code from 1; a *turn* packs copy, two actions and the new focus into 18 bits:
`focus << 16 | space << 12 | action1 << 6 | action2`, all but the focus 0 where nobody acts (T10).
"""

from array import array

from ttykm.mp import const

WHITE = const(0)
BLACK = const(1)
NOBODY = const(-1)

PAST = const(0)
PRESENT = const(1)
FUTURE = const(2)

# words of a state: the copies of white in the three eras, those of black, and the rest
COPIES = const(0)
META = const(6)
STATE_WORDS = const(7)

# META, from bit 0: supply of white (3 bits) and black (3), focus of white (2) and black (2), mover
SUPPLY_BITS = const(3)
FOCUS_SHIFT = const(6)
MOVER_SHIFT = const(10)

# further words of a record
SEQUENCE = const(7)  # space << 12 | action1 << 6 | action2
ACTIVE = const(8)  # place of the active copy, or GONE
EFFECTS = const(9)  # of the last action, as below
TARGET = const(10)  # place that the last action aims at
TOUCHED = const(11)  # three masks: every space that a hand may touch to act the turn out so far
PARENT = const(14)  # index of the record before the last action
STATUS = const(15)  # as below
RECORD_WORDS = const(16)

GONE = const(63)

# effects of an action
PUSH = const(1)
SQUISH = const(2)
PARADOX = const(4)
OWN_DEATH = const(8)  # one of the mover's copies dies
ACTIVE_DIES = const(16)
CRUSH = const(32)  # by a falling tree (G11)
TRAMPLE = const(64)  # by an elephant (M7)

# status of a record
COMPLETE = const(1)  # the actions are a whole turn, up to the shift of the focus (T11, T14)
BARRED = const(2)  # not legal after all (T12, strict T14)

# actions; after the six of the standard game those of the modules, each group by direction
# N E S W, planting and digging also on the own space; commands to the dark elephant first
NORTH = const(1)
EAST = const(2)
SOUTH = const(3)
WEST = const(4)
FORWARD = const(5)
BACK = const(6)
PULL = const(7)  # moves that pull the statue behind (I4)
PLANT = const(11)
DIG = const(16)
BUILD = const(21)
TRAIN = const(25)
COMMAND = const(29)  # of four directions, then four that pull (C11); the light elephant's 8 later
LAST_ACTION = const(44)

# options of a game
STRICT_TWO_ACTIONS = const(1)
VOLUNTARY_SUICIDE = const(2)  # G4
VOLUNTARY_SUICIDE_ELEPHANT = const(4)  # M2
STOP_2023 = const(8)  # build_blocked, I9
SHRUB_REMOVAL_UNGROWS = const(16)  # C9

SUPPLY = const(4)  # pieces that a player has beside the three on the boards (T2)


def new_state(first: int = WHITE, white_handicap: int = 0, black_handicap: int = 0) -> "array[int]":
    """Return the start (T3, T4) with handicaps (T6); raises ValueError for one outside 0..4."""
    for handicap in (white_handicap, black_handicap):
        if not 0 <= handicap <= SUPPLY:
            raise ValueError("a handicap takes 0 to 4 pieces from the supply, not %d" % handicap)
    white_focus, black_focus = (PAST, FUTURE) if first == WHITE else (FUTURE, PAST)
    meta = pack_meta(
        SUPPLY - white_handicap, SUPPLY - black_handicap, white_focus, black_focus, first
    )
    return array("H", (1, 1, 1, 0x8000, 0x8000, 0x8000, meta))


def pack_meta(
    white_supply: int, black_supply: int, white_focus: int, black_focus: int, mover: int
) -> int:
    """Return the META word of a state."""
    return (
        white_supply
        | black_supply << SUPPLY_BITS
        | white_focus << FOCUS_SHIFT
        | black_focus << (FOCUS_SHIFT + 2)
        | mover << MOVER_SHIFT
    )


def supply(state: "array[int]", player: int) -> int:
    """Return how many pieces the player has left to place, 0..7."""
    return state[META] >> (SUPPLY_BITS * player) & 7


def focus(state: "array[int]", player: int) -> int:
    """Return the era of the player's focus."""
    return state[META] >> (FOCUS_SHIFT + 2 * player) & 3


def mover(state: "array[int]") -> int:
    """Return the player whose turn it is."""
    return state[META] >> MOVER_SHIFT & 1


def eras_held(state: "array[int]", player: int) -> int:
    """Return in how many eras the player has copies, 0..3."""
    first = COPIES + 3 * player
    return (state[first] != 0) + (state[first + 1] != 0) + (state[first + 2] != 0)


def turn_focus(turn: int) -> int:
    """Return the era that a packed turn shifts the focus to."""
    return turn >> 16


def pack_sequence(space: int, first: int, second: int) -> int:
    """Return the 16 bits of a turn without its focus: space 0..15, two actions (0 for none)."""
    return space << 12 | first << 6 | second
