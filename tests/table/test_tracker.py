"""What hands do, and what the tracker makes of it: named scenarios, rule ids in the docstrings.

Scripts and what they tell are explained in hands.py.
"""

from chronotable import faults
from chronotable.health import DOES_NOT_CLOSE
from chronotable.sensors import BUTTONS, SHARED
from chronotable.tracker import OVER, PROVISIONAL, QUESTION, RESTORE, TURN
from tests.table.hands import START, Scene, sensor_of
from ttykm import layout
from ttykm.layout import BLACK, NOBODY, STRICT_TWO_ACTIONS, WHITE
from ttykm.notation import format_position

BLACK_FIRST = "w..............b/w..............b/w..............b 2 0 4 4 b"
PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"
SQUISH = "w..............b/......wb......../w..............b 1 1 4 4 w"
PARADOX = "w..............b/..b...w...w...../w..............b 1 1 4 4 b"
CHAIN = "w.............../......b...w...b./w............... 1 1 4 4 b"
OWN_DEATH = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
FORWARD = "w..............b/.........w.....b/w..............b 1 1 4 4 w"
BACK = "w..............b/......b........./w..............b 1 1 4 4 b"
TWINS = "................/.w......b.wb...b/...b.w...w....b. 1 2 1 0 w"
"""11 W W and 11 S E look alike to the reeds."""
LAST_STAND = "w.............../w.....wb......../................ 1 1 4 4 w"
NOBODY_THERE = "w..............b/w..............b/w............... 0 2 4 4 b"
ONE_ERA = "...............b/w....w....b...../................ 0 2 4 4 b"
BESIDE_A_TWIN = "w.............../ww............b./w..............b 1 1 4 4 w"

TWO_EAST = "-pa1 +pa2 -pa2 +pa3 -wpa +wpr"


def press(scene, name, side=SHARED):
    scene.tracker.button(BUTTONS.index((name, side)), scene.now_ms)
    return scene.heard()


def blame(scene, name):
    """Let a reed be known not to close, and the position before the turn to lie there."""
    faults.blame(scene.tracker.reading, scene.tracker.sink, sensor_of(name), 0, DOES_NOT_CLOSE)


def is_final(position, script, turn, focus="-wpr +wpa", understood="certain"):
    """See a script, a marker and a second of rest make a final turn."""
    scene = Scene(position)
    if layout.mover(scene.game.state) == BLACK:
        focus = focus.replace("w", "b")
    told = scene.do(script + " " + focus + " .1000")
    assert told[:2] == ["provisional " + turn, "final " + turn + ", " + understood], told
    return scene


# ---------------------------------------------------------------- start


def test_the_markers_say_that_white_begins():
    """T3, T4: the start position is recognised, white's marker in the past."""
    scene = Scene(START, free=True)
    assert scene.heard() == ["started"]
    assert scene.game.mover == WHITE
    assert format_position(scene.game.state) == START


def test_the_markers_say_that_black_begins():
    """T4: the first player's focus is the past, whoever that is."""
    scene = Scene(BLACK_FIRST, free=True)
    assert scene.heard() == ["started"]
    assert scene.game.mover == BLACK
    assert format_position(scene.game.state) == BLACK_FIRST


def test_a_start_that_is_not_complete_is_guided():
    scene = Scene("w..............b/ww............../w..............b 0 2 4 4 w", free=True)
    assert scene.heard() == ["take pr2, put pr16: set up"]
    assert scene.do("-pr2 .300") == ["take -, put pr16: set up"]
    assert scene.do("+pr16 .300") == ["started"]


def test_both_markers_in_one_era_are_no_start():
    """T4: the two players' focuses are the past and the future."""
    scene = Scene("w..............b/w..............b/w..............b 0 0 4 4 w", free=True)
    assert scene.heard() == ["take bpa, put bfu: set up"]
    assert scene.do("-bpa +bfu .300") == ["started"]


def test_a_handicap_is_in_the_start_that_is_asked_for():
    """T6: pieces are missing from a supply, which no reed can see."""
    state = layout.new_state(WHITE, 0, 2)
    scene = Scene(format_position(state))
    assert layout.supply(scene.game.state, BLACK) == 2
    assert scene.do(TWO_EAST + " .1000")[-1] == "final 1 E E >present, certain"


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
    for rest, asked in ((".0", []), (".300", ["ask 6 E E >past"])):
        scene = Scene(PUSH)
        told = scene.do(f"-pr6 -pr7 +pr7 +pr8 -pr7 -wpr +wpa {rest} +pr3")
        assert told == asked + ["provisional 6 E N >past"], rest  # noqa: RUF005


