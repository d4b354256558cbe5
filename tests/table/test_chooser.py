"""Chapters at the table: what the action button offers, and echoes as things to do, era by era.

The scripts are those of hands.py.
"""

from chronotable import buttons
from chronotable.sensors import BUTTONS
from tests.table.hands import Scene, sensor_of
from ttykm import objects

GROWTH = "w..............b/w..............b/w..............b 0 2 4 4 w growth -/-/- seeds=5"
TWO_COPIES = "w..w...........b/w..............b/w..............b 0 2 3 4 w growth -/-/- seeds=5"
INFLUENCE = "w..............b/w..............b/w..............b 0 2 4 4 w"
INFLUENCE += " influence nN7/nN7/nN7 statues=wb"
STATUES = " influence -/-/- statues=wb"
ECHO = ".....w.........b/w......b......../..........bb.... 0 0 4 4 w"
ECHO += " influence nN7/nN7/nN10 statues=wb"
PULL = ".....w.........b/w..............b/w..............b 0 2 4 4 w"
PULL += " influence nN5/nN7/nN7 statues=wb"
MEMORY = "..w............b/w..............b/w..............b 0 2 4 4 w"
MEMORY += " memory eD4,eL13/eD4,eL13/eD4,eL13"
ALL_PLANTED = GROWTH.replace("seeds=5", "seeds=0")
FIVE_COPIES = "......b........b/w.w..w.ww......./......b........b 1 1 2 1 w"
FIVE_COPIES += " growth+influence -/-/- seeds=5 statues=wb"


def played(position, *parts):
    """Return what was told and shown after each part of a script."""
    scene = Scene(position)
    return [(scene.do(part), scene.picture()) for part in parts]


def test_a_seed_is_planted_and_grows_era_by_era():
    """G5, G6: the aims are lit; one is touched with a magnet; shrub first, then tree."""
    offer, shrub, tree, done, moved, ended = played(
        GROWTH,
        "!action",
        "+pa2 -pa2 .300",
        "+pr2 .300",
        "+fu2 .300",
        "-pa1 +pa5 .300",
        "-wpa +wpr .2000",
    )
    assert offer == ([], "pa1 plant, pa2 plant, pa5 plant")
    assert shrub == ([], "pr2 put_shrub")
    assert tree == ([], "fu2 put_tree")
    assert done[1].startswith("pa1 copy"), done
    assert moved == ([], "pa1 lifted, pa2 move, pa5 move, pr2 push, fu2 push")
    assert ended[0] == ["provisional 1 pE S >present", "final 1 pE S >present, certain"]


def test_a_second_action_goes_on_where_there_is_no_room_for_more():
    """What was looked up is forgotten once the hands rest, but not what follows what lies there."""
    scene = Scene(GROWTH)
    scene.do("-pa1 +pa2 .300 +pr6")
    scene.game.turn_tree.is_full = True
    scene.do(".300 +fu6")
    assert scene.do("-wpa +wpr") == ["provisional 1 E pS >present"]


def test_a_seed_that_grows_nothing_is_planted_under_the_copy():
    """G5: only the choice tells; the copy is lifted and put back."""
    scene = Scene(GROWTH)
    scene.do("!action -pa1 +pa1 .300 -pa1 +pa2 .300 -wpa +wpr")
    assert scene.do(".2000") == ["final 1 po E >present, certain"]


def test_who_plants_is_tapped_where_several_could():
    scene = Scene(TWO_COPIES)
    assert scene.do("!action") == []
    assert scene.picture() == "pa1 question, pa4 question"
    assert scene.do("-pa4 +pa4 .100") == []
    assert scene.picture() == "pa3 plant, pa4 plant, pa8 plant"
    assert scene.do("+pa3 -pa3 .300 +pr3 +fu3 .300 -pa4 +pa8 -wpa +wfu") == [
        "provisional 4 pW S >future"
    ]


