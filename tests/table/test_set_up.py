"""Set-up and recovery by the lights: in any order, owner by owner, nothing moved needlessly."""

from chronotable.hints import Hints
from chronotable.progress import RESTORE, TURN
from chronotable.sensors import SHARED
from chronotable.tracker import Tracker
from chronotable_host.rules.notation import parse_position
from tests.table.hands import PUSH, START, TWO_EAST, Scene, press, sensor_of
from ttykm.layout import WHITE

HEAP = "..w............b/w.............../w..............b 0 2 4 4 w"
STATUES = " influence nN7/nN7/nN7 statues=wb"
SWAP = "wb.............b/w..............b/w..............b 0 2 4 4 w"


def lights(scene):
    """Return pieces and markers that something is asked for."""
    both = [scene.picture(), scene.marker_picture()]
    return ", ".join(text for text in both if text)


def restored(position, heap):
    """Return a scene that wants a position, with other things on the table."""
    scene = Scene(heap)
    scene.tracker.set_up(parse_position(position))
    scene.wait(300)
    scene.heard()
    return scene


def test_missing_and_extra_and_whose():
    scene = restored("..w............b/w............w.b/w..............b 1 2 4 4 b", HEAP)
    scene.do("-pa3")
    assert scene.picture() == "pa3 todo_put_white, pr14 todo_put_white, pr16 todo_put_black"
    assert scene.marker_picture() == "wpa todo_take, wpr todo_put"


def test_a_piece_that_may_be_anybodys_is_lifted_once():
    """The table knows what nobody has touched since the game before."""
    scene = Scene(HEAP)
    scene.tracker.resign(WHITE)
    scene.do("-pa3 +pa1 -pa16 -pr1 -fu16 +fu16 +pr1 +pa16 .300")
    scene.tracker.set_up(parse_position(START.replace(" b", " w")))
    told = scene.do("+pr16 .300")
    assert scene.tracker.phase == RESTORE
    assert scene.picture() == (
        "pa1 confirm_white, pa16 confirm_black, pr1 confirm_white, fu16 confirm_black"
    )
    assert told[-1].startswith("take -, put -: set up")
    scene.do("-pr1 +pr1 -fu16 +fu16 -pa1 +pa1")
    assert scene.picture() == "pa16 confirm_black"
    scene.do("-pa16")
    assert scene.picture() == "pa16 todo_put_black"
    assert scene.do("+pa16")[-1] == "started"


def test_what_lies_right_at_once_is_taken_as_it_lies():
    scene = restored(START, START)
    assert scene.tracker.phase == TURN


def test_what_is_put_right_in_one_go_is_taken_as_it_lies():
    """Nobody is asked to lift anything while the hands still move."""
    scene = Scene(HEAP)
    scene.do("-pa3")
    scene.tracker.set_up(parse_position(START))
    assert scene.do("+pa1 +pr16") == ["started"]


def test_a_copy_on_the_other_player_s_corner_is_asked_back_before_the_next_game():
    """The table knew whose it was when the game ended, and nobody has touched it since."""
    scene = Scene("b..............w/w..............b/w.........b..... 0 2 4 4 w")
    scene.tracker.resign(WHITE)
    scene.do("-fu11 +fu16 .300")
    assert scene.picture() == "pa1 todo_take, pa16 todo_take"
    assert scene.do("-pa1 -pa16 +pa1 +pa16 .300")[-1] == "started"


def test_a_new_game_needs_no_confirming_lift():
    """Who sets up a start position sees whose is whose."""
    scene = Scene("w..............b/w..............b/w............... 0 2 4 4 w", free=True)
    assert scene.picture() == "fu16 todo_put_black"
    assert scene.do("+fu16")[-1] == "started"


