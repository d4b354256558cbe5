"""Goldens of the LEDs: which picture a moment has. Scripts are explained in hands.py."""

from chronotable import match
from chronotable.hints import (
    ALL_EFFECTS,
    HINT_LEVELS,
    HINTS_CONSEQUENCES,
    HINTS_LEGAL,
    HINTS_OFF,
    MEANINGS,
    Hints,
    meaning_of,
)
from chronotable.meanings import LAMP
from chronotable.sensors import SENSORS, SHARED
from chronotable.tracker import Tracker
from tests.table.hands import START, Scene
from tests.table.tools import Dice, played_game, sample
from ttykm.game import Game
from ttykm.layout import BARRED, BLACK, PARENT, RECORD_WORDS, STATUS, TARGET, WHITE

PUSH = "w..............b/.....wb........./w..............b 1 1 4 4 w"
SQUISH = "w..............b/......wb......../w..............b 1 1 4 4 w"
PARADOX = "w..............b/..b...w...w...../w..............b 1 1 4 4 b"
OWN_DEATH = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
TWINS = "................/.w......b.wb...b/...b.w...w....b. 1 2 1 0 w"
OBSERVED = match.observation()
LAST_STAND = "w.............../w.....wb......../................ 1 1 4 4 w"


def pictures(position, *scripts):
    """Return the picture after each script."""
    scene = Scene(position)
    result = []
    for script in scripts:
        scene.do(script)
        result.append(scene.picture())
    return result


# ---------------------------------------------------------------- whom and where to


def test_the_copies_that_may_act():
    """T7: those of the focus era; the marker says whose turn it is."""
    scene = Scene("ww.............b/w..............b/w..............b 0 2 4 4 w")
    assert scene.picture() == "pa1 copy, pa2 copy"
    assert scene.marker_picture() == "wpa mover"


def test_a_barred_copy_stays_dark():
    """T12, XS15: copy 1 can take one action only, the others two."""
    assert pictures("ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w", "") == [
        "pa2 copy, pa5 copy"
    ]


def test_moves_and_travels_of_a_lifted_copy():
    """T16, T24, T25"""
    assert pictures(
        "................/.........w......b/...............b 1 2 4 4 w".replace(
            "......b/.", ".....b/.", 1
        ),
        "-pr10",
    ) == [
        "pa10 back, pr6 move, pr9 move, pr10 lifted, pr11 move, pr14 move, fu10 forward",
    ]


def test_walls_and_taken_spaces_stay_dark():
    """T16, T24, T25, T33: corner, past and future taken."""
    assert pictures("w..............b/w..............b/w..............b 1 2 4 4 w", "-pr1") == [
        "pr1 lifted, pr2 move, pr5 move"
    ]


def test_no_way_back_without_supply():
    """T27"""
    assert pictures("...............b/.....w.........b/...............b 1 2 0 4 w", "-pr6") == [
        "pr2 move, pr5 move, pr6 lifted, pr7 move, pr10 move, fu6 forward"
    ]


def test_the_past_and_the_future_have_one_travel_each():
    """T26"""
    past, future = (
        "w..............b/...............b/...............b 0 2 4 4 w",
        ("...............b/...............b/w..............b 2 1 4 4 w"),
    )
    assert pictures(past, "-pa1") == ["pa1 lifted, pa2 move, pa5 move, pr1 forward"]
    assert pictures(future, "-fu1") == ["pr1 back, fu1 lifted, fu2 move, fu5 move"]


def test_the_four_consequences():
    """T17-T21: each direction ends otherwise; games with modules find that out in other code."""
    position = "...............b/..b..bwb..w...../..b............. 1 2 4 4 w"
    squishes_own = ".wbw............/b.............../b............... 0 1 2 4 w"
    for modules in ("", " growth -/-/- seeds=5"):
        assert pictures(position + modules, "-pr7") == [
            "pa7 back, pr3 squish, pr6 push, pr7 lifted, pr8 squish, pr11 own_death, fu7 forward"
        ]
        assert pictures(PARADOX + modules, "-pr3") == [
            "pa3 back, pr2 move, pr3 lifted, pr4 move, pr7 paradox, fu3 forward"
        ]
        assert pictures(squishes_own + modules, "-pa2") == [
            "pa1 move, pa2 lifted, pa3 own_death, pa6 move, pr2 forward"
        ]


