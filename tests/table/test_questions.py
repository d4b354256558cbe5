"""What is no turn as it lies there: questions, mistakes and how they are guided, broken reeds.

Scripts and what they tell are explained in hands.py.
"""

from chronotable.core import faults
from chronotable.core.health import DOES_NOT_CLOSE
from chronotable.core.progress import QUESTION, RESTORE, TURN
from chronotable.hardware.sensors import SHARED
from tests.table.hands import PARADOX, PUSH, START, TWINS, TWO_EAST, Scene, press, sensor_of
from ttykm.layout import BLACK, STRICT_TWO_ACTIONS, WHITE

ASKED_TWINS = "-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300"
"""11 W W, after a bystander was touched on the space that 11 S E would have touched."""
TRAVELLER = "................/b.............../.w.............b 2 1 1 4 w"
"""2 B W leaves a copy behind and squishes present 1: to the reeds all lies as before."""
BESIDE_A_TWIN = "w.............../ww............b./w..............b 1 1 4 4 w"


# ---------------------------------------------------------------- questions


def test_a_forgotten_turn_is_asked_though_out_and_back_would_fit():
    """T11: only the marker moved, and 1 E W would look like that."""
    scene = Scene()
    assert scene.do("-wpa +wpr .300") == ["ask 1 E W >present"]
    assert scene.tracker.phase == QUESTION
    assert scene.do(".60000") == []


def test_a_push_whose_pusher_never_moved_is_asked():
    """T11: the victim was put aside and the own copy forgotten; 6 E W would look like that."""
    scene = Scene(PUSH)
    assert scene.do("-pr7 +pr8 -wpr +wpa .300") == ["ask 6 E W >past"]


def test_a_copy_that_changes_colour_has_been_touched():
    """Who passed by present 2 only is not asked about 2 B W, and who played it not about 2 E W."""
    scene = Scene(TRAVELLER)
    told = scene.do("-fu2 +fu2 +pr2 -pr2 -wfu +wpr .300")
    assert told == ["ask 2 E W >present | 2 B E >present | 2 B S >present"]
    scene = Scene(TRAVELLER)
    told = scene.do("-fu2 +pr2 +fu2 -pr2 -pr1 +pr1 -wfu +wpr")
    assert told == ["provisional 2 B W >present"]


def test_who_has_no_turn_is_asked_when_the_owners_are_never_confirmed():
    """Players who overlook that light can still say that only the marker moved (T10)."""
    scene = Scene("................/w..............b/w..............b 0 2 4 4 w")
    scene.do("-pr1 -pr16 +pr1 +pr15 -wpa +wpr .300 -pr15 +pr16 .300")
    assert scene.picture() == "pr1 confirm_white, pr16 confirm_black"
    assert scene.do(".2100") == ["ask >present"]
    assert press(scene, "a") == ["provisional >present"]


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


def test_what_is_touched_does_not_answer_a_question():
    """Whoever touches it: what lay there is asked back, and then the question comes again."""
    scene = Scene(TWINS)
    scene.do(ASKED_TWINS)
    question = "pr9 question, pr16 question_b"
    assert scene.do("-pr9 +pr9 .300") == []
    assert scene.picture() == question
    assert scene.do("-fu4 +fu8 -fu8 +fu4") == []
    assert scene.picture() == question, "only one colour was in the hand"
    assert scene.do("-pr9 +pr6") == []
    assert scene.picture() == "pr6 todo_take, pr9 todo_put"
    assert scene.do(".300") == ["take pr6, put pr9: unanswered"]
    assert scene.do(".60000") == []
    assert scene.do("-pr6 +pr9 .300") == ["ask 11 W W >past | 11 S E >past"]
    assert scene.picture() == question
    assert press(scene, "a") == ["provisional 11 W W >past"]


def test_who_forgets_the_actions_again_and_again_needs_no_doctor():
    scene = Scene(START + " growth -/-/- seeds=5")
    for _ in range(4):
        assert scene.do("-wpa +wpr .2500") == ["take wpr, put wpa: actions due"]
        assert scene.marker_picture() == "wpa todo_put, wpr todo_take"
        scene.do("-wpr +wpa .300")


def test_an_object_that_is_asked_back_is_named():
    scene = Scene(TWINS + " growth -/-/T1 seeds=4")
    scene.do(ASKED_TWINS)
    assert scene.picture() == "pr9 question, pr16 question_b"
    scene.do("-fu1 .300")
    assert scene.picture() == "fu1 put_tree"
    scene.do("+fu1 .300")
    assert scene.picture() == "pr9 question, pr16 question_b"


