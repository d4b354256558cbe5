"""Every phase of the tracker with every kind of input: what it leads to, or that nothing changes.

`TABLE` is the machine: per phase, the inputs that mean something there and what follows. Each
other pair must leave the tracker, its game and the PC as they were.
"""

from chronotable.core import progress
from chronotable.core import tracker as machine
from chronotable.core.health import ReedHealth
from chronotable.core.progress import OVER, PROVISIONAL, QUESTION, RESTORE, TURN
from chronotable.hardware import buttons
from chronotable.hardware.sensors import BUTTONS, SHARED
from tests.table.hands import START, Scene
from tests.table.tools import Dice, sample
from ttykm.layout import BLACK, WHITE

LAST_STAND = "w.............../w.....wb......../................ 1 1 4 4 w"
TWO_EAST = "-pa1 +pa2 -pa2 +pa3 -wpa +wpr"

SAME = "same"
NOTHING = ()


def in_restore():
    scene = Scene()
    scene.do("-pa16 .1000")
    scene.tracker.set_up()
    scene.do(".1000")
    return scene


def in_turn():
    """White has played one turn, black has one copy in hand."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16 .1000")
    return scene


def in_provisional():
    """White has played a turn, black's marker has just been placed."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr")
    return scene


def in_question():
    """White has played a turn, and black has moved the marker only."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -bfu +bpr .1000")
    return scene


def in_over():
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .2000")
    return scene


def with_an_offer():
    scene = in_turn()
    scene.tracker.offer_draw()
    return scene


STATES = {
    "restore": (RESTORE, in_restore),
    "turn": (TURN, in_turn),
    "provisional": (PROVISIONAL, in_provisional),
    "question": (QUESTION, in_question),
    "over": (OVER, in_over),
    "offer": (TURN, with_an_offer),
}


def do(script):
    return lambda scene: scene.do(script)


def button(name, side=SHARED):
    return lambda scene: buttons.press(scene.tracker, BUTTONS.index((name, side)), scene.now_ms)


def answer(choice):
    return lambda scene: scene.tracker.answer(choice, scene.now_ms)


def lift(*sensors):
    """Lift the first of these that has something on it."""

    def act(scene):
        for sensor in sensors:
            if sensor in scene.magnets:
                scene.gesture(sensor, False, 10)
                return
        raise AssertionError("nothing to lift")

    return act


def place(*sensors):
    def act(scene):
        for sensor in sensors:
            if sensor not in scene.magnets:
                scene.gesture(sensor, True, 10)
                return
        raise AssertionError("no room")

    return act


INPUTS = {
    "lift a copy": lift(0, 16),
    "place a copy": place(10),
    "lift white's marker": lift(48, 49, 50, 51),
    "place white's marker": place(50, 49),
    "lift black's marker": lift(53, 52, 51),
    "place black's marker": place(51, 52),
    "button undo white": button("undo", WHITE),
    "button undo black": button("undo", BLACK),
    "button action white": button("action", WHITE),
    "button action black": button("action", BLACK),
    "button resign white": button("resign", WHITE),
    "button resign black": button("resign", BLACK),
    "button a": button("a"),
    "button b": button("b"),
    "button c": button("c"),
    "button draw": button("draw"),
    "answer 0": answer(0),
    "answer 1": answer(1),
    "answer 2": answer(2),
    "answer -1": answer(-1),
    "answer none": answer(machine.NONE_OF_THESE),
    "undo by the pc": lambda scene: scene.tracker.undo(SHARED),
    "set up": lambda scene: scene.tracker.set_up(),
    "100 ms": do(".100"),
    "1000 ms": do(".1000"),
}

# touches are evidence in every phase: what each leads to, and what the pc is told at once
TOUCHES = {
    "restore": {
        "lift a copy": (RESTORE, NOTHING),
        "place a copy": (RESTORE, NOTHING),
        "lift white's marker": (RESTORE, NOTHING),
        "place white's marker": (RESTORE, NOTHING),
        "lift black's marker": (RESTORE, NOTHING),
        "place black's marker": (RESTORE, NOTHING),
    },
    "turn": {
        "lift a copy": (TURN, NOTHING),
        "place a copy": (TURN, NOTHING),
        "lift white's marker": (TURN, NOTHING),
        "place white's marker": (TURN, NOTHING),
        "lift black's marker": (TURN, NOTHING),
        "place black's marker": (TURN, NOTHING),
    },
    "provisional": {
        "lift a copy": (TURN, ("final",)),
        "place a copy": (TURN, ("final",)),
        "lift white's marker": (TURN, ("final",)),
        "place white's marker": (TURN, ("final",)),
        "lift black's marker": (TURN, ("reopened",)),
        # nobody has two markers
        "place black's marker": (TURN, ("reopened",)),
    },
    "question": {
        # what is touched does not answer it
        "lift a copy": (QUESTION, NOTHING),
        "place a copy": (QUESTION, NOTHING),
        "lift white's marker": (QUESTION, NOTHING),
        "place white's marker": (QUESTION, NOTHING),
        # the turn that is asked about goes on
        "lift black's marker": (TURN, NOTHING),
        "place black's marker": (TURN, NOTHING),
    },
    "over": {
        "lift a copy": (OVER, NOTHING),
        "place a copy": (OVER, NOTHING),
        "lift white's marker": (TURN, ("taken back",)),
        "place white's marker": (OVER, NOTHING),
        "lift black's marker": (OVER, NOTHING),
        "place black's marker": (OVER, NOTHING),
    },
}
TOUCHES["offer"] = TOUCHES["turn"]

TABLE = {
    "restore": {
        # what is asked for lies there: a reed is broken
        "button a": (RESTORE, ("fault",)),
        "answer 0": (RESTORE, ("fault",)),
        "set up": (RESTORE, NOTHING),
    },
    "turn": {
        "button undo black": (RESTORE, ("taken back",)),
        "undo by the pc": (RESTORE, ("taken back",)),
        "button resign white": (OVER, ("over black",)),
        "button resign black": (OVER, ("over white",)),
        "button draw": (TURN, NOTHING),
        "set up": (RESTORE, NOTHING),
    },
    "provisional": {
        "button undo white": (RESTORE, ("reopened",)),
        "undo by the pc": (RESTORE, ("reopened",)),
        "button resign white": (OVER, ("final", "over black")),
        "button resign black": (OVER, ("final", "over white")),
        "button draw": (TURN, ("final",)),
        # not what was meant: nothing else could have been
        "button action white": (TURN, ("reopened",)),
        "button action black": (TURN, ("reopened",)),
        "answer none": (TURN, ("reopened",)),
        "set up": (RESTORE, NOTHING),
        "1000 ms": (TURN, ("final",)),
    },
    "question": {
        "button undo black": (RESTORE, ("taken back",)),
        "undo by the pc": (RESTORE, ("taken back",)),
        "button resign white": (OVER, ("over black",)),
        "button resign black": (OVER, ("over white",)),
        "button a": (PROVISIONAL, ("provisional",)),
        "answer 0": (PROVISIONAL, ("provisional",)),
        "button draw": (QUESTION, NOTHING),
        "button action white": (TURN, NOTHING),
        "button action black": (TURN, NOTHING),
        "answer none": (TURN, NOTHING),
        "set up": (RESTORE, NOTHING),
    },
    "over": {
        "set up": (RESTORE, NOTHING),
    },
    "offer": {
        "button undo black": (RESTORE, ("taken back",)),
        "undo by the pc": (RESTORE, ("taken back",)),
        "button resign white": (OVER, ("over black",)),
        "button resign black": (OVER, ("over white",)),
        "button a": (OVER, ("over draw",)),
        "answer 0": (OVER, ("over draw",)),
        "button draw": (OVER, ("over draw",)),
        "button b": (TURN, NOTHING),
        "button c": (TURN, NOTHING),
        "answer 1": (TURN, NOTHING),
        "answer 2": (TURN, NOTHING),
        "answer -1": (TURN, NOTHING),
        "answer none": (TURN, NOTHING),
        "button action white": (TURN, NOTHING),
        "button action black": (TURN, NOTHING),
        "set up": (RESTORE, NOTHING),
    },
}


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
    reached = [phase for phase, _ in STATES.values()]
    assert set(reached) == {RESTORE, TURN, PROVISIONAL, QUESTION, OVER}
    for name, (phase, build) in STATES.items():
        assert build().tracker.phase == phase, name


def test_every_phase_with_every_input():
    number = 0
    for state in STATES:
        for name in sorted(INPUTS):
            number += 1
            if number % sample(1, 3):
                continue
            scene = STATES[state][1]()
            scene.heard()
            before = all_of(scene)
            told = INPUTS[name](scene)
            if not isinstance(told, list):
                told = scene.heard()
            expected = TOUCHES[state].get(name) or TABLE[state].get(name)
            where = (state, name, told)
            if expected is None:
                assert told == [], where
                assert all_of(scene) == before, where
                continue
            phase, starts = expected
            assert scene.tracker.phase == phase, (where, scene.tracker.phase)
            assert len(told) == len(starts), where
            for number in range(len(starts)):
                assert told[number].startswith(starts[number]), where


def test_every_phase_goes_on_after_every_input():
    """Nothing raises later either: the hands go on, then a new game is set up and begins."""
    for state in STATES:
        for at, name in enumerate(sorted(INPUTS)):
            if at % sample(1, 7):
                continue
            scene = STATES[state][1]()
            INPUTS[name](scene)
            if any(scene.tracker.health.kinds):
                continue  # with a reed that is not felt other questions come up
            scene.do(".400")
            lift(0, 2, 16)(scene)
            scene.do(".1500")
            place(20)(scene)
            scene.do(".1500")
            scene.heard()
            scene.tracker.set_up()
            scene.put_up(Scene().game.state)
            assert scene.do(".400")[-1:] == ["started"], (state, name)
            assert scene.do(TWO_EAST) == ["provisional 1 E E >present"], (state, name)


# what may change which phase; nothing else leads anywhere
CHANGES = {
    progress.SET_UP: (RESTORE, TURN, PROVISIONAL, QUESTION, OVER),
    progress.BEGINS: (RESTORE, PROVISIONAL),
    progress.MARKED: (TURN, QUESTION),
    progress.IN_DOUBT: (TURN,),
    progress.GOES_ON: (TURN, PROVISIONAL, QUESTION, OVER),
    progress.ENDS: (TURN, PROVISIONAL, QUESTION),
}


def test_phases_change_by_the_table():
    """Seeded: no input in any order leads to a change that the table does not have."""
    names = sorted(INPUTS)
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
            if dice.roll(3):
                sensor = (
                    dice.roll(54) if dice.roll(3) == 0 else dice.pick(sorted(scene.magnets) or [0])
                )
                scene.gesture(sensor, sensor not in scene.magnets, 50 + dice.roll(400))
            else:
                name = dice.pick(names)
                if not name.startswith(("lift", "place")):
                    INPUTS[name](scene)
        wrong = [(what, phase) for what, phase in taken if phase not in CHANGES[what]]
        assert not wrong, (seed, wrong)
    for happening, before in CHANGES.items():
        for phase in range(5):
            after = progress.TRANSITIONS[phase][happening]
            assert (
                after != phase
                or happening in (progress.SET_UP, progress.GOES_ON)
                or (phase not in before)
            ), (happening, phase)


def test_inputs_in_any_order_raise_nothing():
    """Seeded: what hands and buttons do in any order, and a turn can be played after all of it."""
    names = sorted(INPUTS)
    for seed in range(sample(40, 2)):
        dice = Dice(seed)
        scene = Scene()
        seen = set()
        for _ in range(sample(120, 40)):
            if any(scene.tracker.health.kinds):
                scene.tracker.health = scene.tracker.evidence.health = ReedHealth()
            if dice.roll(3):
                sensor = (
                    dice.roll(54) if dice.roll(3) == 0 else dice.pick(sorted(scene.magnets) or [0])
                )
                scene.gesture(sensor, sensor not in scene.magnets, 50 + dice.roll(400))
            else:
                name = dice.pick(names)
                if not name.startswith(("lift", "place")):
                    INPUTS[name](scene)
            seen.add(scene.tracker.phase)
            scene.hints.paint()
        scene.tracker.set_up()
        scene.put_up(Scene(START).game.state)
        scene.do(".400")
        assert scene.do(TWO_EAST) == ["provisional 1 E E >present"], (seed, seen)


def test_the_phases_are_the_five_of_the_link():
    from chronotable.core import table  # noqa: PLC0415

    numbers = (RESTORE, TURN, PROVISIONAL, QUESTION, OVER)
    assert numbers == (0, 1, 2, 3, 4)
    assert len(table._PHASES) == len(numbers)
