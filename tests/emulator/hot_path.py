"""Runs on the emulated chip: what lies between a reed and its light, with the heap locked.

Every allocation then raises MemoryError. Prints one line per part.
"""

import gc
import sys

import micropython

from chronotable.core import match
from chronotable.core.poles import PoleOwnership
from chronotable.hardware.debounce import Debouncer, debounce
from chronotable.hardware.sensors import SPACES
from chronotable.lights import meanings
from chronotable.lights.hints import ALL_EFFECTS, MEANINGS
from chronotable.lights.light import Light
from tests.table.hands import LAST_STAND, TWINS, WIN, Scene, sensor_of
from tests.table.tools import Dice, played_game

MODULES = "w..............b/.....w.........b/w..............b 1 2 3 4 w growth+influence"
MODULES += " *7/nN7,sh12/nN7 seeds=4 statues=wb"
ECHO = "-pr6 -pr7 +pr7 +pr8 -fu7 +fu8 -pr7 +pr11"
PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"
ASKED = "-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300"
ASTRAY = "-fu4 +fu8 -bfu +bpr -bpr +bfu -fu8"
GESTURES = "-pr6 -pr7 +pr7 +pr8 -pr7 -pr8 +pr8 -pr8 +pr14 -pr14 +pr8 -wpr"


def locked(name, function):
    """Call a function with the heap locked; say whether it did without."""
    micropython.heap_lock()
    try:
        function()
        failure = None
    except MemoryError as error:
        failure = error
    micropython.heap_unlock()
    print("ALLOCATES" if failure else "NOTHING", name)
    if failure:
        sys.print_exception(failure)


dice = Dice(1)
states = [played_game(dice, 20).state for _ in range(3)]  # while there is room for their games


def begin(position):
    """Put a position up, once the scene before has made room."""
    global scene, game, tracker, hints, tree  # noqa: PLW0603 - what the parts below share
    scene = game = tracker = hints = tree = None
    gc.collect()
    scene = Scene(position)
    game, tracker, hints = scene.game, scene.tracker, scene.hints
    tree = game.turn_tree


def feel_poles():
    """Let poles tell whose copies lie there; those in the present are the wrong way round."""
    poles = PoleOwnership(tracker.health, game, tracker.turn, bytearray(range(SPACES)))
    poles.know(game.state, 0)
    tracker.evidence.ownership = tracker.evidence.poles = poles
    for cell in range(SPACES):
        for player in range(2):
            if game.state[3 * player + (cell >> 4)] >> (cell & 15) & 1:
                poles.feel(cell, player, True)
    poles.turned[1] = poles.seen[1] | poles.seen[4]


def build():
    tree.build(game.state, game.options)


def compare():
    tracker.matcher._compare(0)
    match.best_exact(tree.records, 0, tree.end, 0, tracker.matcher.costs, 0)
    match.best_exact(tree.records, 0, tree.end, 1, tracker.matcher.costs, 0)
    match.nearest(tree.records, 0, tree.end, 0, tracker.matcher.costs)
    match.rival(tree.records, tree.objects, 0, tree.end, tree.records, 0, tracker.matcher.costs)


def paint_matches():
    records, leds = tree.records, hints.leds
    match.paint_actions(
        records,
        tree.objects,
        0,
        tree.firsts,
        tree.seconds,
        -1,
        tracker.evidence.observed,
        leds,
        MEANINGS,
        ALL_EFFECTS,
    )
    match.paint_difference(records, tree.objects, 0, 1, tracker.evidence.observed, leds, 1)
    match.paint_difference(records, tree.objects, 0, 1, tracker.evidence.observed, leds, 0)


def gesture(sensor, closed):
    """Return what the loop does for one edge: a call with nothing to be made any more."""
    at_ms = scene.now_ms + 150
    scene.now_ms = at_ms

    def act():
        tracker.edge(sensor, closed, at_ms)
        tracker.update(at_ms)
        hints.paint()

    return act


def do_locked(name, script):
    """Make each gesture of a script with the heap locked."""
    for word in script.split():
        locked(name + " " + word, gesture(sensor_of(word[1:]), word[0] == "+"))


debouncer = Debouncer(5)
lamp = Light(bytearray(range(54)), "GRB", 100, 20)
every = bytearray([sensor % (meanings.COMMAND + 1) for sensor in range(54)])


def scan():
    for number in range(30):
        debouncer.raw[number & 7] ^= 1 << (number % 5)
        debounce(debouncer.raw, debouncer.memory, debouncer.ring, 5)


def read_edges():
    while debouncer.next_edge() >= 0:
        pass


def render():
    lamp.render(every, 700)
    lamp.is_moving()


begin(PUSH)
locked("nothing but a list, to see that the lock holds", lambda: [0] * 9)
locked("turn tree", build)
locked("matching", compare)
locked("painting", paint_matches)
do_locked("gesture", GESTURES)
locked("time goes by", lambda: tracker.update(scene.now_ms + 100))
locked("scan", scan)
locked("edges", read_edges)
locked("light", render)

begin(TWINS)
scene.do(ASKED)  # what is made for a question is made when it is asked
do_locked("while a question is open", ASTRAY)
feel_poles()
do_locked("while a question is open, with poles", ASTRAY)

for state in states:
    locked("turn tree of a game", lambda: tree.build(state))  # noqa: B023 - called at once

begin(MODULES)
locked("turn tree with modules", lambda: tree.build(game.state, game.options, False))
tracker.matcher.begin()
do_locked("with modules", ECHO)

for position, script in ((PUSH, GESTURES), (MODULES, ECHO)):
    begin(position)
    feel_poles()
    do_locked("with poles", script)

begin(LAST_STAND)
scene.do(WIN + " .2000")
locked("game over", hints.paint)
print("DONE")