def test_the_next_player_s_turn_does_not_answer_a_question():
    """A whole turn of black's, and white's marker moved on: all of it is led back."""
    scene = Scene(TWINS)
    scene.do(ASKED_TWINS)
    told = scene.do("-fu4 +fu8 -fu8 +fu7 -bfu +bpr .5000")
    assert told == ["take fu7 bpr, put fu4 bfu: unanswered"]
    assert scene.do("-wpa +wfu .300") == ["take fu7 wfu bpr, put fu4 wpa bfu: unanswered"]
    assert scene.picture() == "fu4 todo_put_black, fu7 todo_take"
    assert scene.do("-wfu -fu7 +wpa -bpr +fu4 +bfu .300") == ["ask 11 W W >past | 11 S E >past"]
    assert press(scene, "b") == ["provisional 11 S E >past"]
    assert scene.do("-fu4 +fu8 -fu8 +fu12 -bfu +bpa .1000") == [
        "final 11 S E >past, asked",
        "provisional 4 S S >past",
        "final 4 S S >past, certain",
    ]


def test_the_other_colour_is_asked_back():
    """Two pieces have changed places meanwhile: reeds see nothing, the lights want to be sure."""
    scene = Scene()
    assert scene.do("-wpa +wpr .300") == ["ask 1 E W >present"]
    told = scene.do("-pr1 -pr16 +pr1 +pr16 .300")
    assert told == ["take -, put -: unanswered"]
    assert scene.picture() == "pr1 confirm_white, pr16 confirm_black"
    assert scene.do("-pr1 +pr1 -pr16 +pr16 .300")[-1:] == ["ask 1 E W >present"]


def test_a_question_behind_a_guide_is_not_answered():
    """Who presses late means the question that was lit: no choice, and no reed is accused."""
    scene = Scene()
    scene.do("-wpa +wpr .300 -pa1 +pa3 .300")
    for name, side in (("a", SHARED), ("b", SHARED), ("action", WHITE), ("action", BLACK)):
        assert press(scene, name, side) == [], name
    assert not scene.tracker.answer(0, scene.now_ms)
    assert not any(scene.tracker.health.kinds)
    assert scene.tracker.phase == QUESTION
    assert scene.do("-pa3 +pa1 .300") == ["ask 1 E W >present"]


def test_a_reed_that_breaks_while_a_question_is_open():
    """The copy was put back, and is not felt: once the lights have asked long enough, a says so."""
    scene = Scene()
    assert scene.do("-wpa +wpr .300 -pr1 .300")[-1] == "take -, put pr1: unanswered"
    assert press(scene, "a") == []
    scene.do(".2000")
    assert press(scene, "a") == ["fault pr1 c"]
    assert scene.do(".100") == ["ask 1 E W >present"]


def test_all_is_taken_back_instead_of_an_answer():
    """The position before the turn lies there, markers included: the turn begins anew."""
    scene = Scene(TWINS)
    scene.do(ASKED_TWINS)
    scene.do("-fu4 .300 -pr9 +pr11 +pr9 -wpa +wpr +fu4 .300")
    assert scene.tracker.phase == RESTORE, "whose pieces lie there is to be confirmed"
    assert scene.picture() == "pr9 confirm_black, pr11 confirm_white, pr16 confirm_black"
    scene.do("-pr9 +pr9 -pr11 +pr11 -pr16 +pr16 .300")
    assert scene.tracker.phase == TURN
    assert scene.do("-pr11 +pr15 -pr15 -pr16 +pr16 -wpr +wpa") == ["provisional 11 S E >past"]


def test_the_next_player_begins_before_the_question_is_lit():
    """What the reeds leave open is asked at the opponent's lift, which counts for nothing."""
    scene = Scene(TWINS)
    told = scene.do(ASKED_TWINS.replace(" .300", "") + " -fu4")
    assert told == ["ask 11 W W >past | 11 S E >past"]
    assert scene.do("+fu8 .300") == ["take fu8, put fu4: unanswered"]


def test_the_next_player_begins_while_the_marker_of_a_doubt_is_in_the_air():
    scene = Scene(TWINS)
    told = scene.do(ASKED_TWINS.replace("+wpa .300", "-fu4 +wpa"))
    assert told == ["ask 11 W W >past | 11 S E >past"]
    assert scene.do("+fu8 .300") == ["take fu8, put fu4: unanswered"]


