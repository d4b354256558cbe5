"""Every phase of the tracker with every kind of input: what it leads to, or that nothing changes.

MACHINE has them all; where it has nothing, tracker, game and PC must be as they were.
"""

from chronotable.core import progress
from chronotable.core.health import ReedHealth
from chronotable.core.progress import OVER, PROVISIONAL, QUESTION, RESTORE, TURN
from chronotable.core.tracker import NONE_OF_THESE
from tests.table.hands import LAST_STAND, START, TWO_EAST, WIN, Scene, sensor_of
from tests.table.tools import Dice, sample

STATES = {
    "restore": (RESTORE, START, "-pa16 .1000 pc:set_up .1000"),
    "turn": (TURN, START, TWO_EAST + " .1000 -fu16 .1000"),
    "provisional": (PROVISIONAL, START, TWO_EAST + " .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr"),
    "question": (QUESTION, START, TWO_EAST + " .1000 -bfu +bpr .1000"),
    "over": (OVER, LAST_STAND, WIN + " .2000"),
    "offer": (TURN, START, TWO_EAST + " .1000 -fu16 .1000 pc:draw"),
}
"""A phase, and how it comes about: white has played a turn, black has begun one, or played it, or
moved the marker only."""
INPUTS = {
    "lift a copy": "-pa1 -pr1",
    "place a copy": "+pa11",
    "lift white": "-wpa -wpr -wfu -bpa",
    "place white": "+wfu +wpr",
    "lift black": "-bfu -bpr -bpa",
    "place black": "+bpa +bpr",
    "undo white": "/undo:w",
    "undo black": "/undo:b",
    "action white": "/action:w",
    "action black": "/action:b",
    "resign white": "/resign:w",
    "resign black": "/resign:b",
    "a": "/a",
    "b": "/b",
    "c": "/c",
    "draw": "/draw",
    "answer 0": "try:answer:0",
    "answer 1": "try:answer:1",
    "answer 2": "try:answer:2",
    "answer -1": "try:answer:-1",
    "answer none": f"try:answer:{NONE_OF_THESE}",
    "undo by pc": "try:undo",
    "set up": "pc:set_up",
    "100 ms": ".100",
    "1000 ms": ".1000",
}
"""Words of hands.py; of those that lift or place, the first that can be done."""


def built(state):
    _, position, script = STATES[state]
    scene = Scene(position)
    scene.do(script)
    return scene


def give(scene, name):
    """Give an input; return what the PC is told at once."""
    words = INPUTS[name].split()
    if words[0][0] in "+-":
        is_lift = words[0][0] == "-"
        possible = [word for word in words if (sensor_of(word[1:]) in scene.magnets) == is_lift]
        return scene.do(possible[0] + ":10")
    return scene.do(words[0])


MACHINE = """
              restore  turn          provisional          question      over     offer
lift a copy   R        T             T final              Q             O        T
place a copy  R        T             T final              Q             O        T
lift white    R        T             T final              Q             T taken  T
place white   R        T             T final              Q             O        T
lift black    R        T             T reopened           T             O        T
place black   R        T             T reopened           T             O        T
undo white    -        -             R reopened           -             -        -
undo black    -        R taken       -                    R taken       -        R taken
action white  -        -             T reopened           T             -        T
action black  -        -             T reopened           T             -        T
resign white  -        O over black  O final, over black  O over black  -        O over black
resign black  -        O over white  O final, over white  O over white  -        O over white
a             R fault  -             -                    P prov        -        O over draw
b             -        -             -                    -             -        T
c             -        -             -                    -             -        T
draw          -        T             T final              Q             -        O over draw
answer 0      R fault  -             -                    P prov        -        O over draw
answer 1      -        -             -                    -             -        T
answer 2      -        -             -                    -             -        T
answer -1     -        -             -                    -             -        T
answer none   -        -             T reopened           T             -        T
undo by pc    -        R taken       R reopened           R taken       -        R taken
set up        R        R             R                    R             R        R
100 ms        -        -             -                    -             -        -
1000 ms       -        -             T final              -             -        -
"""
"""What each input leads to in each phase, R, T, P, Q or O, and how all that the PC is told begins.

`-`: nothing changes. Touches are evidence in every phase; those of a question do not answer it, but
the turn that is asked about goes on with its marker. Nobody has two markers (place black in P). A
button says in P that this was not meant, as nothing else could have been; where what is asked for
lies there (R), that a reed is broken.
"""