def test_a_bump_is_put_back_owner_by_owner():
    """Two pieces have changed places and a third lies elsewhere: reeds see only the third."""
    scene = Scene(SWAP)
    told = scene.do("-pa1 -pa2 +pa2 +pa1 -pr1 +pr7 -fu1 +fu9 .300")
    assert told == ["take pr7 fu9, put pr1 fu1: no copy there"]
    assert scene.picture() == (
        "pa1 confirm_white, pa2 confirm_black, pr1 todo_put_white, pr7 todo_take, "
        "fu1 todo_put_white, fu9 todo_take"
    )
    scene.do("-pr7 +pr1 -fu9 +fu1")
    assert scene.picture() == "pa1 confirm_white, pa2 confirm_black"
    scene.do("-pa1 +pa1")
    assert scene.picture() == "pa2 confirm_black"
    scene.do("-pa2 +pa2")
    assert scene.picture() == "pa1 copy", "white's turn, as before"
    assert scene.do("-pa1 +pa5 -pa5 +pa9 -wpa +wpr")[-1] == "provisional 1 S S >present"


def test_pieces_that_are_only_gone_come_back_owner_by_owner():
    """No turn takes pieces of all eras: somebody's sleeve did, and any may be put anywhere."""
    scene = Scene()
    for piece in ("pa1", "pa16", "pr1", "pr16", "fu1", "fu16"):
        scene.gesture(sensor_of(piece), False, 25)
    scene.wait(2000)
    assert scene.picture() == (
        "pa1 todo_put_white, pa16 todo_put_black, pr1 todo_put_white, pr16 todo_put_black, "
        "fu1 todo_put_white, fu16 todo_put_black"
    )
    scene.do("+pa16 +pa1 +pr1 +pr16 +fu1 +fu16 .300")
    doubts = "pa1 confirm_white, pa16 confirm_black, pr1 confirm_white, pr16 confirm_black, "
    assert scene.picture() == doubts + "fu1 confirm_white, fu16 confirm_black"
    scene.do("-pa16 +pa16 -fu1 +fu1 -pr1 +pr1 -pr16 +pr16 -pa1 +pa1 -fu16 +fu16 .300")
    assert scene.picture() == "pa1 copy"
    assert scene.do(TWO_EAST + " .1100")[-1] == "final 1 E E >present, corrected"


def test_what_is_mixed_up_after_the_first_action_is_lifted_once_more():
    """A cat takes black's piece while white's own is in the hand for its second action."""
    scene = Scene("w..............b/ww.............b/.w.............b 1 0 3 4 w")
    scene.do("-pr1 +pr5 .300 -pr5")
    scene.gesture(sensor_of("pr16"), False, 30)
    scene.do("+pr5 .2000")
    assert scene.picture() == "pr16 todo_put_black"
    assert scene.do("+pr16 .300") == ["take -, put -: mixed"]
    assert scene.picture() == "pr5 confirm_white, pr16 confirm_black"
    scene.do("-pr5 +pr5 -pr16 +pr16 .300")
    assert scene.picture() == "pr1 lifted, pr5 copy"
    assert scene.do("-pr5 +pr9 -wpr +wpa .1100")[-1] == "final 1 S S >past, corrected"


def test_what_is_lifted_to_be_looked_at_goes_on_with_no_other_action():
    """Without white's copy on present 7 the reeds feel a squish of black's on 8."""
    scene = Scene(PUSH)
    scene.do("-pr6 -pr7 +pr8 +pr7 .300")
    scene.do("-pa16 -pr8 -pr7 +pr7 +pr8 +pa16 .300")
    assert scene.picture() == "pa16 confirm_black, pr7 confirm_white, pr8 confirm_black"
    scene.do("-pr7 .300 +pr7 .300")
    assert scene.picture() == "pa16 confirm_black, pr8 confirm_black"
    scene.do("-pr8 .300 +pr8 -pa16 +pa16 .300")
    assert scene.picture() == "pr6 lifted, pr7 copy, pr8 push"


def test_an_action_with_both_players_pieces_in_the_hand_asks_for_nothing():
    scene = Scene(PUSH)
    assert scene.do("-pr7 -pr6 +pr8 +pr7 .2500") == []
    assert scene.do("-pr7 +pr3 -wpr +wpa .1100")[-1] == "final 6 E N >past, certain"