def test_the_marker_rests_before_a_pushed_copy_is_moved():
    """T17: its new space is to be filled yet."""
    scene = Scene("w..............b/....w.b........./w..............b 1 1 4 4 w")
    told = scene.do("-pr5 +pr6 -pr6 -pr7 +pr7 -wpr +wpa .300")
    assert told == ["take -, put pr8: unfinished"]
    assert scene.tracker.phase == TURN
    assert scene.do("+pr8") == ["provisional 5 E E >past"]


def test_the_marker_is_slid_through_the_middle_era():
    """DESIGN 4: it closes the present's reed on its way from the past to the future."""
    scene = Scene()
    told = scene.do("-pa1 +pa3 -wpa +wpr -wpr +wfu .1000")
    assert told == [
        "provisional 1 E E >present",
        "reopened",
        "provisional 1 E E >future",
        "final 1 E E >future, certain",
    ]


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
    """DESIGN 4"""
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
    """DESIGN 4: until the opponent lifts something, the marker may be lifted again."""
    scene = Scene()
    scene.do(TWO_EAST + " .5000")
    assert scene.do("-wpr") == ["taken back 1 E E >present"]
    assert scene.game.mover == WHITE and not scene.game.turns
    assert scene.do("-pa3 +pa6 +wfu -fu16") == [
        "provisional 1 E S >future",
        "final 1 E S >future, corrected",
    ]


def test_a_final_turn_is_not_taken_back_after_the_opponents_lift():
    scene = Scene()
    scene.do(TWO_EAST + " .1000 -fu16")
    assert scene.do("-wpr +wpr") == []
    assert len(scene.game.turns) == 1


def test_a_winning_turn_is_taken_back_by_its_marker():
    """T15, T29"""
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert scene.tracker.phase == OVER
    assert scene.do("-wpa") == ["taken back 7 E N >past"]
    assert scene.do("+wfu .1000")[-1] == "over white by rules"


# ---------------------------------------------------------------- taking back with the button


def test_the_opponents_undo_takes_back_and_guides():
    """DESIGN 4: a later take-back needs the opponent's button."""
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


# ---------------------------------------------------------------- questions


def test_a_forgotten_turn_is_asked_though_out_and_back_would_fit():
    """T11: only the marker moved, and 1 E W would look like that."""
    scene = Scene()
    assert scene.do("-wpa +wpr .300") == ["ask 1 E W >present"]
    assert scene.tracker.phase == QUESTION
    assert scene.do(".60000") == []


def test_out_and_back_really_played_is_not_asked():
    """T8: the two actions may undo each other."""
    is_final(START, "-pa1 +pa2 -pa2 +pa1", "1 E W >present", "-wpa +wpr")


def test_a_push_whose_pusher_never_moved_is_asked():
    """T11: the victim was put aside and the own copy forgotten; 6 E W would look like that."""
    scene = Scene(PUSH)
    assert scene.do("-pr7 +pr8 -wpr +wpa .300") == ["ask 6 E W >past"]


def test_a_question_is_answered_by_a_button():
    scene = Scene(TWINS)
    asked = scene.do("-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300")
    assert asked == ["ask 11 W W >past | 11 S E >past"]
    assert press(scene, "c") == []
    assert press(scene, "b") == ["provisional 11 S E >past"]
    assert scene.do(".1000") == ["final 11 S E >past, asked"]


def test_a_question_is_answered_by_the_pc():
    scene = Scene(TWINS)
    scene.do("-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300")
    assert not scene.tracker.answer(2, scene.now_ms)
    assert scene.tracker.answer(0, scene.now_ms)
    assert scene.heard() == ["provisional 11 W W >past"]
    assert not scene.tracker.answer(0, scene.now_ms)
    assert scene.do(".1000") == ["final 11 W W >past, asked"]


def test_clean_play_of_either_twin_is_not_asked():
    """FIELD-NOTES a: the touched spaces tell what presence cannot."""
    is_final(TWINS, "-pr11 +pr10 -pr9 -pr10 +pr9", "11 W W >past")
    is_final(TWINS, "-pr11 +pr15 -pr15 -pr16 +pr16", "11 S E >past")


