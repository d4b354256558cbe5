"""Set-up and recovery by the lights: in any order, owner by owner, nothing moved needlessly."""

from chronotable.progress import RESTORE, TURN
from chronotable.sensors import SHARED
from chronotable_host.rules.notation import parse_position
from tests.table.hands import START, Scene, sensor_of

HEAP = "..w............b/w.............../w..............b 0 2 4 4 w"
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
    assert scene.picture() == (
        "pa3 todo_put_white, pa16 confirm_black, pr1 confirm_white, pr14 todo_put_white, "
        "pr16 todo_put_black, fu1 confirm_white, fu16 confirm_black"
    )
    assert scene.marker_picture() == "wpa todo_take, wpr todo_put"


def test_a_piece_that_may_be_anybodys_is_lifted_once():
    scene = restored(START.replace(" b", " w"), HEAP)
    told = scene.do("-pa3 +pa1 +pr16 .300")
    assert scene.tracker.phase == RESTORE
    assert scene.picture() == (
        "pa16 confirm_black, pr1 confirm_white, fu1 confirm_white, fu16 confirm_black"
    )
    assert told[-1].startswith("take -, put -: set up")
    scene.do("-pr1 +pr1 -fu16 +fu16 -fu1 +fu1")
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