def test_what_falls_while_a_statue_is_being_built_asks_for_no_other_action():
    """Black's copy went north and builds behind itself; a statue before it would look the same."""
    scene = Scene("w..............b/w..............b/....w..........b 0 2 4 4 b" + STATUES)
    scene.do("-fu16 +fu12 .300 !action +fu16")
    scene.gesture(sensor_of("pa1"), False, 20)
    assert scene.do("+pa7 .2500")[-1] == "take pa7 fu16, put pa1: not a turn"
    assert scene.do("-pa7 -fu16 +fu16 +pa1 .300 -bfu +bpa .1100")[-1] == (
        "final 16 N sS >past, corrected"
    )


def test_another_kind_of_statue_is_put_where_one_lies_before_the_next_era():
    """Black's statue echoes into a neutral one, which is pushed on: reeds feel one on either."""
    statues = " influence nN7/nN8/nN8 statues=wb"
    scene = Scene(".....w.b......../w.....w.......bb/....w......b.... 1 0 3 3 b" + statues)
    scene.do("-pa8 +pa4 .300 !action +pa8 .300")
    assert scene.picture() == "pr8 put_black_statue, pr12 put_statue"
    scene.do("+pr12")
    assert scene.picture().startswith("pr8 put_black_statue, fu12 put_statue")
    scene.do("-pr8 +pr8")
    assert scene.picture() == "fu8 put_black_statue, fu12 put_statue, fu16 todo_put_black"
    scene.do("-fu12 +fu16 +fu12 .300")
    assert scene.picture() == "fu8 put_black_statue", "so the turn is not whole"
    assert "bpr focus" not in scene.marker_picture()
    scene.do("-fu8 +fu8 .300")
    assert "bpr focus" in scene.marker_picture()


def test_each_press_that_offers_or_takes_back_is_one():
    """Where it is none, the button answers a question, or sets the hints."""
    for position, script, is_one in (
        (GROWTH, "", True),
        (TWO_COPIES, "", True),
        (GROWTH, "!action +pa2 -pa2 .300", True),
        (ALL_PLANTED, "", False),
    ):
        scene = Scene(position)
        scene.do(script)
        for _ in range(5):
            number = BUTTONS.index(("action", 0))
            assert buttons.press(scene.tracker, number, scene.now_ms) == is_one, (position, script)


def test_a_choice_is_taken_back_with_another_press():
    scene = Scene(GROWTH)
    scene.do("!action +pa2 -pa2 .300")
    assert scene.picture() == "pr2 put_shrub"
    scene.do("!action .300")
    assert scene.picture() == "pa1 copy"
    assert scene.do("-pa1 +pa3 -wpa +wpr") == ["provisional 1 E E >present"]


def test_who_moves_after_all_is_offered_nothing_any_more():
    """A commanded elephant, though, may be put down on the way."""
    for position, script, picture in (
        (GROWTH, "!action -pa1 +pa2 .300", "pa1 lifted, pa2 copy"),
        (MEMORY, "!action -pa4 +pa4 .300 !action -pa4 +pa2 .300", "pa3 command, pa8 command"),
    ):
        scene = Scene(position)
        scene.do(script)
        assert scene.picture() == picture, script


def test_an_action_that_left_no_trace_is_not_guessed():
    """T11: the second action may have been forgotten, or be a seed, which no reed sees."""
    scene = Scene(GROWTH)
    told = scene.do("-pa1 +pa2 .300 -wpa +wpr .2500")
    assert not any(word.startswith("final") for word in told), told
    assert any(word.startswith("ask") for word in told), told


def test_what_is_touched_after_an_action_without_a_trace_is_not_forgotten():
    """The seed is the first half of the turn; which copy died after it no reed can tell."""
    scene = Scene(CORNER)
    scene.do("!action -fu11 +fu11 .300 -fu15 +fu15 -fu12 -fu11 +fu12 -wfu +wpa")
    assert scene.do(".300") == ["ask 11 po E >past | 11 po S >past"]


def test_a_statue_is_built_in_three_eras():
    """I7, I8"""
    scene = Scene(INFLUENCE)
    scene.do("!action")
    assert scene.picture() == "pa1 copy, pa2 build, pa5 build"
    scene.do("+pa2 .300")
    assert scene.picture() == "pr2 put_white_statue"
    scene.do("+pr2 .300")
    assert scene.picture() == "fu2 put_white_statue"
    assert scene.do("+fu2 .300 -pa1 +pa5 -wpa +wpr") == ["provisional 1 sE S >present"]


