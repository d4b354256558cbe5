"""What hands do, and which turn it is to the tracker: named scenarios, rule ids in the docstrings.

Scripts and what they tell are explained in hands.py.
"""

from chronotable.core.progress import OVER, PROVISIONAL, RESTORE, TURN
from chronotable.hardware.sensors import SHARED
from chronotable_host.rules.notation import format_position
from tests.table.hands import LAST_STAND, PARADOX, PUSH, START, TWINS, TWO_EAST, Scene, press
from ttykm import layout
from ttykm.layout import BLACK, WHITE

SQUISH = "w..............b/......wb......../w..............b 1 1 4 4 w"
CHAIN = "w.............../......b...w...b./w............... 1 1 4 4 b"
OWN_DEATH = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
FORWARD = "w..............b/.........w.....b/w..............b 1 1 4 4 w"
BACK = "w..............b/......b........./w..............b 1 1 4 4 b"
NOBODY_THERE = "w..............b/w..............b/w............... 0 2 4 4 b"


def is_final(position, script, turn, focus="-wpr +wpa", understood="certain"):
    """See a script, a marker and a second of rest make a final turn."""
    scene = Scene(position)
    if layout.mover(scene.game.state) == BLACK:
        focus = focus.replace("w", "b")
    told = scene.do(script + " " + focus + " .1000")
    assert told[:2] == ["provisional " + turn, "final " + turn + ", " + understood], told
    return scene


# ---------------------------------------------------------------- turns


def test_a_move():
    """T7, T16: two moves of a copy, and the focus is shifted."""
    is_final(START, "-pa1 +pa2 -pa2 +pa6", "1 E S >present", "-wpa +wpr")


def test_two_spaces_in_one_go():
    """T16: nobody lets go between two moves."""
    is_final(START, "-pa1 +pa3", "1 E E >present", "-wpa +wpr")


def test_a_push_mover_first():
    """T17"""
    is_final(PUSH, "-pr6 -pr7 +pr7 +pr8 -pr7 +pr3", "6 E N >past")


def test_a_push_victim_first():
    """T17: many players move the pushed copy before their own."""
    is_final(PUSH, "-pr7 +pr8 -pr6 +pr7 -pr7 +pr3", "6 E N >past")


def test_a_push_with_both_in_hand():
    """T17"""
    is_final(PUSH, "-pr7 -pr6 +pr8 +pr7 -pr7 +pr3", "6 E N >past")


def test_a_squish_mover_first():
    """T18: after the mover's lift the reeds look as if it had happened, but nobody touched it."""
    is_final(SQUISH, "-pr7 -pr8 +pr8 -pr8 +pr4", "7 E N >past")


def test_a_squish_victim_first():
    """T18"""
    is_final(SQUISH, "-pr8 -pr7 +pr8 -pr8 +pr4", "7 E N >past")


def test_a_paradox_in_several_orders():
    """T19, XS3: both whites die, the pusher goes on from where they met."""
    for script in ("-pr3 -pr7 -pr11 +pr7", "-pr11 -pr7 -pr3 +pr7", "-pr7 -pr3 +pr7 -pr11"):
        is_final(PARADOX, script + " -pr7 +pr6", "3 S W >past")


def test_an_own_death_ends_the_actions():
    """T14, T21, XS5"""
    for script in ("-pr7 -pr11", "-pr11 -pr7"):
        is_final(OWN_DEATH, script, "7 S >past")


def test_a_chain_in_several_orders():
    """T20, XS4: black squishes its own copy at the end of the line."""
    for script in ("-pr15 -pr11 +pr15 -pr7 +pr11", "-pr7 -pr11 -pr15 +pr15 +pr11"):
        is_final(CHAIN, script + " -pr11 +pr10", "7 S W >past")


def test_a_travel_forward():
    """T24, XS6"""
    is_final(FORWARD, "-pr10 +fu10 -fu10 +fu11", "10 F E >past")


