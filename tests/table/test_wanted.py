"""A turn that a player without hands wants: helping hands carry it out by the lights alone."""

from chronotable.core.wanting import want
from chronotable_host.rules.notation import format_position, parse_turn
from tests.table.hands import Scene, press
from tests.table.scenes import scenes
from tests.table.test_chooser import GROWTH
from ttykm import objects

PULL = (
    "w........wb...../w..b........w.../w......b.......b 0 0 2 3 w influence "
    "nN7/nN7,nB15/nW5,nN7,nB15 statues=-"
)
"""White's copy on past 10 moves north, and then west: the statue on 7 comes after it."""
DUG_UP = (
    "w...w.........../........w..b.bb./w...w........b.. 1 2 2 3 w growth+influence "
    "*1,*5,nN7,*15,*16/sh1,*5,nN7,nB8/nN7,nB8 seeds=0 statues=w"
)
FULL = (
    "........b......./w...w....b.b...b/.w.........b.... 2 2 3 2 b growth+influence+memory "
    "eD4,*6,nN7,*8,eL13/eD4,*5,nW6,nN7,sh8,nB11,eL13/*3,eD4,sh5,nN7,T8,nW10,nB11,eL13 "
    "seeds=1 statues=-"
)
scenes(
    __name__,
    """
one action after the other then the marker [PUSH]
  wants 6 E S >future
  lit: pr6 todo_take, pr7 todo_take, pr8 todo_put_black
  -pr6 -pr7 +pr8 lit: pr7 todo_put_white
  +pr7 lit: pr7 todo_take, pr11 todo_put_white
  -pr7 +pr11 lit: nothing; marks: wpr todo_take, wfu todo_put
  -wpr +wfu -> provisional 6 E S >future & final 6 E S >future, certain

other touches are led back [PUSH]
  wants 6 E S >future
  -pa16 +pa15 .400 -> … & take pa15 pr6 pr7, put pa16 pr8: wanted
  -pa15 +pa16 lit: pr6 todo_take, pr7 todo_take, pr8 todo_put_black

a seed below the copy is lit once that is lifted [GROWTH]
  wants 1 po E >present
  lit: pa1 todo_take, pa2 todo_put_white
  -pa1 lit: pa1 plant, pa2 todo_put_white

which object is put is lit  # A statue that is built stands in the later eras, too.
  at w..............b/w..............b/w..............b 0 2 4 4 w influence nN7/nN7/nN7 statues=wb
  wants 1 sE S >present
  lit: pa2 put_white_statue, pr2 put_white_statue, fu2 put_white_statue
  +pa2 +pr2 +fu2 lit: pa1 todo_take, pa5 todo_put_white

before and after a game nothing is wanted
  pc:set_up
  wants not 1 E E >future
  at PARADOX
  /resign:w
  wants not 3 S S >future

what is built where a seed was dug up is lit as that [DUG_UP]
  wants 9 dN sN >future
  lit: pr5 put_white_statue, fu1 todo_take, fu5 todo_take

an object that takes a copy's place is no copy put back
  # I9: a statue is built where a copy stands in a later era, which moves on.
  at ...............b/w...w..b......../.....w....b..... 1 2 4 4 w influence nN7/nN7/nN7 statues=wb
  wants 5 sE B >future
  lit: pr6 put_white_statue, fu6 todo_take, fu7 todo_take, fu8 put_statue
  -fu6 +fu6 -fu7 lit: pr6 put_white_statue, fu7 todo_put_white, fu8 put_statue

what was put in the place of an object is not asked back [FULL]
  # I2: a copy out of the box may come first; as much lies there then as before the turn.
  wants 12 W pE >present
  lit: fu9 put_white_statue, fu10 todo_take, fu11 todo_take, fu12 todo_take
  -fu11 -fu10 +fu11 +fu10 -fu12 lit: fu9 put_white_statue

another legal turn is none while one is wanted
  wants 1 E F >future
  TWO_EAST .400 -> take pa1, put pa2: wanted & take pa3 wpr, put pr2 wpa: wanted
  marks: wpa todo_put, wpr todo_take
  -wpr +wpa -pa3 +pa2 .400
  -pa2 +pr2 -wpa +wfu -> … & final 1 E F >future, certain

what is not legal is not wanted
  wants not 2 E F >future
  wants not 1 N N >future
  wants not 1 E F >past
  lit: pa1 copy

said again nothing changes and another one takes its place
  wants 1 E E >future
  -pa1 +pa2 lit: pa2 todo_take, pa3 todo_put_white
  wants 1 E E >future
  lit: pa2 todo_take, pa3 todo_put_white
  wants 1 E F >future
  lit: pa2 todo_take, pr2 todo_put_white

what no reed feels is lit until the turn counts [GROWTH]
  # G5: a seed has no magnet; the shrub and the tree that grow of it have.
  wants 1 pE S >present
  lit: pa2 plant, pr2 put_shrub, fu2 put_tree
  +pr2 lit: pa2 plant, fu2 put_tree
  +fu2 lit: pa1 todo_take, pa2 plant, pa5 todo_put_white
  -pa1 +pa5 lit: pa2 plant
  -wpa +wpr -> … & final 1 pE S >present, certain

one that is wanted no more is the hands own turn
  wants 1 E E >future
  -pa1 +pa2 pc:want_nothing
  -pa2 +pr2 -wpa +wpr => 1 E F >present

a broken reed is passed over when the players say that all lies there
  # It was placed on pa2, whose reed stays open.
  wants 1 E E >future
  .100 -pa1 .2600
  /a -> fault pa2 c
  +pa3 -wpa +wfu -> … & final 1 E E >future, asked

what takes the place of something else is asked for by taking that away first [PULL]
  # No reed tells a statue from the copy that stood there before it.
  wants 10 N W* >present
  -pa10 +pa6 lit: pa5 todo_put_white, pa6 todo_take, pa7 todo_take, …
  -pa6 +pa5 lit: pa6 put_statue, pa7 todo_take, …
  -pa7 -pr7 +pr6 -fu7 +fu6 lit: pa6 put_statue
  +pa6 lit: nothing
  -wpa +wpr -> … & final 10 N W* >present, certain
""",
)


def wants(scene, text):
    """Have a turn wanted; return whether that is possible."""
    return want(scene.tracker, parse_turn(text))


def test_nothing_is_wanted_after_the_turn_before_was_taken_back():
    scene = Scene()
    scene.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1200")
    assert wants(scene, "16 W W >past")
    press(scene, "undo", scene.game.mover)
    assert scene.tracker.wanted is None
    scene.do("-wpr +wpa -pa3 +pa1 .400")
    assert scene.game.turns == scene.game.turns[:0]
    assert not scene.tracker.recovery.leads_back


def test_an_offer_that_is_open_goes_when_a_turn_is_wanted():
    scene = Scene(GROWTH)
    press(scene, "action", scene.game.mover)
    assert scene.tracker.chooser.is_open()
    assert wants(scene, "1 E S >present")
    assert not scene.tracker.chooser.is_open()


def test_hands_that_tried_out_everything_leave_room_for_a_wanted_turn():
    """What was looked up of their actions fills the tree, and is forgotten then."""
    scene = Scene(format_position(objects.new_state(objects.ALL_MODULES)))
    tree = scene.game.turn_tree
    turn = [*scene.game.legal_turns()][-1]
    scene.game.legal(True)
    tree.is_full = True
    sought = tree.find
    tree.find = lambda sequence: -1 if tree.is_full else sought(sequence)
    assert want(scene.tracker, turn)
