"""What lifts and places tell about colours: never certain of what is not so."""

from chronotable.core.ownership import Ownership
from chronotable_host.rules.notation import parse_position
from tests.table.hands import START, sensor_of
from tests.table.tools import Dice, played_game, sample
from ttykm import layout

TWO = "w..............b/.....wb........./w..............b 1 1 4 4 w"
TWO_WITHOUT = TWO.replace(" 4 4 w", " 0 4 w")


def is_certainly(ownership, state):
    """Tell whether a position is known to lie there, with nothing in the hands."""
    return not ownership.is_holding() and ownership.is_laid(state)


def believe(position, script):
    """Return whether a script surely leaves the position as it was."""
    state = parse_position(position)
    ownership = Ownership()
    ownership.start(state)
    for word in script.split():
        sensor = sensor_of(word[1:])
        ownership.touch(sensor >> 4, 1 << (sensor & 15), word[0] == "+")
    return is_certainly(ownership, state)


def test_a_hand_holds_whatever_it_lifted():
    ownership = Ownership()
    ownership.start(parse_position(START))
    assert not ownership.is_holding()
    for kind in range(len(ownership.held)):
        ownership.held[kind] = 1
        assert ownership.is_holding(), kind
        ownership.held[kind] = 0


# T25: only the mover's supply can put a new copy on the table
AFTER = (
    ("nothing was touched", START, "", True),
    ("a piece is in a hand", START, "-pa1", False),
    ("the own copy came back", START, "-pa1 +pa2 -pa2 +pa1", True),
    ("one colour was in hand", TWO, "-pr6 -pa1 +pa1 +pr6", True),
    ("the own copies changed places, which is no difference", START, "-pa1 -pr1 +pr1 +pa1", True),
    ("elsewhere is another position", START, "-pa1 +pa2", False),
    ("an opponent's copy may be one of the supply now", TWO, "-pr7 +pr7", False),
    ("there is no supply", TWO_WITHOUT, "-pr7 +pr7", True),
    ("both colours may have been swapped", TWO_WITHOUT, "-pr6 -pr7 +pr6 +pr7", False),
    ("in whatever order", TWO_WITHOUT, "-pr6 -pr7 +pr7 +pr6", False),
    ("doubtful it stays", TWO_WITHOUT, "-pr6 -pr7 +pr6 +pr7 -pr6 +pr6 -pr7 +pr7", False),
)


def test_what_is_certain_after_touches():
    for what, position, script, is_certain in AFTER:
        assert believe(position, script) == is_certain, what


def test_forgetting():
    state = parse_position(TWO_WITHOUT)
    ownership = Ownership()
    ownership.start(state)
    ownership.forget()
    ownership.touch(0, 1, False)
    ownership.touch(0, 1, True)
    assert not is_certainly(ownership, state)
    ownership.start(state)
    assert is_certainly(ownership, state)


def test_it_is_never_certain_of_what_is_not_so():
    """Hands move coloured pieces at random; those in hand or in supply can be anywhere."""
    certain = 0
    for seed in range(sample(300, 12)):
        dice = Dice(seed)
        state = played_game(dice, 20).state
        mover = layout.mover(state)
        lies = {}  # place: colour
        for place in range(48):
            for colour in range(2):
                if state[3 * colour + (place >> 4)] >> (place & 15) & 1:
                    lies[place] = colour
        home = dict(lies)
        held = []
        supply = layout.supply(state, mover)
        ownership = Ownership()
        ownership.start(state)
        for step in range(sample(60, 30)):
            if lies and (not held or dice.roll(2)):
                place = dice.pick(sorted(lies))
                held.append(lies.pop(place))
                closed = False
            else:
                # mostly back to where something belongs
                free = [place for place in sorted(home) if place not in lies]
                if not free or dice.roll(4) == 0:
                    free = [place for place in range(48) if place not in lies]
                place = dice.pick(free)
                if supply and dice.roll(6) == 0:
                    supply -= 1
                    lies[place] = mover
                elif held:
                    lies[place] = held.pop(dice.roll(len(held)))
                else:
                    continue
                closed = True
            ownership.touch(place >> 4, 1 << (place & 15), closed)
            if is_certainly(ownership, state):
                certain += 1
                assert lies == home, (seed, step)
    assert certain