def test_a_question_is_answered_by_the_hands():
    scene = Scene(TWINS)
    scene.do("-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300")
    assert scene.do("-pr9 +pr9 .300") == ["ask 11 W W >past | 11 S E >past"]
    # what was done to 9 meanwhile, a reed that does not close would explain as well
    assert scene.do("-pr9 +pr6 +pr9 .300") == ["ask 11 W N >past | 11 W W >past"]
    assert press(scene, "a") == ["provisional 11 W N >past"]


def test_a_forgotten_turn_is_played_after_the_question():
    scene = Scene()
    scene.do("-wpa +wpr .300")
    assert scene.do("-pa1 +pa3 .1000") == [
        "provisional 1 E E >present",
        "final 1 E E >present, certain",
    ]


def test_the_marker_goes_home_after_the_question():
    scene = Scene()
    scene.do("-wpa +wpr .300")
    assert scene.do("-wpr +wpa .300") == []
    assert scene.tracker.phase == TURN
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


# ---------------------------------------------------------------- mistakes


def test_an_illegal_arrangement_is_named_when_it_has_settled():
    """T16: two spaces are not diagonal-and-one; it is named after 250 ms, once, and guided back."""
    scene = Scene()
    assert scene.do("-pa1 +pa11 .200") == []
    assert scene.do(".50") == ["take pa11, put pa1: not a turn"]
    assert scene.do(".5000") == []
    assert scene.do("-pa11 .300") == ["take -, put pa1: not a turn"]
    assert scene.do("+pa1 .300") == []
    told = scene.do(TWO_EAST + " .1000")
    assert told[-1] == "final 1 E E >present, corrected"


def test_the_settling_time_is_a_setting():
    scene = Scene()
    scene.tracker.settle_ms = 600
    assert scene.do("-pa1 +pa11 .550") == []
    assert scene.do(".50") == ["take pa11, put pa1: not a turn"]


def test_a_mistake_after_the_first_action_is_guided_to_it():
    """The way back is the shortest: to the last arrangement that was legal."""
    scene = Scene()
    assert scene.do("-pa1 +pa2 -pa2 +pa12 .300") == ["take pa12, put pa2: not a turn"]


def test_a_copy_of_another_era_is_named():
    """T7: only copies of the focus era may be chosen."""
    assert Scene().do("-pr1 +pr2 .300") == ["take pr2, put pr1: no copy there"]


def test_a_copy_that_may_not_be_chosen_is_named():
    """T12, XS15: copy 1 can take one action only, others can take two."""
    scene = Scene("ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w")
    assert scene.do("-pa1 +pa9 .300") == ["take pa9, put pa1: choose abler copy"]


def test_an_opponents_copy_is_named():
    """T7"""
    assert Scene().do("-pa16 +pa15 .300") == ["take pa15, put pa16: wrong copy"]


def test_the_second_action_is_due():
    """T11: both actions must be taken where they can be."""
    scene = Scene()
    assert scene.do("-pa1 +pa2 -wpa +wpr .300") == ["take wpr, put wpa: second action due"]
    assert scene.do("-pa2 +pa3 .1000") == [
        "provisional 1 E E >present",
        "final 1 E E >present, corrected",
    ]


def test_what_is_still_to_be_moved_is_said_when_the_marker_stands():
    """T23: one of the two that died is still there."""
    scene = Scene(PARADOX)
    assert scene.do("-pr3 -pr7 +pr7 -pr7 +pr6 -bpr +bfu .300") == ["take pr11, put -: unfinished"]
    assert scene.do("-pr11") == ["provisional 3 S W >future"]


def test_the_opponents_marker_is_misplaced():
    """T28: nothing but its player's turn moves a focus."""
    scene = Scene()
    assert scene.do("-bfu .300") == []
    assert scene.do("+bpr .300") == ["take bpr, put bfu: marker misplaced"]
    assert scene.do("-bpr +bfu " + TWO_EAST + " .1000") == [
        "provisional 1 E E >present",
        "final 1 E E >present, certain",
    ]


def test_a_strict_game_bars_the_early_death():
    """T14 with strict_two_actions: a two-action turn exists, so 1 E into the own copy is none."""
    scene = Scene(BESIDE_A_TWIN, STRICT_TWO_ACTIONS)
    assert scene.do("-pr1 -pr2 -wpr +wpa .300") == ["take wpa, put pr1 pr2 wpr: not a turn"]
    scene = Scene(BESIDE_A_TWIN)
    assert scene.do("-pr1 -pr2 -wpr +wpa") == ["provisional 1 E >past"]