def test_hands_that_pause_in_a_paradox_are_asked_for_nothing():
    """White's copy stands where black's was, which is still in the hand."""
    scene = Scene("................/.b...ww....b...b/..b..w.w.b...... 1 2 0 2 w")
    assert scene.do("-pr7 +pr8 .300 -pr8 -pr12 +pr12 .300 -pr16 .300") == []
    assert scene.do("-wpr +wpa .1100")[-1] == "final 7 E S >past, certain"


def start_again(scene):
    """Start a table that was cut off with what lies there."""
    scene.tracker = Tracker(scene.game, scene)
    scene.hints = Hints(scene.tracker)
    scene.tracker.resume()
    for sensor in sorted(scene.magnets):
        scene.tracker.edge(sensor, True, scene.now_ms)
    scene.wait(300)


def test_after_a_power_cut_an_object_that_a_copy_may_have_pushed_is_looked_at():
    """White's copy lies where the statue was, or the statue still does: reeds say the same."""
    scene = Scene("w..............b/.....w.........b/w..............b 1 2 4 4 w" + STATUES)
    scene.do("-pr6 -pr7 +pr8 +pr7 .500")
    start_again(scene)
    assert scene.picture() == (
        "pa7 put_statue, pr6 todo_put_white, pr7 put_statue, pr8 todo_take, fu7 put_statue"
    ), "it may have pushed those of the other eras, too"
    scene.do("-pr7 -pr8 +pr7 +pr6 -pa7 +pa7 -fu7 +fu7")
    assert scene.picture() == "pr6 copy"


def test_after_a_power_cut_in_the_first_turn_the_start_is_looked_at_as_well():
    """Hands have moved pieces meanwhile: nobody knows which, though it is a start again."""
    scene = Scene()
    scene.do("-pa1 .500")
    scene.magnets ^= {sensor_of("pr1"), sensor_of("pr9")}
    start_again(scene)
    assert scene.do("-pr9 +pr1 +pa1 .300")[-1] == "take -, put -: restore"
    assert scene.picture() == (
        "pa16 confirm_black, pr16 confirm_black, fu1 confirm_white, fu16 confirm_black"
    )


def test_after_a_power_cut_a_piece_is_looked_at_where_the_one_in_the_hand_came_from():
    """Black's piece was put there in the dark: reeds see only where it is missing."""
    scene = Scene(PUSH)
    scene.do("-pa1 .500")
    scene.magnets ^= {sensor_of("pa1"), sensor_of("pa16")}
    start_again(scene)
    assert scene.picture().startswith("pa1 confirm_white, pa16 todo_put_black, pr6 confirm_white")


def test_after_a_power_cut_what_the_turn_may_have_exchanged_is_confirmed():
    """White's copy has squished black's on present 15, or has not: reeds say the same."""
    scene = Scene("w..............b/......w.......b./w..............b 1 2 4 3 w")
    scene.do("-pr7 +pr11 -pr15 -pr11 +pr15 -wpr +wpa .500")
    start_again(scene)
    assert scene.picture() == "pr7 todo_put_white, pr15 confirm_black"
    assert scene.marker_picture() == "wpa todo_take, wpr todo_put"
    scene.do("-pr15 +pr7 -wpa +wpr")
    assert scene.picture() == "pr15 todo_put_black"
    scene.do("+pr15 .300")
    assert scene.picture() == "pr7 copy"


def test_the_start_put_up_in_a_game_asks_for_the_next_one():
    scene = Scene("w...w........b.b/w........b...w../w.........w..... 0 2 4 3 w")
    scene.do("-pa5 +pa6 -pa6 +pa7 -wpa +wpr .1100")
    told = scene.do("-pa7 -pa14 -pr10 -pr14 +pr16 -fu11 +fu16 -wpr +wpa -bfu +bfu .300")
    assert told[-1] == "take -, put -: new game?"
    assert scene.picture().count("question") == 6
    assert press(scene, "action", WHITE) == []
    assert scene.do(".300")[-1] != "take -, put -: new game?"
    scene.do("-pa1 +pa1 .300")
    assert press(scene, "a") == []
    assert scene.do(".300")[-1:] == ["started"]
    assert not scene.game.turns
    assert not any(scene.tracker.health.kinds)