def test_a_travel_back_in_three_orders():
    """T25, XS7: the copy goes and a new one stays, or the new one is put there straight away."""
    for script in ("-pr7 +pa7 +pr7", "-pr7 +pr7 +pa7", "+pa7"):
        is_final(BACK, script + " -pa7 +pa3", "7 B N >past")


def test_two_travels_back():
    """T25, T26, XS13: two pieces leave the supply."""
    scene = is_final(
        "...............b/...............b/..w............b 2 1 4 4 w",
        "+pr3 +pa3",
        "3 B B >past",
        "-wfu +wpa",
    )
    assert layout.supply(scene.game.state, WHITE) == 2


def test_no_travel_back_without_supply():
    """T27: a copy appears in the past and there is none to place."""
    scene = Scene("w..............b/.....w.........b/w..............b 1 2 0 4 w")
    assert scene.do("+pa6 .300") == ["take pa6, put -: wrong copy"]
    scene = Scene("w..............b/.....w.........b/w..............b 1 2 0 4 w")
    assert scene.do("-pr6 +pa6 +pr6 .300") == ["take pa6, put -: not a turn"]


def test_a_turn_without_copies_in_focus():
    """T10, XS16b: the marker alone is the turn."""
    is_final(NOBODY_THERE, "", ">present", "-bfu +bpr")


def test_a_push_whose_pieces_pass_through_the_first_action_again():
    """Game 59 of the vectors: on the way the same spaces are taken as after the first action."""
    is_final(
        "................/w....b..w.....w./ww...bb.w.b..w.b 2 2 0 1 w",
        "-fu14 +fu10 -fu2 -fu6 +fu2 +fu6 -fu10",
        "14 N N >present",
        "-wfu +wpr",
    )


def test_out_and_back_really_played_is_not_asked():
    """T8: the two actions may undo each other."""
    is_final(START, "-pa1 +pa2 -pa2 +pa1", "1 E W >present", "-wpa +wpr")


def test_clean_play_of_either_twin_is_not_asked():
    """The touched spaces tell what presence cannot."""
    is_final(TWINS, "-pr11 +pr10 -pr9 -pr10 +pr9", "11 W W >past")
    is_final(TWINS, "-pr11 +pr15 -pr15 -pr16 +pr16", "11 S E >past")


# ---------------------------------------------------------------- people


def test_a_change_of_mind_before_the_second_action():
    """T15: until the marker is placed everything may be done again, with another copy too."""
    is_final(
        "ww.............b/w..............b/w..............b 0 2 4 4 w",
        "-pa1 +pa5 -pa5 +pa1 -pa2 +pa3 -pa3 +pa7",
        "2 E S >present",
        "-wpa +wpr",
    )


def test_a_change_of_mind_leaves_no_trace():
    """The touches of an excursion are forgotten when everything certainly lies as before.

    Certain it is without a supply: else what was put back on 16 could be a new copy.
    """
    script = "-pr16 +pr16 -pr11 +pr10 -pr10 +pr11 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300"
    assert Scene(TWINS).do(script) == ["ask 11 W W >past | 11 S E >past"]
    without = TWINS.replace(" 1 0 w", " 0 0 w")
    assert Scene(without).do(script) == ["provisional 11 W W >past"]


def test_a_bystander_is_adjusted():
    for script in ("-pr1 +pr1 -pa1 +pa2 -pa2 +pa3", "-pa1 +pa2 -pr1 +pr1 -pa2 +pa3"):
        is_final(START, script, "1 E E >present", "-wpa +wpr")


def test_a_copy_is_lifted_put_back_and_moved():
    is_final(START, "-pa1 +pa1 -pa1 +pa2 -pa2 +pa2 -pa2 +pa3", "1 E E >present", "-wpa +wpr")


def test_the_marker_comes_before_the_last_piece():
    scene = Scene()
    assert scene.do("-pa1 +pa2 -pa2 -wpa +wpr .50") == []
    assert scene.do("+pa3") == ["provisional 1 E E >present"]