def test_a_pushed_statue_echoes():
    """XI2, I5: what dies in a later era is lifted there, and the statue takes its space."""
    scene = Scene(ECHO)
    scene.do("-pa6 -pa7 +pa7 +pa8 .300")
    assert scene.picture() == "pa7 paradox, pr7 todo_take, pr8 put_statue"
    scene.do("-pr8 -pr7 +pr8 .300")
    assert "fu10 todo_take, fu11 put_statue, fu12 todo_take" in scene.picture()
    scene.do("-fu10 -fu11 -fu12 +fu11 .300")
    assert "todo" not in scene.picture() and "put" not in scene.picture()


def test_an_echo_that_is_lifted_first_tells_who_may_have_acted():
    """Whichever of the two statues follows the copy or is pushed, this one moves with it."""
    assert played(SWAP, "-fu3") == [([], "pr2 push, pr3 copy, pr4 move, fu3 lifted")]


def test_a_pull_is_seen():
    """I4: the statue behind follows, or stays, and nobody has to press anything."""
    for script, turn in (
        ("-pa6 +pa7 .300 -pa7 +pa8 -wpa +wpr", "6 E E >present"),
        (
            "-pa6 +pa7 .300 -pa5 +pa6 -pr7 +pr8 -fu7 +fu8 .300 -pa7 +pa8 -wpa +wpr",
            "6 E* E >present",
        ),
    ):
        assert Scene(PULL).do(script) == ["provisional " + turn], script


def test_an_elephant_is_trained_and_commanded():
    """M3, M6: a hat is not felt; a trained one is moved to a lit space."""
    scene = Scene(MEMORY)
    scene.do("!action")
    assert scene.picture() == "pa3 copy, pa4 train"
    scene.do("-pa4 +pa4 .300 !action")
    assert scene.picture() == "pa3 command, pa8 command"
    assert scene.do("-pa4 +pa8 .300 -wpa +wpr .2000") == [
        "provisional 3 tE cD:S >present",
        "final 3 tE cD:S >present, certain",
    ]


def test_standard_games_know_nothing_of_it():
    scene = Scene()
    assert scene.do("!action .300") == []
    assert scene.picture() == "pa1 copy"


SWAP = (
    "w..............b/..w............b/w..............b 1 2 4 4 w influence nN2/nN2/nN3 statues=wb"
)
DROPPED = "w..............b/w..............b/............w..b 2 0 4 4 w growth -/-/- seeds=5"
CORNER = "w..............b/w..............b/..........wb..b. 2 0 0 4 w growth -/-/- seeds=5"
BOXED = "w..............b/w..........b...b/w..............b 1 1 4 3 b growth -/-/- seeds=5"
TAKEN = (
    "w....w.........b/w..............b/w..............b 0 2 3 4 w memory eD4,eL5w/eD4,eL13/eD4,eL13"
)
FAR = (
    "w....w.........b/w..............b/w..............b 0 2 3 4 w memory eD4,eL9w/eD4,eL13/eD4,eL13"
)


def test_a_commanded_elephant_takes_the_space_of_a_piece():
    """M7: the trampled copy is lifted before the elephant or after it; the turn is the same."""
    for lifts in ("-pa5 -pa6", "-pa6 -pa5"):
        scene = Scene(TAKEN)
        scene.do("!action -pa1 +pa1 .100")
        assert scene.picture() == "pa1 command, pa6 command, pa9 command"
        told = scene.do(lifts + " +pa6 .300 -pa1 +pa2 .300 -wpa +wpr .2500")
        assert told == ["provisional 1 cL:E E >present", "final 1 cL:E E >present, certain"], lifts