# ---------------------------------------------------------------- ends


def test_a_win():
    """T29, T31: black is left with no era but one, and white's turn has just ended."""
    scene = Scene(LAST_STAND)
    assert scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000") == [
        "provisional 7 E N >past",
        "final 7 E N >past, certain",
        "over white by rules",
    ]
    assert scene.tracker.winner == WHITE


def test_a_win_without_an_action():
    """T10, T31, XS16: the check comes after a turn of the marker alone, too."""
    scene = Scene(ONE_ERA)
    assert scene.do("-bfu +bpa .1000") == [
        "provisional >past",
        "final >past, certain",
        "over black by rules",
    ]


def test_a_new_game_begins_with_the_start_position():
    """T4: after a game the start is set up by hand, by whoever begins, the options are kept."""
    scene = Scene(LAST_STAND, STRICT_TWO_ACTIONS)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert scene.do("-pr4 +pa16 +pr16 +fu1 +fu16 -bpr .1000") == []
    assert scene.do("+bfu .300") == ["started"]
    assert format_position(scene.game.state) == START
    assert scene.game.options == STRICT_TWO_ACTIONS
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_clearing_the_table_by_the_winners_marker_first_takes_nothing_back():
    """The lift looks like a take-back until the start lies there: then the win counts again."""
    scene = Scene(LAST_STAND, STRICT_TWO_ACTIONS)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert scene.do("-wpa")[0] == "taken back 7 E N >past"
    told = scene.do("-pr4 .3000 +pa16 +pr16 +fu1 +fu16 -bpr .3000 +wpa +bfu .300")
    assert told[-3:] == ["final 7 E N >past, certain", "over white by rules", "started"]
    assert format_position(scene.game.state) == START
    assert scene.game.options == STRICT_TWO_ACTIONS
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_black_may_begin_the_next_game():
    """T4: the loser goes first."""
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert scene.do("-pr4 +pa16 +pr16 +fu1 +fu16 -bpr +bpa -wpa +wfu .300") == ["started"]
    assert format_position(scene.game.state) == BLACK_FIRST


def test_a_player_resigns():
    """T32: at any time."""
    for side, winner in ((WHITE, "black"), (BLACK, "white")):
        scene = Scene()
        scene.do("-pa1")
        assert press(scene, "resign", side) == [f"over {winner} by resignation"]
        assert press(scene, "resign", side) == []


def test_a_turn_that_is_resigned_to_counts():
    """T32: the opponent gives up at the sight of a turn, before the marker has rested."""
    scene = Scene()
    scene.do(TWO_EAST)
    assert press(scene, "resign", BLACK) == [
        "final 1 E E >present, certain",
        "over white by resignation",
    ]


def test_nobody_resigns_to_a_winning_turn():
    """T29: it has won already."""
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa")
    assert press(scene, "resign", WHITE)[-1] == "over white by rules"


def test_a_draw_by_two_presses():
    """T32: by agreement only."""
    scene = Scene()
    scene.do("-pa1")
    assert press(scene, "draw") == []
    assert press(scene, "draw") == ["over draw by agreement"]
    assert scene.tracker.winner == NOBODY


def test_one_player_alone_agrees_on_nothing():
    """T32: the PC says whose offer it is; the same side twice is no agreement."""
    scene = Scene()
    scene.tracker.offer_draw(WHITE)
    scene.tracker.offer_draw(WHITE)
    assert scene.heard() == []
    scene.tracker.offer_draw(BLACK)
    assert scene.heard() == ["over draw by agreement"]


def test_the_end_is_seen_in_the_start_position():
    """Resigned before the first move: the next game begins when somebody touches the table."""
    scene = Scene()
    assert press(scene, "resign", WHITE) == ["over black by resignation"]
    assert scene.do(".2000") == []
    assert scene.tracker.phase == OVER
    assert scene.do("-pa1 +pa1 .300") == ["started"]


def test_a_draw_is_agreed_with_a():
    scene = Scene()
    scene.do(TWO_EAST)
    assert press(scene, "draw") == ["final 1 E E >present, certain"]
    assert scene.do(".2000") == [], "the offer stands"
    assert press(scene, "a") == ["over draw by agreement"]


