"""A turn that a player without hands wants: helping hands carry it out by the lights alone."""

import pytest

from chronotable.core.wanting import want
from chronotable_host.rules.notation import format_position, format_turn, parse_turn
from tests.table.hands import PARADOX, PUSH, START, Scene, press, sensor_of
from tests.table.test_chooser import GROWTH
from ttykm import objects


def wants(scene, text):
    """Have a turn wanted; return whether that is possible."""
    return want(scene.tracker, parse_turn(text))


def test_one_action_after_the_other_then_the_marker():
    scene = Scene(PUSH)
    assert wants(scene, "6 E S >future")
    assert scene.picture() == "pr6 todo_take, pr7 todo_take, pr8 todo_put_black"
    scene.do("-pr6 -pr7 +pr8")
    assert scene.picture() == "pr7 todo_put_white"
    scene.do("+pr7")
    assert scene.picture() == "pr7 todo_take, pr11 todo_put_white"
    scene.do("-pr7 +pr11")
    assert scene.picture() == ""
    assert scene.marker_picture() == "wpr todo_take, wfu todo_put"
    assert scene.do("-wpr +wfu") == [
        "provisional 6 E S >future",
        "final 6 E S >future, certain",
    ]


def test_other_touches_are_led_back():
    scene = Scene(PUSH)
    assert wants(scene, "6 E S >future")
    told = scene.do("-pa16 +pa15 .400")
    assert told[-1:] == ["take pa15 pr6 pr7, put pa16 pr8: wanted"]
    scene.do("-pa15 +pa16")
    assert scene.picture() == "pr6 todo_take, pr7 todo_take, pr8 todo_put_black"


def test_another_legal_turn_is_none_while_one_is_wanted():
    scene = Scene()
    assert wants(scene, "1 E F >future")
    told = scene.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .400")
    assert not [line for line in told if line.startswith(("final", "provisional", "ask"))]
    assert scene.marker_picture() == "wpa todo_put, wpr todo_take"
    scene.do("-wpr +wpa -pa3 +pa2 .400 -pa2 +pr2 -wpa +wfu")
    assert format_turn(scene.game.turns[-1]) == "1 E F >future"


@pytest.mark.parametrize("text", ["2 E F >future", "1 N N >future", "1 E F >past"])
def test_what_is_not_legal_is_not_wanted(text):
    scene = Scene()
    before = scene.picture()
    assert not wants(scene, text)
    assert scene.tracker.wanted is None
    assert scene.picture() == before


def test_said_again_nothing_changes_and_another_one_takes_its_place():
    scene = Scene()
    assert wants(scene, "1 E E >future")
    scene.do("-pa1 +pa2")
    picture = scene.picture()
    assert wants(scene, "1 E E >future")
    assert scene.picture() == picture == "pa2 todo_take, pa3 todo_put_white"
    assert wants(scene, "1 E F >future")
    assert scene.picture() == "pa2 todo_take, pr2 todo_put_white"


def test_what_no_reed_feels_is_lit_until_the_turn_counts():
    """G5: a seed has no magnet; the shrub and the tree that grow of it have."""
    scene = Scene(GROWTH)
    assert wants(scene, "1 pE S >present")
    assert scene.picture() == "pa2 plant, pr2 put_shrub, fu2 put_tree"
    scene.do("+pr2")
    assert scene.picture() == "pa2 plant, fu2 put_tree"
    scene.do("+fu2")
    assert scene.picture() == "pa1 todo_take, pa2 plant, pa5 todo_put_white"
    scene.do("-pa1 +pa5")
    assert scene.picture() == "pa2 plant"
    assert "final 1 pE S >present, certain" in scene.do("-wpa +wpr")


def test_a_seed_below_the_copy_is_lit_once_that_is_lifted():
    scene = Scene(GROWTH)
    assert wants(scene, "1 po E >present")
    assert scene.picture() == "pa1 todo_take, pa2 todo_put_white"
    scene.do("-pa1")
    assert scene.picture() == "pa1 plant, pa2 todo_put_white"


def test_which_object_is_put_is_lit():
    """A statue that is built stands in the later eras, too."""
    scene = Scene(format_position(objects.new_state(objects.INFLUENCE)))
    assert wants(scene, "1 sE S >present")
    assert scene.picture() == "pa2 put_white_statue, pr2 put_white_statue, fu2 put_white_statue"
    scene.do("+pa2 +pr2 +fu2")
    assert scene.picture() == "pa1 todo_take, pa5 todo_put_white"