def expectations():
    """Yield each state, input and what is expected there: None, or a phase and what is told."""
    header, *rows = MACHINE.strip("\n").split("\n")
    states = header.split()
    for row in rows:
        name, *cells = [cell.strip() for cell in row.split("  ") if cell]
        assert len(cells) == len(states), row
        for at in range(len(states)):
            phase, _, told = cells[at].partition(" ")
            starts = told.split(", ") if told else []
            yield states[at], name, None if phase == "-" else ("RTPQO".index(phase), starts)


def all_of(scene):
    """Return everything that an input may change, time aside."""
    track = scene.tracker
    game = scene.game
    return (
        track.phase,
        track.evidence.markers,
        track.matcher.prefix,
        track.matcher.whole,
        track.winner,
        track.turn.offers,
        track.evidence.lifted_own,
        track.turn.understood,
        list(track.open_question.choices),
        list(track.evidence.observed),
        list(game.state),
        list(game.turns),
        game.options,
        scene.picture(),
        scene.marker_picture(),
    )


def test_every_phase_can_be_reached():
    reached = [phase for phase, _, _ in STATES.values()]
    assert set(reached) == {RESTORE, TURN, PROVISIONAL, QUESTION, OVER}
    for state, (phase, _, _) in STATES.items():
        assert built(state).tracker.phase == phase, state


def test_every_phase_with_every_input():
    for number, (state, name, expected) in enumerate(expectations()):
        if number % sample(1, 3):
            continue
        scene = built(state)
        before = all_of(scene)
        told = give(scene, name)
        where = (state, name, told)
        if expected is None:
            assert told == [], where
            assert all_of(scene) == before, where
        else:
            phase, starts = expected
            assert scene.tracker.phase == phase, (where, scene.tracker.phase)
            assert len(told) == len(starts), where
            for at in range(len(starts)):
                assert told[at].startswith(starts[at]), where
        if not any(scene.tracker.health.kinds):  # else other questions come up
            goes_on(scene, where)


def goes_on(scene, where):
    """See that nothing raises later either: hands go on, then a new game is set up and begins."""
    scene.do(".400")
    copies = [word for word in ("-pa1", "-pa3", "-pr1") if sensor_of(word[1:]) in scene.magnets]
    scene.do(copies[0] + " .1500 +pr5 .1500")
    begins_anew(scene, where)


def begins_anew(scene, where):
    scene.do("pc:set_up put_up:START")
    assert scene.do(".400")[-1:] == ["started"], where
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"], where


# what may change which phase; nothing else leads anywhere
CHANGES = {
    progress.SET_UP: (RESTORE, TURN, PROVISIONAL, QUESTION, OVER),
    progress.BEGINS: (RESTORE, PROVISIONAL),
    progress.MARKED: (TURN, QUESTION),
    progress.IN_DOUBT: (TURN,),
    progress.GOES_ON: (TURN, PROVISIONAL, QUESTION, OVER),
    progress.ENDS: (TURN, PROVISIONAL, QUESTION),
}


def do_anything(scene, dice):
    """Touch something or press something, by chance."""
    if dice.roll(3):
        sensor = dice.roll(54) if dice.roll(3) == 0 else dice.pick(sorted(scene.magnets) or [0])
        scene.gesture(sensor, sensor not in scene.magnets, 50 + dice.roll(400))
    else:
        name = dice.pick(sorted(INPUTS))
        if not name.startswith(("lift", "place")):
            give(scene, name)


def test_inputs_in_any_order_change_phases_by_the_table_and_raise_nothing():
    """Seeded; where no reed is believed to be broken, a turn can be played after all of it."""
    taken = set()
    for seed in range(sample(60, 2)):
        dice = Dice(seed)
        scene = Scene()
        go = scene.tracker._go

        def watched(happening, track=scene.tracker, go=go):
            taken.add((happening, track.phase))
            go(happening)

        scene.tracker._go = watched
        for _ in range(sample(120, 40)):
            if seed % 3 and any(scene.tracker.health.kinds):
                scene.tracker.health = scene.tracker.evidence.health = ReedHealth()
            do_anything(scene, dice)
            scene.hints.paint()
        wrong = [(what, phase) for what, phase in taken if phase not in CHANGES[what]]
        assert not wrong, (seed, wrong)
        if seed % 3:
            begins_anew(scene, seed)
    for happening, before in CHANGES.items():
        for phase in range(5):
            after = progress.TRANSITIONS[phase][happening]
            assert (
                after != phase
                or happening in (progress.SET_UP, progress.GOES_ON)
                or (phase not in before)
            ), (happening, phase)


def test_the_phases_are_the_five_of_the_link():
    from chronotable.core import table  # noqa: PLC0415

    numbers = (RESTORE, TURN, PROVISIONAL, QUESTION, OVER)
    assert numbers == (0, 1, 2, 3, 4)
    assert len(table._PHASES) == len(numbers)
