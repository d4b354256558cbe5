"""How games begin and end at the table: who begins, wins, resignations, draws, the next game.

Scripts and what they tell are explained in hands.py.
"""

from chronotable.core.progress import OVER, RESTORE, TURN
from chronotable.hardware.sensors import SHARED
from chronotable_host.rules.notation import format_position
from tests.table.hands import LAST_STAND, START, TWO_EAST, Scene, press
from ttykm import layout
from ttykm.layout import BLACK, NOBODY, STRICT_TWO_ACTIONS, WHITE

BLACK_FIRST = "w..............b/w..............b/w..............b 2 0 4 4 b"
ONE_ERA = "...............b/w....w....b...../................ 0 2 4 4 b"


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


def test_a_player_resigns():
    """T32: at any time."""
    for side, winner in ((WHITE, "black"), (BLACK, "white")):
        scene = Scene()
        scene.do("-pa1")
        assert press(scene, "resign", side) == [f"over {winner} by resignation"]
        assert press(scene, "resign", side) == []


def test_a_turn_before_a_resignation_is_not_taken_back():
    """T32: the turn has not won, and the game is over whatever becomes of its marker."""
    scene = Scene()
    scene.do(TWO_EAST + " .1000")
    press(scene, "resign", BLACK)
    assert scene.do("-wpr +wpr .300") == []
    assert scene.tracker.phase == OVER and len(scene.game.turns) == 1


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


# ---------------------------------------------------------------- draws


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


# ---------------------------------------------------------------- the next game


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


def test_the_end_is_seen_in_the_start_position():
    """Resigned before the first move: the next game begins when somebody touches the table."""
    scene = Scene()
    assert press(scene, "resign", WHITE) == ["over black by resignation"]
    assert scene.do(".2000") == []
    assert scene.tracker.phase == OVER
    assert scene.do("-pr1 .300") == [], "not without all of it"
    assert scene.do("+pr1 .300") == ["started"]


def test_a_game_begins_as_soon_as_the_pieces_stand():
    scene = Scene(free=True)
    assert scene.heard() == ["started"]
    press(scene, "resign", WHITE)
    scene.do("-pa1")
    scene.tracker.set_up()
    scene.heard()
    assert scene.do("+pa1") == ["started"]


def test_a_win_is_forgotten_with_the_turn_that_is_taken_back_after_it():
    """Who lifts the winner's marker and takes a turn more back has not won on another start."""
    scene = Scene("w.............../w.....w........b/................ 1 1 4 4 b")
    scene.do("-pr16 +pr8 -bpr +bpa .2000")
    assert scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .2000")[-1] == "over white by rules"
    assert scene.do("-wpa .300") == ["taken back 7 E N >past"]
    assert scene.tracker.undo(SHARED)
    scene.put_up(scene.game.state)
    scene.do(".1000")
    assert scene.tracker.phase == TURN
    scene.put_up(Scene().game.state)
    scene.do(".4000")
    assert scene.tracker.phase == TURN and not scene.game.turns