def test_one_that_is_wanted_no_more_is_the_hands_own_turn():
    scene = Scene()
    assert wants(scene, "1 E E >future")
    scene.do("-pa1 +pa2")
    scene.tracker.want_nothing()
    assert "final 1 E F >present, certain" in scene.do("-pa2 +pr2 -wpa +wpr .1200")


def test_nothing_is_wanted_after_the_turn_before_was_taken_back():
    scene = Scene()
    scene.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr .1200")
    assert wants(scene, "16 W W >past")
    press(scene, "undo", scene.game.mover)
    assert scene.tracker.wanted is None
    scene.do("-wpr +wpa -pa3 +pa1 .400")
    assert scene.game.turns == scene.game.turns[:0]
    assert not scene.tracker.recovery.leads_back


def test_before_and_after_a_game_nothing_is_wanted():
    scene = Scene(START)
    scene.tracker.set_up()
    assert not wants(scene, "1 E E >future")
    scene = Scene(PARADOX)
    press(scene, "resign", 0)
    assert not wants(scene, "3 S S >future")


def test_a_broken_reed_is_passed_over_when_the_players_say_that_all_lies_there():
    scene = Scene()
    assert wants(scene, "1 E E >future")
    scene.wait(100)
    scene.do("-pa1 .2600")  # placed on pa2, whose reed stays open
    assert press(scene, "a") == ["fault pa2 c"]
    scene.do("+pa3 -wpa +wfu")
    assert format_turn(scene.game.turns[-1]) == "1 E E >future"
    assert sensor_of("pa2") not in scene.magnets


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


PULL = (
    "w........wb...../w..b........w.../w......b.......b 0 0 2 3 w influence "
    "nN7/nN7,nB15/nW5,nN7,nB15 statues=-"
)
"""White's copy on past 10 moves north, and then west: the statue on 7 comes after it."""


def test_what_takes_the_place_of_something_else_is_asked_for_by_taking_that_away_first():
    """No reed tells a statue from the copy that stood there before it."""
    scene = Scene(PULL)
    assert wants(scene, "10 N W* >present")
    scene.do("-pa10 +pa6")
    assert scene.picture().startswith("pa5 todo_put_white, pa6 todo_take, pa7 todo_take, ")
    scene.do("-pa6 +pa5")
    assert scene.picture().startswith("pa6 put_statue, pa7 todo_take, ")
    scene.do("-pa7 -pr7 +pr6 -fu7 +fu6")
    assert scene.picture() == "pa6 put_statue"
    scene.do("+pa6")
    assert scene.picture() == ""
    assert "final 10 N W* >present, certain" in scene.do("-wpa +wpr")


def test_what_is_built_where_a_seed_was_dug_up_is_lit_as_that():
    scene = Scene(
        "w...w.........../........w..b.bb./w...w........b.. 1 2 2 3 w growth+influence "
        "*1,*5,nN7,*15,*16/sh1,*5,nN7,nB8/nN7,nB8 seeds=0 statues=w"
    )
    assert wants(scene, "9 dN sN >future")
    assert scene.picture() == "pr5 put_white_statue, fu1 todo_take, fu5 todo_take"


def test_an_object_that_takes_a_copy_s_place_is_no_copy_put_back():
    """I9: a statue is built where a copy stands in a later era, which moves on."""
    state = "...............b/w...w..b......../.....w....b..... 1 2 4 4 w"
    scene = Scene(f"{state} influence nN7/nN7/nN7 statues=wb")
    assert wants(scene, "5 sE B >future")
    assert scene.picture() == "pr6 put_white_statue, fu6 todo_take, fu7 todo_take, fu8 put_statue"
    scene.do("-fu6 +fu6 -fu7")
    assert scene.picture() == "pr6 put_white_statue, fu7 todo_put_white, fu8 put_statue"


def test_what_was_put_in_the_place_of_an_object_is_not_asked_back():
    """I2: a copy out of the box may come first; as much lies there then as before the turn."""
    state = "........b......./w...w....b.b...b/.w.........b.... 2 2 3 2 b"
    there = "eD4,*6,nN7,*8,eL13/eD4,*5,nW6,nN7,sh8,nB11,eL13/*3,eD4,sh5,nN7,T8,nW10,nB11,eL13"
    scene = Scene(f"{state} growth+influence+memory {there} seeds=1 statues=-")
    assert wants(scene, "12 W pE >present")
    assert scene.picture() == "fu9 put_white_statue, fu10 todo_take, fu11 todo_take, fu12 todo_take"
    scene.do("-fu11 -fu10 +fu11 +fu10 -fu12")
    assert scene.picture() == "fu9 put_white_statue"