def test_the_marker_comes_while_the_reeds_look_like_a_squish():
    """T18: 6 E E would look like that, but the pushed copy was not touched again."""
    script = "-pr6 -pr7 +pr7 +pr8 -pr7 -wpr +wpa"
    assert Scene(PUSH).do(script + " +pr3") == ["provisional 6 E N >past"]
    scene = Scene(PUSH)
    assert scene.do(script + " .300") == ["ask 6 E E >past"]
    assert scene.do("-wpa +pr3 +wpa") == ["provisional 6 E N >past"]


def test_the_marker_rests_before_a_pushed_copy_is_moved():
    """T17: its new space is to be filled yet."""
    scene = Scene("w..............b/....w.b........./w..............b 1 1 4 4 w")
    told = scene.do("-pr5 +pr6 -pr6 -pr7 +pr7 -wpr +wpa .300")
    assert told == ["take -, put pr8: unfinished"]
    assert scene.tracker.phase == TURN
    assert scene.do("+pr8") == ["provisional 5 E E >past"]


def test_the_marker_is_slid_through_the_middle_era():
    """It closes the present's reed on its way from the past to the future."""
    scene = Scene()
    told = scene.do("-pa1 +pa3 -wpa +wpr -wpr +wfu .1000")
    assert told == [
        "provisional 1 E E >present",
        "reopened",
        "provisional 1 E E >future",
        "final 1 E E >future, certain",
    ]


# ---------------------------------------------------------------- two players' hands


def test_the_opponent_lifts_while_the_marker_is_in_the_air():
    scene = Scene()
    assert scene.do("-pa1 +pa3 -wpa -fu16 +wpr") == [
        "provisional 1 E E >present",
        "final 1 E E >present, certain",
    ]
    assert scene.do("+fu8 -bfu +bpr .1000") == [
        "provisional 16 N N >present",
        "final 16 N N >present, certain",
    ]


def test_the_opponent_adjusts_a_copy_while_the_marker_is_in_the_air():
    is_final(START, "-pa1 +pa3 -wpa -fu16 +fu16", "1 E E >present", "+wpr")


def test_the_opponent_takes_a_whole_action_before_the_marker_is_down():
    """Nothing is guessed: it is asked back until the marker is down."""
    scene = Scene()
    told = scene.do("-pa1 +pa3 -wpa -fu16 +fu12 +wpr .300")
    assert told == ["take fu12, put fu16: not a turn"]
    assert scene.do("-fu12 +fu16") == ["provisional 1 E E >present"]


# ---------------------------------------------------------------- when a turn counts


def test_a_turn_is_final_after_a_second_of_rest():
    """T15: the table cannot feel the release, so the marker has to rest."""
    scene = Scene()
    assert scene.do(TWO_EAST + " .950") == ["provisional 1 E E >present"]
    assert scene.tracker.phase == PROVISIONAL
    assert scene.do(".50") == ["final 1 E E >present, certain"]
    assert scene.game.mover == BLACK


def test_the_rest_is_a_setting():
    scene = Scene()
    scene.tracker.rest_ms = 400
    assert scene.do(TWO_EAST + " .350") == ["provisional 1 E E >present"]
    assert scene.do(".50") == ["final 1 E E >present, certain"]


def test_no_timer_ends_a_turn_without_the_marker():
    scene = Scene()
    assert scene.do("-pa1 +pa3 .60000") == []


def test_the_opponents_first_lift_makes_a_turn_final():
    scene = Scene()
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]
    assert scene.do("-fu16") == ["final 1 E E >present, certain"]
    assert scene.do("+fu12 -fu12 +fu8 -bfu +bpr") == ["provisional 16 N N >present"]


def test_the_opponents_marker_makes_a_turn_final_too():
    """T10: where it has no copies there is nothing else to lift."""
    scene = Scene(NOBODY_THERE.replace("4 b", "4 w"))
    assert scene.do(TWO_EAST + " -bfu +bpr") == [
        "provisional 1 E E >present",
        "final 1 E E >present, certain",
        "provisional >present",
    ]