def test_the_second_action():
    """T8, T11: the same copy acts again, from where it stands."""
    assert pictures(START, "-pa1 +pa2", "-pa2") == [
        "pa1 lifted, pa2 copy",
        "pa1 move, pa2 lifted, pa3 move, pa6 move, pr2 forward",
    ]


def test_the_second_action_in_another_era():
    """T9: the copy that has travelled acts there."""
    assert pictures(
        "w..............b/...............b/w..............b 0 2 4 4 w", "-pa1 +pr1", "-pr1"
    ) == [
        "pa1 lifted, pr1 copy",
        "pa1 back, pr1 lifted, pr2 move, pr5 move",
    ]


# ---------------------------------------------------------------- to do


def test_a_push_mover_first():
    """T17: the victim's new space, and the last picture asks for nothing more."""
    assert pictures(PUSH, "-pr6", "-pr7", "+pr7", "+pr8") == [
        "pa6 back, pr2 move, pr5 move, pr6 lifted, pr7 push, pr10 move, fu6 forward",
        "pr6 lifted, pr7 push, pr8 todo_put_black",
        "pr6 lifted, pr7 push, pr8 todo_put_black",
        "pr6 lifted, pr7 copy, pr8 push",
    ]


def test_a_push_victim_first():
    """T17: what is in the hand can only be pushed by one copy, which is still to be moved."""
    assert pictures(PUSH, "-pr7", "+pr8", "-pr6", "+pr7")[:2] == [
        "pr6 todo_take, pr7 push, pr8 todo_put_black",
        "pr6 todo_take, pr7 push",
    ]


def test_a_squish_that_lies_there_but_was_not_played():
    """T18: with the mover in hand the reeds look as after the squish; the choice stays open."""
    assert pictures(SQUISH, "-pr7", "-pr8", "+pr8") == [
        "pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 squish, pr11 move, fu7 forward",
        "pr7 lifted, pr8 squish",
        "pr7 lifted, pr8 copy",
    ]


def test_the_dead_are_to_be_taken():
    """T19, T23: both copies of a paradox."""
    assert pictures(PARADOX, "-pr3 -pr7", "+pr7", "-pr11") == [
        "pr3 lifted, pr7 paradox, pr11 todo_take",
        "pr3 lifted, pr7 paradox, pr11 todo_take",
        "pr3 lifted, pr7 copy",
    ]


def test_a_new_copy_is_to_be_put():
    """T25: one stays where the traveller was."""
    position = "w..............b/......b........./w..............b 1 1 4 4 b"
    assert pictures(position, "-pr7 +pa7", "+pr7") == [
        "pa7 back, pr7 todo_put_black",
        "pa7 copy",
    ]


def test_the_way_back_from_a_mistake():
    """The pieces that are missing and those that are too many look different."""
    assert pictures(START, "-pa1 +pa11", "-pa11", "+pa1 -pa1 +pa2 -pa2 +pa12") == [
        "pa1 todo_put_white, pa11 todo_take",
        "pa1 todo_put_white",
        "pa2 todo_put_white, pa12 todo_take",
    ]


def test_hints_come_back_after_a_mistake():
    """A needless touch is forgotten for the hints once a legal arrangement lies there again."""
    scene = Scene(PUSH)
    scene.do("-pr6 -pr7 +pr14 +pr8 .300 -pr14 -pr8 +pr6 +pr7 .300")
    assert scene.picture() == "pr6 confirm_white, pr7 confirm_black"
    scene.do("-pr6 +pr6 -pr7 +pr7 .300 -pr6")
    assert scene.picture() == (
        "pa6 back, pr2 move, pr5 move, pr6 lifted, pr7 push, pr10 move, fu6 forward"
    )


def test_a_bystander_in_hand_is_to_be_put_back():
    assert pictures(START, "-fu16") == ["fu16 todo_put_black"]


# ---------------------------------------------------------------- markers


def test_the_focus_choices():
    """T15: the two other eras."""
    scene = Scene(START)
    scene.do("-pa1 +pa3")
    assert scene.picture() == "pa1 lifted, pa2 move, pa3 move"
    assert scene.marker_picture() == "wpa mover, wpr focus, wfu focus"
    scene.do("-wpa")
    assert scene.marker_picture() == "wpr focus, wfu focus"
    scene.do("+wpr")
    assert scene.marker_picture() == "wpr mover"


def test_the_focus_may_not_be_shifted_yet():
    """T11: actions are due."""
    scene = Scene(START)
    for script in ("-pa1", "+pa2", "-pa2"):
        scene.do(script)
        assert scene.marker_picture() == "wpa mover", script