def test_a_brushed_neighbour_changes_no_choice():
    scene = Scene(FAR)
    scene.do("!action -pa1 +pa1 .100 -pa9")
    scene.gesture(5, False, 100)
    scene.gesture(5, True, 35)
    scene.do("+pa10 .300")
    assert scene.do("-pa1 +pa2 .300 -wpa +wpr") == ["provisional 1 cL:E E >present"]


def test_the_next_player_may_press_at_once():
    """While the marker rests, the opponent's action button ends the turn and begins the next."""
    scene = Scene(GROWTH)
    scene.do("-pa1 +pa2 .300 -pa2 +pa3 .100 -wpa +wpr .300")
    scene.press("action", 1)
    assert scene.heard() == ["final 1 E E >present, certain"]
    assert scene.picture() == "fu12 plant, fu15 plant, fu16 plant"


def test_objects_that_were_bumped_are_put_back():
    scene = Scene(INFLUENCE)
    scene.do("-pr7 +pr6 -pr16 +pr12 -fu7 +fu3 .600 -fu3 +fu7 .600 -pr12 +pr16 .600 -pr6 +pr7 .3000")
    assert scene.picture() == "pr7 put_statue, fu7 put_statue", "no reed tells which one is where"
    scene.do("-pr7 +pr7 -fu7 +fu7")
    assert scene.picture() == "pa1 copy"


def test_a_statue_that_was_bumped_with_a_copy_is_put_back():
    """A hand that holds both may put down either, so each is lifted once more."""
    scene = Scene(INFLUENCE)
    assert scene.do("-pr1 -pr7 +pr7 +pr2 .300") == ["take pr2, put pr1: no copy there"]
    scene.do("-pr2 +pr1")
    assert scene.picture() == "pr1 confirm_white, pr7 put_statue"
    scene.do("-pr7 +pr7 -pr1 +pr1")
    assert scene.picture() == "pa1 copy"


def test_what_may_not_be_the_piece_that_belongs_there_is_looked_at():
    """Hands that move objects, or objects and copies, may put any of them where the lights ask."""
    for script, doubtful in (
        ("-fu16 +pr9 .600 -pr7 +fu16 .600", "fu16 confirm_black"),
        ("-pr7 +fu11 .600 -pr16 +pr7 .600", "pr7 put_statue"),
        ("-pr7 +pr6 .600 -fu7 +pr7 .600", "pr7 put_statue"),
        ("-pa1 -pa7 +pa1 .3000", "pa1 confirm_white"),
    ):
        scene = Scene(INFLUENCE)
        scene.do(script)
        assert doubtful in scene.picture(), script


def test_who_changes_his_mind_puts_the_statue_elsewhere():
    """Reeds feel where it is built: the choice is the kind of action, and who acts."""
    scene = Scene(INFLUENCE)
    scene.do("!action +pa5 .400 -pa5 +pa2 .300")
    assert scene.picture() == "pr2 put_white_statue"
    assert scene.do("+pr2 +fu2 .300 -pa1 +pa5 -wpa +wpr") == ["provisional 1 sE S >present"]


def test_the_start_of_a_module_is_set_up_as_the_lights_ask():
    """Chapter 2: a neutral statue on space 7 of every board; the markers say who begins (T4)."""
    for script, mover in (("+pa7 +pr7 +fu7", 0), ("-wpa +wfu -bfu +bpa +pa7 +pr7 +fu7", 1)):
        scene = Scene()
        scene.tracker.set_up(objects.new_state(objects.INFLUENCE), free_start=True)
        scene.wait(400)
        assert scene.picture() == "pa7 put_statue, pr7 put_statue, fu7 put_statue"
        assert scene.do(script + " .600")[-1] == "started", script
        assert scene.game.mover == mover, script


def test_the_next_game_begins_with_the_same_modules():
    scene = Scene(INFLUENCE)
    scene.tracker.resign(0)
    told = scene.do("-pa7 -pa1 .300 +pa1 +pa7 .600")
    assert told[0] == "over black by resignation", told
    assert told[-1] == "started", told
    assert objects.modules_of(scene.game.state) == objects.INFLUENCE


