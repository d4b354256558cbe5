"""How the objects of the chapters lie in memory, beside the copies.

A record's objects are 16 words of their own, in an array with the same indices as the records.
Per era four *planes* spell the kind of what lies on each space, bit 0 first; one word holds the
hats and which modules are played. Seeds left and statues held are the upper bits of META.

Of one space there is at most one kind; only a seed may share with a copy (G1, G2).
"""

from array import array

from ttykm import layout
from ttykm.layout import META, STATE_WORDS
from ttykm.mp import const

if False:
    from collections.abc import Iterator

# modules, and bits of a set of them
GROWTH = const(1)
INFLUENCE = const(2)
MEMORY = const(4)
ALL_MODULES = const(7)

# kinds of object; a fallen tree is FALLEN + the direction it fell in - 1 (G13)
NOTHING = const(0)
SEED = const(1)
SHRUB = const(2)
TREE = const(3)
FALLEN = const(4)
STATUE = const(8)  # neutral, then white's and black's
ELEPHANT = const(12)  # dark, then light

# words
PLANES = const(4)  # per era
HATS = const(12)  # of era e and elephant k at bit 4 * e + 2 * k: 0 none, 1 white's, 2 black's
OBJECT_WORDS = const(16)  # those from 13 on are free for whoever compares (chronotable.core.match)
MODULES_SHIFT = const(12)  # in the word of the hats

# META
SEEDS_SHIFT = const(11)
HELD_SHIFT = const(14)  # a bit per player who still holds the own statue (I7)

SEEDS = const(5)
MOST_SEEDS = const(7)  # left in any position; digging up more loses them
LONG_STATE_WORDS = const(20)
"""A state with modules: the words of a standard one, then those of the objects."""

_NEUTRAL_STATUE = const(6)  # space 7 (the set-up of chapter 2)
_ELEPHANTS = (3, 12)  # spaces 4 and 13 (the set-up of chapter 3)


def convergence(seed: int) -> int:
    """Return the two modules that a seed draws (C1): each pair for every third number."""
    return ALL_MODULES ^ 1 << seed % 3


def new_state(modules: int, first: int = 0, white: int = 0, black: int = 0) -> "array[int]":
    """Return the start of a game with modules, 0 for none; handicaps as in `layout.new_state`."""
    short = layout.new_state(first, white, black)
    if not modules:
        return short
    state = empty_state(modules)
    state[:STATE_WORDS] = short
    if modules & GROWTH:
        state[META] |= SEEDS << SEEDS_SHIFT
    if modules & INFLUENCE:
        state[META] |= 3 << HELD_SHIFT
    for era in range(3):
        if modules & INFLUENCE:
            put(state, era, _NEUTRAL_STATUE, STATUE)
        if modules & MEMORY:
            for which in range(2):
                put(state, era, _ELEPHANTS[which], ELEPHANT + which)
    return state


def empty_state(modules: int) -> "array[int]":
    """Return a state with modules and with nothing on its boards or in its supplies."""
    state = array("H", bytes(2 * LONG_STATE_WORDS))
    state[STATE_WORDS + HATS] = modules << MODULES_SHIFT
    return state


def modules_of(state: "array[int]") -> int:
    """Return the set of modules that a state is played with."""
    return state[STATE_WORDS + HATS] >> MODULES_SHIFT if len(state) > STATE_WORDS else 0


def kind_at(state: "array[int]", era: int, space: int) -> int:
    """Return the kind of object on a space 0..15 of a state, NOTHING for none."""
    if len(state) == STATE_WORDS:
        return NOTHING
    kind = 0
    for plane in range(PLANES):
        kind |= (state[STATE_WORDS + PLANES * era + plane] >> space & 1) << plane
    return kind


def put(state: "array[int]", era: int, space: int, kind: int) -> None:
    """Lay a kind of object, or NOTHING, on a space of a state with modules."""
    for plane in range(PLANES):
        word = STATE_WORDS + PLANES * era + plane
        state[word] = state[word] & ~(1 << space) & 0xFFFF | (kind >> plane & 1) << space


def objects_of(state: "array[int]") -> "Iterator[tuple[int, int, int]]":
    """Yield (era, space, kind) of every object, in reading order."""
    for era in range(3):
        for space in range(16):
            kind = kind_at(state, era, space)
            if kind:
                yield era, space, kind


def seeds(state: "array[int]") -> int:
    """Return how many seeds are left to plant, 0..5."""
    return state[META] >> SEEDS_SHIFT & 7


def holds_statue(state: "array[int]", player: int) -> bool:
    """Tell whether a player's own statue is not built yet (I7)."""
    return state[META] >> (HELD_SHIFT + player) & 1 != 0


def hat(state: "array[int]", era: int, which: int) -> int:
    """Return whose hat the dark (0) or light (1) elephant of an era wears: 0, 1, or -1."""
    return (state[STATE_WORDS + HATS] >> (4 * era + 2 * which) & 3) - 1


def put_hat(state: "array[int]", era: int, which: int, player: int) -> None:
    """Give an elephant a player's hat, or none for -1."""
    shift = 4 * era + 2 * which
    word = state[STATE_WORDS + HATS]
    state[STATE_WORDS + HATS] = word & ~(3 << shift) | (player + 1) << shift