def test_no_focus_choice_for_a_push_that_was_not_played():
    """The victim alone was moved; 6 E W would look like that, and nobody touched 6."""
    scene = Scene(PUSH)
    scene.do("-pr7 +pr8")
    assert scene.marker_picture() == "wpr mover"


def test_without_copies_only_the_focus_is_to_be_shifted():
    """T10"""
    scene = Scene("w..............b/w..............b/w............... 0 2 4 4 b")
    assert (scene.picture(), scene.marker_picture()) == ("", "bpa focus, bpr focus, bfu mover")


def test_a_marker_that_came_too_early():
    """T11: it is to go home."""
    scene = Scene(START)
    scene.do("-pa1 +pa2 -wpa +wpr .300")
    assert scene.picture() == "pa1 lifted, pa2 copy"
    assert scene.marker_picture() == "wpa todo_put, wpr todo_take"


def test_the_opponents_marker_is_misplaced():
    scene = Scene(START)
    scene.do("-bfu")
    assert scene.marker_picture() == "wpa mover, bfu todo_put"
    scene.do("+bpr")
    assert scene.marker_picture() == "wpa mover, bpr todo_take, bfu todo_put"


# ---------------------------------------------------------------- phases


def test_set_up():
    """Missing and extra are told apart."""
    scene = Scene("w..............b/ww............../w..............b 0 0 4 4 w", free=True)
    assert scene.picture() == "pr2 todo_take, pr16 todo_put_black"
    assert scene.marker_picture() == "bpa todo_take, bfu todo_put"


def test_a_turn_that_was_taken_back_is_guided():
    scene = Scene(START)
    scene.do("-pa1 +pa3 -wpa +wpr .1000")
    scene.tracker.undo(SHARED)
    assert scene.picture() == "pa1 todo_put_white, pa3 todo_take"
    assert scene.marker_picture() == "wpa todo_put, wpr todo_take"


def test_a_provisional_turn_shows_what_was_understood():
    scene = Scene(START)
    scene.do("-pa1 +pa3 -wpa +wpr")
    assert scene.picture() == "pa1 lifted, pa2 move, pa3 move"
    assert scene.marker_picture() == "wpr mover"
    scene.do(".1000")
    assert (scene.picture(), scene.marker_picture()) == ("fu16 copy", "bfu mover")


def test_a_question_lights_where_the_choices_have_their_copies():
    """The reeds see no difference, so it is the mover's copies that tell the choices apart."""
    scene = Scene(TWINS)
    scene.do("-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300")
    assert scene.picture() == "pr9 question, pr16 question_b"
    assert scene.marker_picture() == "wpa question"


def test_a_forgotten_turn_lights_the_marker():
    """T11: there is one choice only, and it moves nothing."""
    scene = Scene(START)
    scene.do("-wpa +wpr .300")
    assert (scene.picture(), scene.marker_picture()) == ("", "wpr question")


def test_a_win():
    """T29"""
    scene = Scene(LAST_STAND)
    scene.do("-pr7 -pr8 +pr8 -pr8 +pr4 -wpr +wpa .1000")
    assert (scene.picture(), scene.marker_picture()) == ("pa1 win, pr1 win, pr4 win", "")


def test_a_draw_lights_both():
    """T32"""
    scene = Scene(START)
    scene.do("-pa1 +pa1")
    scene.tracker.offer_draw()
    scene.tracker.offer_draw()
    lit = [f"{era}{space} win" for era in ("pa", "pr", "fu") for space in (1, 16)]
    assert scene.picture() == ", ".join(lit)


# ---------------------------------------------------------------- levels


def test_hints_off():
    """The mover's marker only, and the way back from what cannot become a turn."""
    scene = Scene(PUSH)
    scene.hints.levels[WHITE] = HINTS_OFF
    for script in ("", "-pr6", "-pr7", "+pr7", "+pr8"):
        scene.do(script)
        assert (scene.picture(), scene.marker_picture()) == ("", "wpr mover"), script
    scene.do("-pr7 +pr14")
    assert scene.picture() == "pr7 todo_put_white, pr14 todo_take"