def test_a_draw_is_declined():
    """With b, or by going on."""
    scene = Scene()
    press(scene, "draw")
    assert press(scene, "b") == []
    assert press(scene, "a") == []
    press(scene, "draw")
    scene.do("-pa1")
    assert press(scene, "draw") == [], "a lift has declined the first offer"
    assert press(scene, "draw") == ["over draw by agreement"]


def test_an_offer_does_not_outlive_the_game():
    scene = Scene()
    press(scene, "draw")
    scene.tracker.set_up()
    assert press(scene, "a") == []
    assert scene.tracker.phase == RESTORE


def test_two_misplaced_copies_are_guided_to_the_start_of_the_turn():
    """Both in the hand look like a self-paradox (T21); what was placed since tells otherwise."""
    scene = Scene("w....w.........b/w..............b/w..............b 0 2 3 4 w")
    assert scene.do("-pa1 -pa6 +pa2 +pa5 .300") == ["take pa2 pa5, put pa1 pa6: not a turn"]


def test_a_game_begins_as_soon_as_the_pieces_stand():
    scene = Scene(free=True)
    assert scene.heard() == ["started"]
    press(scene, "resign", WHITE)
    scene.do("-pa1")
    scene.tracker.set_up()
    scene.heard()
    assert scene.do("+pa1") == ["started"]


# ---------------------------------------------------------------- broken reeds


def flicker(scene, name, edges):
    """Let a reed change every 40 ms; return what is told."""
    sensor = sensor_of(name)
    for _ in range(edges):
        scene.gesture(sensor, sensor not in scene.magnets, 40)
    return scene.heard()


def test_a_reed_that_does_not_open_is_asked_about_and_named():
    """The copy went, its old space still says that it lies there; 1 alone could be the reed."""
    scene = Scene()
    assert scene.do("+pa3 -wpa +wpr .300") == ["take pa1, put -: unfinished"]
    assert press(scene, "a") == ["fault pa1 o"]
    assert scene.do(".1100") == ["provisional 1 E E >present", "final 1 E E >present, asked"]
    assert scene.do("-fu16 +fu8 -bfu +bpr .1100")[-1] == "final 16 N N >present, certain"


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


def test_a_flickering_marker_takes_nothing_back():
    """The reed under the marker begins to flicker when the turn is final."""
    scene = Scene()
    assert scene.do(TWO_EAST + " .1100")[-1] == "final 1 E E >present, certain"
    told = flicker(scene, "wpr", 10)
    assert told[0] == "taken back 1 E E >present"
    assert told[-2:] == ["fault wpr f", "provisional 1 E E >present"]
    assert scene.do(".1000") == ["final 1 E E >present, corrected"]


def test_a_reed_that_does_not_close_leaves_a_choice():
    """1 went and came down nowhere: several spaces may have a reed that does not close."""
    scene = Scene()
    told = scene.do("-pa1 +pa2 -pa2 -wpa +wpr .2100")
    assert told[-1] == "ask 1 E E >present | 1 E S >present | 1 E W >present"
    assert scene.picture() == "pa1 question_c, pa3 question, pa6 question_b"
    assert press(scene, "b") == ["fault pa6 c", "provisional 1 E S >present"]
    assert scene.do(".1000") == ["final 1 E S >present, asked"]


def test_none_of_these():
    scene = Scene()
    told = scene.do("-pa1 +pa2 -pa2 -wpa +wpr .2100")
    assert told[-1].startswith("ask 1 E E")
    told = press(scene, "action", WHITE)
    assert told == ["ask 1 E F >present | 1 S S >present | 1 S F >present"]
    assert press(scene, "action", BLACK) == []
    assert scene.do(".300")[-1].startswith("take")
    assert not any(scene.tracker.health.kinds)
    assert scene.do("+pa3") == ["provisional 1 E E >present"]


def test_a_provisional_turn_is_rejected():
    """The lights show what was understood; if it is wrong, the action button says so."""
    scene = Scene()
    assert scene.do("-pa1 +pa2 -pa2 +pa3 -wpa +wpr") == ["provisional 1 E E >present"]
    told = press(scene, "action", WHITE)
    assert told[0] == "reopened"
    assert scene.tracker.phase in (TURN, QUESTION)
    assert all("1 E E" not in line for line in told)


def test_a_space_that_cannot_be_felt_is_played_on():
    """Present 2 is virtual: who vanishes on the way stands there."""
    scene = Scene("..w............b/......w........b/w..............b 1 2 4 4 w")
    blame(scene, "pr2")
    assert scene.heard() == ["fault pr2 c"]
    assert scene.do("-pr7 -wpr +wpa")[-1] == "provisional 7 N W >past"
    assert scene.do(".1000 -fu16 +fu8 -bfu +bpr .1100")[-1].startswith("final 16 N N")