def test_a_forgotten_turn_is_played_after_the_question():
    """With the marker in the hand it goes on, as after every turn that has ended."""
    scene = Scene()
    scene.do("-wpa +wpr .300")
    assert scene.do("-wpr -pa1 +pa3 +wpr .1000") == [
        "provisional 1 E E >present",
        "final 1 E E >present, certain",
    ]


def test_a_turn_that_was_not_understood_is_not_lost_under_the_next_one():
    """Black overlooks a guide and takes a turn: back to where white's turn began."""
    scene = Scene()
    assert scene.do("-pa1 +pa2 -wpa +wpr .300") == ["take wpr, put wpa: second action due"]
    told = scene.do("-fu16 +fu15 -fu15 +fu14 -bfu +bpr .300")
    assert told[-1] == "take pa2 fu14 wpr bpr, put pa1 fu16 wpa bfu: restore"
    assert scene.tracker.phase == RESTORE
    scene.do("-pa2 +pa1 -fu14 +fu16 -bpr +bfu -wpr +wpa .300")
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_what_is_led_back_ends_no_turn_on_the_way():
    """The marker stands as it did for a turn that is not understood; 1 E W would end there."""
    scene = Scene()
    told = scene.do("-pa1 +pa2 -pa2 +pa1 -pr1 +pr11 -wpa +wpr .300")
    assert told == ["take pr11 wpr, put pr1 wpa: no copy there"]
    assert scene.do("-pr11 +pr1 .300") == ["take wpr, put wpa: actions due"]
    assert scene.do(".1500 -wpr +wpa .300") == []
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


def test_the_marker_goes_home_after_the_question():
    scene = Scene()
    scene.do("-wpa +wpr .300")
    assert scene.do("-wpr +wpa .300") == []
    assert scene.tracker.phase == TURN
    assert scene.do(TWO_EAST) == ["provisional 1 E E >present"]


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


def test_two_misplaced_copies_are_guided_to_the_start_of_the_turn():
    """Both in the hand look like a self-paradox (T21); what was placed since tells otherwise."""
    scene = Scene("w....w.........b/w..............b/w..............b 0 2 3 4 w")
    assert scene.do("-pa1 -pa6 +pa2 +pa5 .300") == ["take pa2 pa5, put pa1 pa6: not a turn"]


# ---------------------------------------------------------------- broken reeds


def blame(scene, name):
    """Let a reed be known not to close, and the position before the turn to lie there."""
    faults.blame(scene.tracker.matcher, scene.tracker.listener, sensor_of(name), 0, DOES_NOT_CLOSE)


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


def test_no_reed_is_blamed_where_the_other_colour_lies():
    """The players say that white's copy is there, and no reed denies it: it feels any magnet."""
    scene = Scene(START[:-1] + "b")
    told = scene.do("-pr1 +pr7 -pr16 +pr1 .300")
    assert told == ["take pr1 pr7, put pr16: no copy there"]
    assert press(scene, "a") == []
    assert scene.do(".300") == ["take pr1 pr7, put pr16: run the doctor"]
    assert press(scene, "a") == ["fault pr7 w", "fault pr16 w"]


def test_a_turn_without_trouble_takes_it_back_that_the_doctor_is_needed():
    scene = Scene(START[:-1] + "b")
    scene.do("-pr1 +pr7 -pr16 +pr1 .300")
    press(scene, "a")
    scene.do("-pr1 -pr7 +pr1 +pr16 .300 -pr1 +pr1 -pr16 +pr16 .300")
    assert "wpr doctor" in scene.marker_picture()
    scene.do("-fu16 +fu15 -fu15 +fu14 -bfu +bpr .1100")
    assert "wpr doctor" in scene.marker_picture(), "this turn had begun with what seemed wrong"
    assert scene.do(TWO_EAST + " .1100")[-1] == "final 1 E E >present, certain"
    assert "doctor" not in scene.marker_picture()


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
    told = Scene(PUSH).do("-pr6 +pr5 -pr5 -wpr +wpa .2100")
    assert told[-1] == "ask 6 W N >past | 6 W E >past | 6 W S >past"


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


def test_a_restless_space_does_not_push_itself_into_the_question_of_a_forgotten_turn():
    """2 B S would end on it; it is asked about when nothing that lies there was meant."""
    scene = Scene(TRAVELLER)
    scene.do("-wfu")
    flicker(scene, "pr6", 6)
    scene.gesture(sensor_of("wpr"), True, 40)
    assert scene.do(".250") == ["ask 2 E W >present"]
    assert press(scene, "action", WHITE) == ["ask 2 B E >present | 2 B S >present"]


def test_a_row_that_goes_at_once_is_named():
    scene = Scene()
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