def test_a_second_squish_that_lies_there_but_was_not_played():
    """T18: the pushed copy was touched in the first action, and not since."""
    scene = Scene(PUSH)
    scene.do("-pr6 -pr7 +pr7 +pr8 -pr7")
    assert scene.picture() == (
        "pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 squish, pr11 move, fu7 forward"
    )
    assert scene.marker_picture() == "wpr mover"
    scene.do("-pr8 +pr8")
    assert scene.picture() == "pr6 lifted, pr7 push, pr8 squish"
    assert scene.marker_picture() == "wpa focus, wpr mover, wfu focus"


def test_legal_moves_without_consequences():
    scene = Scene("...............b/..b..bwb..w...../..b............. 1 2 4 4 w")
    scene.hints.levels[WHITE] = HINTS_LEGAL
    scene.do("-pr7")
    assert scene.picture() == (
        "pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 move, pr11 move, fu7 forward"
    )


def test_a_hint_shows_one_of_the_copies():
    """Where it is, and nothing else, until a copy is lifted; any one may act all the same."""
    scene = Scene("ww.............b/w..............b/w..............b 0 2 4 4 w")
    scene.hints.levels[WHITE] = HINT_LEVELS + 1
    scene.do("")
    assert scene.picture() == "pa2 copy"
    scene.do("-pa1")
    assert (
        scene.picture()
        == pictures("ww.............b/w..............b/w..............b 0 2 4 4 w", "-pa1")[0]
    )


def test_a_hint_of_where_no_copy_may_act_is_none():
    scene = Scene("ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w")
    for space in (0, 5):
        scene.hints.levels[WHITE] = HINT_LEVELS + space
        scene.do("")
        assert scene.picture() == "pa2 copy, pa5 copy"


def test_the_level_is_the_movers():
    scene = Scene(START)
    scene.hints.levels[WHITE] = HINTS_OFF
    assert list(scene.hints.levels) == [HINTS_OFF, HINTS_CONSEQUENCES]
    assert scene.picture() == ""
    scene.do("-pa1 +pa3 -wpa +wpr .1000")
    assert scene.game.mover == BLACK
    assert scene.picture() == "fu16 copy"


def test_a_full_flash_is_said_before_a_game_and_behind_it():
    scene = Scene(START)
    scene.hints.is_full = True
    assert scene.marker_picture().count("journal_full") == 5
    scene.do("-pa1 +pa3 -wpa +wpr .1000")
    assert scene.marker_picture() == "bfu mover"
    assert scene.tracker.resign(WHITE)
    assert scene.marker_picture().count("journal_full") == 6


def test_the_marker_may_stay_while_pieces_are_due():
    """Marker before the last piece: the piece is asked for, the marker is where it belongs."""
    for spot in ("bpa", "bfu"):
        scene = Scene("w.............../..b...w...w...../...............b 1 1 4 4 b")
        scene.do("-pr3 -pr7 +pr7 -pr7 +pr6 -bpr +" + spot)
        assert scene.picture() == "pr11 todo_take"
        assert scene.marker_picture() == spot + " mover"


def test_the_second_action_after_a_travel_back():
    """The spaces taken are those of the turn's start; the copy in the hand may still go on."""
    for script in ("-fu2 +pr2 +fu2 -pr2", "+pr2 -pr2"):
        scene = Scene("w..............b/w..............b/.w.............b 2 1 4 4 w")
        scene.do(script)
        assert scene.picture() == ("pa2 back, pr1 own_death, pr2 lifted, pr3 move, pr6 move"), (
            script
        )
        assert "focus" not in scene.marker_picture(), script


def test_every_lamp_is_lit_before_the_reeds_were_felt():
    """At power-on a dead LED stays dark, and nothing is asked for before the first scans."""
    game = Game()
    tracker = Tracker(game, object())
    tracker.set_up()
    tracker.update(0)
    hints = Hints(tracker)
    hints.paint()
    assert set(hints.leds[:SENSORS]) == {LAMP}


def test_what_was_done_is_named_as_what_may_be_done():
    """The preview and the comparing loop say the same of every action of many positions."""
    for seed in range(sample(60, 3)):
        game = played_game(Dice(seed), 40)
        table = game.legal()
        for index in range(table.firsts, table.end):
            base = index * RECORD_WORDS
            leds = bytearray(64)
            parent = table.records[base + PARENT]
            match.paint_actions(
                table.records,
                table.objects,
                0,
                index,
                index + 1,
                parent,
                OBSERVED,
                leds,
                MEANINGS,
                ALL_EFFECTS,
            )
            if table.records[base + STATUS] & BARRED:
                continue
            expected = leds[table.records[base + TARGET]]
            assert meaning_of(table.records, base) == expected, (seed, index)