def test_an_earlier_position_put_up_asks_whether_to_go_back():
    scene = Scene()
    scene.do(TWO_EAST + " .1100 -fu16 +fu15 -fu15 +fu14 -bfu +bpr .1100")
    scene.do("-pr1 +pr2 -pr2 +pr3 -wpr +wpa .1100")
    assert len(scene.game.turns) == 3
    told = scene.do("-pr3 +pr1 -fu14 +fu16 -bpr +bfu -wpa +wpr .300")
    assert told[-1] == "take -, put -: go back?"
    assert press(scene, "a") == ["taken back 1 E E >past", "taken back 16 W W >present"]
    scene.do("-pr1 +pr1 -fu16 +fu16 .300")
    assert scene.tracker.phase == TURN
    assert len(scene.game.turns) == 1


def test_a_table_that_is_cleared_asks_for_nothing_and_blames_nobody():
    scene = Scene("w.............../w.............../........b......b 0 2 4 4 w")
    scene.do("-pa1 -pr1 -fu9 -fu16 -wpa -bfu .3000")
    assert scene.picture() == scene.marker_picture() == ""
    assert press(scene, "a") == []
    assert not any(scene.tracker.health.kinds)


def test_a_wrong_move_may_be_mended_by_a_right_one():
    """Nobody has to go back all the way."""
    scene = Scene()
    assert scene.do("-pa1 +pa4 .300") == ["take pa4, put pa1: not a turn"]
    assert scene.picture() == "pa1 todo_put_white, pa4 todo_take"
    scene.do("-pa4 +pa3")
    assert scene.picture() == "pa1 lifted, pa2 move, pa3 move"
    assert scene.do("-wpa +wpr") == ["provisional 1 E E >present"]


def test_a_legal_position_on_the_way_back_is_not_taken_for_the_end():
    """After a bump of many, a piece that still lies a step away is asked back as well."""
    scene = Scene()
    scene.do("-pr1 +pr7 -fu1 +fu9 -fu16 +fu12 -pa1 +pa2 .300")
    scene.do("-pr7 +pr1 -fu9 +fu1 -fu12 +fu16")
    assert scene.picture() == "pa1 todo_put_white, pa2 todo_take"
    scene.do("-pa2 +pa1")
    assert scene.picture() == "pa1 copy"


def test_a_stuck_reed_is_found_while_setting_up():
    scene = Scene("w..............b/w..............b/w............... 0 2 4 4 w", free=True)
    scene.wait(300)
    assert scene.tracker.answer(0, scene.now_ms), "it does lie on future 16"
    scene.wait(50)
    assert scene.heard() == ["take -, put fu16: set up", "fault fu16 c", "started"]
    assert scene.tracker.health.kinds[sensor_of("fu16")] == "c"


def test_a_broken_reed_is_shown_while_setting_up():
    """People have to see for themselves that the piece lies there."""
    scene = Scene("w..............b/w..............b/w............... 0 2 4 4 w", free=True)
    scene.wait(300)
    scene.tracker.answer(0, scene.now_ms)
    scene.do(".50 -pa1 +pa3 -wpa +wpr .1100")
    scene.tracker.undo(SHARED)
    assert scene.picture() == "pa1 todo_put_white, pa3 todo_take, fu16 fault"


def test_an_empty_table_blames_nobody():
    scene = Scene("................/................/................ 0 2 4 4 w", free=True)
    scene.wait(300)
    assert not scene.tracker.answer(0, scene.now_ms)
    assert not any(scene.tracker.health.kinds)


def test_a_bump_after_the_first_action_leads_back_to_it():
    scene = Scene()
    scene.do("-pa1 +pa2 -pr1 +pr7 -fu1 +fu9 -fu16 +fu12 .300")
    scene.do("-pr7 +pr1 -fu9 +fu1 -fu12 +fu16")
    assert scene.picture() == "pa1 lifted, pa2 copy"
    assert scene.do("-pa2 +pa3 -wpa +wpr")[-1] == "provisional 1 E E >present"