def test_the_marker_reopens_a_provisional_turn():
    """T15: nothing counts before it is released."""
    scene = Scene()
    scene.do(TWO_EAST)
    assert scene.do(".300 -wpr") == ["reopened"]
    assert scene.tracker.phase == TURN
    assert scene.do("-pa3 +pa6 .300") == []
    assert scene.do("+wfu .1000") == [
        "provisional 1 E S >future",
        "final 1 E S >future, corrected",
    ]


def test_a_final_turn_is_taken_back_by_its_marker():
    """Until the opponent lifts something, the marker may be lifted again."""
    scene = Scene()
    scene.do(TWO_EAST + " .5000")
    assert scene.do("-wpr") == ["taken back 1 E E >present"]
    assert scene.game.mover == WHITE and not scene.game.turns
    assert scene.do("-pa3 +pa6 +wfu -fu16") == [
        "provisional 1 E S >future",
        "final 1 E S >future, corrected",
    ]


def test_a_turn_that_was_taken_back_is_put_back_altogether():
    """It has not won: the start position on the table begins no other game."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000")
    assert scene.do("-wpr -pa3 +pa1 +wpa .300") == ["taken back 1 E E >present"]
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_a_final_turn_is_not_taken_back_after_the_opponents_lift():
    for first in ("-fu16", "-bfu +bpa"):
        scene = Scene()
        scene.do(TWO_EAST + " .1000 " + first)
        assert scene.do("-wpr +wpr") == [], first
        assert len(scene.game.turns) == 1, first


def test_a_turn_that_is_taken_back_after_another_one_is_asked_about():
    """What was touched for it is known no more: that it was this turn is a guess."""
    scene = Scene("w.............../ww............b./w..............b 1 1 4 4 w")
    scene.do("-pr1 -pr2 -wpr +wpa .1000 -pr15 +pr14 -pr14 +pr13 -bpr +bpa .1000")
    press(scene, "undo", WHITE)
    scene.put_up(scene.game.state)
    assert scene.do(".400 -wpa")[-1] == "taken back 1 E >past"
    assert scene.do("+wpa .400") == ["ask 1 E >past"]


def test_a_winning_turn_is_taken_back_by_its_marker():
    """T15, T29"""
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert scene.tracker.phase == OVER
    assert scene.do("-wpa") == ["taken back 7 E N >past"]
    assert scene.do("+wfu .1000")[-1] == "over white by rules"


# ---------------------------------------------------------------- taking back with the button


def test_the_opponents_undo_takes_back_and_guides():
    """A later take-back needs the opponent's button."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16 +fu15")
    assert press(scene, "undo", WHITE) == []
    assert press(scene, "undo", BLACK) == ["taken back 1 E E >present"]
    assert scene.tracker.phase == RESTORE
    assert scene.do(".300") == ["take pa3 fu15 wpr, put pa1 fu16 wpa: restore"]
    assert scene.do("-fu15 -pa3 +pa1 -wpr +fu16 .300") == ["take -, put wpa: restore"]
    assert scene.do("+wpa .300") == []
    assert scene.tracker.phase == TURN
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_two_turns_are_taken_back_one_by_one():
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr .1000")
    assert press(scene, "undo", WHITE) == ["taken back 16 N N >present"]
    assert press(scene, "undo", WHITE) == []
    assert press(scene, "undo", BLACK) == ["taken back 1 E E >present"]
    assert format_position(scene.game.state) == START


def test_undo_gives_a_provisional_turn_up():
    """It never counted: nothing is recorded, and the turns before stay."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr")
    assert press(scene, "undo", BLACK) == [], "the own turn is reopened with the marker"
    assert press(scene, "undo", WHITE) == ["reopened"]
    assert len(scene.game.turns) == 1
    assert scene.do(".300") == ["take fu8 bpr, put fu16 bfu: restore"]


def test_the_pc_takes_back_for_either_player():
    scene = Scene()
    scene.do(TWO_EAST + " .1000")
    assert scene.tracker.undo(SHARED)
    assert scene.heard() == ["taken back 1 E E >present"]
    assert not scene.tracker.undo(SHARED)