def test_a_space_that_cannot_be_felt_is_asked_for():
    """12 may have gone out and back, or have left a copy in the present, which went to 16."""
    scene = Scene("w.............../....w.b........./...........b...b 0 2 3 4 b")
    blame(scene, "pr16")
    told = scene.do("-fu12 +fu12 -bfu +bpr .300")
    assert told == ["fault pr16 c", "ask 12 N S >present | 12 B S >present"]
    assert press(scene, "b") == ["provisional 12 B S >present"]
    assert scene.do(".1000") == ["final 12 B S >present, asked"]


def test_a_marker_that_is_felt_nowhere():
    scene = Scene()
    told = scene.do("-pa1 +pa3 -wpa .1900")
    assert told == []
    assert scene.do(".200") == ["ask 1 E E >present | 1 E E >future"]
    assert (scene.picture(), scene.marker_picture()) == ("", "wpr question, wfu question_b")
    assert press(scene, "b") == ["fault wfu c", "provisional 1 E E >future"]


def test_a_marker_whose_old_spot_stays_closed():
    scene = Scene()
    told = scene.do("-pa1 +pa3 +wpr .300")
    assert told == ["take wpr, put -: marker misplaced"]
    assert scene.do(".1800") == ["ask 1 E E >present"]
    assert press(scene, "a") == ["fault wpa o", "provisional 1 E E >present"]


def test_a_turn_is_ended_by_word_where_no_marker_is_felt():
    """Both other spots are known to be broken, and home as well."""
    scene = Scene()
    for name in ("wpa", "wpr", "wfu"):
        blame(scene, name)
    scene.heard()
    assert scene.do("-pa1 +pa3 .300") == []
    assert press(scene, "a") == ["ask 1 E E >present | 1 E E >future"]
    assert press(scene, "a") == ["provisional 1 E E >present"]


def test_a_flickering_space_is_left_out_and_heals():
    scene = Scene()
    assert flicker(scene, "pa7", 10)[-1] == "fault pa7 f"
    assert scene.do(TWO_EAST + " .5000")[-1] == "final 1 E E >present, certain"
    told = scene.do("-fu16 +fu8 -bfu +bpr .1000")
    assert told[-2:] == ["final 16 N N >present, certain", "fault pa7 h"]


def test_a_row_that_goes_at_once_is_named():
    scene = Scene()
    scene.tracker.health._cell_of = bytearray(range(64))
    for sensor in (0, 16):
        scene.magnets.discard(sensor)
        scene.tracker.edge(sensor, False, scene.now_ms)
    scene.tracker.health.lost_line = True  # past 1 and present 1, were they wired to one row
    told = scene.do(".300")
    assert told == ["take -, put pa1 pr1: no copy there"], told
    assert press(scene, "a") == ["fault pa1 c", "fault pr1 c"]


def test_a_spot_that_closes_while_the_marker_is_in_the_air():
    """Nobody has two markers: which of the spots is it?"""
    scene = Scene()
    assert scene.do("-pa1 +pa3 -wpa +wpr") == ["provisional 1 E E >present"]
    assert scene.do("+wfu .300") == ["reopened", "take wpr wfu, put wpa: marker misplaced"]
    assert scene.do(".1800") == ["ask 1 E E >present | 1 E E >future"]
    assert press(scene, "b") == ["fault wpr o", "provisional 1 E E >future"]


def test_the_old_spot_closes_again_by_itself():
    for script, told in (
        (".1000", ["reopened", "ask 1 E E >present"]),
        ("-fu16", ["final 1 E E >present, certain"]),
        ("-pa3", ["reopened"]),
    ):
        scene = Scene()
        assert scene.do("-pa1 +pa3 -wpa +wpr +wpa") == ["provisional 1 E E >present"]
        assert scene.do(script) == told, script


def test_a_push_whose_pieces_pass_through_the_first_action_again():
    """Game 59 of the vectors: on the way the same spaces are taken as after the first action."""
    is_final(
        "................/w....b..w.....w./ww...bb.w.b..w.b 2 2 0 1 w",
        "-fu14 +fu10 -fu2 -fu6 +fu2 +fu6 -fu10",
        "14 N N >present",
        "-wfu +wpr",
    )