def test_a_copy_and_a_statue_may_change_hands():
    """XI7, T25: a hand may put either down first; the past looks as it did before."""
    scene = Scene(SWAP)
    scene.do("-pr3 +pa3 +pr3 .300 -pa3 -pa1 -pa2 +pa2 +pa1 .300 -pr2 +pr1 -fu3 +fu2 .300")
    told = scene.do("-wpr +wpa .2000")
    assert told[0] in ("provisional 3 B W >past", "ask 3 B W >past | 3 W E >past"), told


def test_a_copy_and_an_object_that_were_put_back_are_in_no_hand():
    """Whichever was which: the marker may end the turn, as after any way out and back."""
    for position, script in (
        (MEMORY, "-pa13 -pa3 +pa3 +pa13"),
        (INFLUENCE, "-pa7 -pa1 +pa1 +pa7"),
    ):
        scene = Scene(position)
        scene.do(script)
        assert scene.marker_picture() == "wpa mover, wpr focus, wfu focus", script


def test_each_position_is_offered_once():
    """1 S E leads to that of 1 E S, objects included."""
    scene = Scene(INFLUENCE)
    told = scene.do("-pa1 -wpa +wpr .2100 !action")
    assert told[-2:] == [
        "ask 1 E E >present | 1 E S >present | 1 E W >present",
        "ask 1 E F >present | 1 S S >present | 1 S F >present",
    ]


def test_what_leaves_no_trace_is_not_what_lies_there():
    """A copy that was dropped two spaces away and is put down one space away has moved."""
    scene = Scene(DROPPED)
    scene.do("-fu13 +fu5 .300 -fu5 +fu9 .300")
    assert scene.picture() == "fu9 copy, fu13 lifted"
    scene.do("!action")
    assert "plant" in scene.picture()


def test_who_goes_back_to_the_start_of_the_turn_begins_anew():
    """The shrub is back in the box: no reed will ever feel where the hand has it."""
    scene = Scene(BOXED)
    scene.do("!action +pr8 -pr8 .300 +fu8 .300 -pr12 +pr11 .300 -fu8 .300 -pr11 +pr12 .1000")
    assert scene.picture() == "pr12 copy, pr16 copy"


def test_an_impatient_second_tap_plants_nothing():
    """The lights take a tenth of a second to answer the first."""
    scene = Scene(TWO_COPIES)
    scene.do("!action -pa4 +pa4 -pa4 +pa4 .100")
    assert scene.picture() == "pa3 plant, pa4 plant, pa8 plant"
    scene.do(".600 -pa4 +pa4 .300")
    assert scene.picture() == "pr4 put_shrub"


def test_who_has_tried_out_many_moves_can_still_end_a_turn():
    """The tree is full of second actions of first ones that were taken back long ago."""
    scene = Scene(FIVE_COPIES)
    tried = "1-2 1-5 3-2 3-4 3-7 6-2 6-5 6-7 6-10 8-7 8-4 8-12 9-5 9-10 9-13"
    was_full = False
    for start, target in [move.split("-") for move in tried.split()]:
        scene.do(f"-pr{start} +pr{target}")
        was_full = was_full or scene.game.turn_tree.is_full
        scene.do(f".400 -pr{target} +pr{start} .400")
    assert was_full  # else this proves nothing
    assert scene.do("-pr9 +pr13 .400 -pr13 +pr14 .400 -wpr +wpa .2000")[-1:] == [
        "final 9 S E >past, certain"
    ]


def test_a_turn_that_lies_there_whole_outlasts_what_was_tried_out_before_it():
    """The tree is full when a bystander is adjusted last; what else was tried out is forgotten."""
    scene = Scene(FIVE_COPIES)
    tried = "3-2 2-4 4-7 7-3 6-5 5-2 2-10 10-7 7-6 8-7 7-8 9-13"
    for start, target in [move.split("-") for move in tried.split()]:
        scene.do(f"-pr{start} +pr{target}")
    scene.do("+pr14 +fu14 -pr1 +pr1")
    assert scene.game.turn_tree.is_full  # else this proves nothing
    assert scene.do(".300 -wpr +wpa") == ["provisional 9 S sE >past"]
