"""Goldens of the LEDs: which picture a moment has, as scenes (scenes.py)."""

from chronotable.core import match
from chronotable.core.tracker import Tracker
from chronotable.hardware.sensors import SENSORS
from chronotable.lights.hints import ALL_EFFECTS, MEANINGS, Hints, meaning_of
from chronotable.lights.meanings import LAMP
from tests.table.hands import START, Scene
from tests.table.scenes import scenes
from tests.table.tools import Dice, played_game, sample
from ttykm.game import Game
from ttykm.layout import BARRED, PARENT, RECORD_WORDS, STATUS, TARGET, WHITE

OBSERVED = match.observation()


scenes(
    __name__,
    """
# ---- whom and where to

the copies that may act [ww.............b/w..............b/w..............b 0 2 4 4 w]
  # T7: those of the focus era; the marker says whose turn it is.
  lit: pa1 copy, pa2 copy; marks: wpa mover

a barred copy stays dark [ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w]
  # T12, XS15: copy 1 can take one action only, the others two.
  lit: pa2 copy, pa5 copy

moves and travels of a lifted copy [................/.........w.....b/...............b 1 2 4 4 w]
  # T16, T24, T25
  -pr10 lit: pa10 back, pr6 move, pr9 move, pr10 lifted, pr11 move, pr14 move, fu10 forward

walls and taken spaces stay dark [w..............b/w..............b/w..............b 1 2 4 4 w]
  # T16, T24, T25, T33: corner, past and future taken.
  -pr1 lit: pr1 lifted, pr2 move, pr5 move

no way back without supply [...............b/.....w.........b/...............b 1 2 0 4 w]  # T27
  -pr6 lit: pr2 move, pr5 move, pr6 lifted, pr7 move, pr10 move, fu6 forward

the four consequences [...............b/..b..bwb..w...../..b............. 1 2 4 4 w]
  # T17-T21: each direction ends otherwise; games with modules find that out in other code.
  -pr7 lit: pa7 back, pr3 squish, pr6 push, pr7 lifted, pr8 squish, pr11 own_death, fu7 forward
  at PARADOX
  -pr3 lit: pa3 back, pr2 move, pr3 lifted, pr4 move, pr7 paradox, fu3 forward
  at .wbw............/b.............../b............... 0 1 2 4 w
  -pa2 lit: pa1 move, pa2 lifted, pa3 own_death, pa6 move, pr2 forward
  at ...............b/..b..bwb..w...../..b............. 1 2 4 4 w growth -/-/- seeds=5
  -pr7 lit: pa7 back, pr3 squish, pr6 push, pr7 lifted, pr8 squish, pr11 own_death, fu7 forward
  at w..............b/..b...w...w...../w..............b 1 1 4 4 b growth -/-/- seeds=5
  -pr3 lit: pa3 back, pr2 move, pr3 lifted, pr4 move, pr7 paradox, fu3 forward
  at .wbw............/b.............../b............... 0 1 2 4 w growth -/-/- seeds=5
  -pa2 lit: pa1 move, pa2 lifted, pa3 own_death, pa6 move, pr2 forward

the second action  # T8, T11: the same copy acts again, from where it stands.
  -pa1 +pa2 lit: pa1 lifted, pa2 copy
  -pa2 lit: pa1 move, pa2 lifted, pa3 move, pa6 move, pr2 forward

the second action in another era [w..............b/...............b/w..............b 0 2 4 4 w]
  # T9: the copy that has travelled acts there.
  -pa1 +pr1 lit: pa1 lifted, pr1 copy
  -pr1 lit: pa1 back, pr1 lifted, pr2 move, pr5 move

the past and the future have one travel each  # T26
  at w..............b/...............b/...............b 0 2 4 4 w
  -pa1 lit: pa1 lifted, pa2 move, pa5 move, pr1 forward
  at ...............b/...............b/w..............b 2 1 4 4 w
  -fu1 lit: pr1 back, fu1 lifted, fu2 move, fu5 move

# ---- to do

a push mover first [PUSH]
  # T17: the victim's new space, and the last picture asks for nothing more.
  -pr6 lit: pa6 back, pr2 move, pr5 move, pr6 lifted, pr7 push, pr10 move, fu6 forward
  -pr7 lit: pr6 lifted, pr7 push, pr8 todo_put_black
  +pr7 lit: pr6 lifted, pr7 push, pr8 todo_put_black
  +pr8 lit: pr6 lifted, pr7 copy, pr8 push

a squish that lies there but was not played
  at w..............b/......wb......../w..............b 1 1 4 4 w
  # T18: with the mover in hand the reeds look as after the squish; the choice stays open.
  -pr7 lit: pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 squish, pr11 move, fu7 forward
  -pr8 lit: pr7 lifted, pr8 squish
  +pr8 lit: pr7 lifted, pr8 copy

the dead are to be taken [PARADOX]  # T19, T23: both copies of a paradox.
  -pr3 -pr7 lit: pr3 lifted, pr7 paradox, pr11 todo_take
  +pr7 lit: pr3 lifted, pr7 paradox, pr11 todo_take
  -pr11 lit: pr3 lifted, pr7 copy

a new copy is to be put [w..............b/......b........./w..............b 1 1 4 4 b]
  # T25: one stays where the traveller was.
  -pr7 +pa7 lit: pa7 back, pr7 todo_put_black
  +pr7 lit: pa7 copy

the way back from a mistake
  # The pieces that are missing and those that are too many look different.
  -pa1 +pa11 lit: pa1 todo_put_white, pa11 todo_take
  -pa11 lit: pa1 todo_put_white
  +pa1 -pa1 +pa2 -pa2 +pa12 lit: pa2 todo_put_white, pa12 todo_take

hints come back after a mistake [PUSH]
  # A needless touch is forgotten for the hints once a legal arrangement lies there again.
  -pr6 -pr7 +pr14 +pr8 .300 -pr14 -pr8 +pr6 +pr7 .300 lit: pr6 confirm_white, pr7 confirm_black
  -pr6 +pr6 -pr7 +pr7 .300 -pr6
  lit: pa6 back, pr2 move, pr5 move, pr6 lifted, pr7 push, pr10 move, fu6 forward

a bystander in hand is to be put back
  -fu16 lit: fu16 todo_put_black

a push victim first [PUSH]
  # T17: what is in the hand can only be pushed by one copy, which is still to be moved.
  -pr7 lit: pr6 todo_take, pr7 push, pr8 todo_put_black
  +pr8 lit: pr6 todo_take, pr7 push

# ---- markers

the focus choices  # T15: the two other eras.
  -pa1 +pa3 lit: pa1 lifted, pa2 move, pa3 move; marks: wpa mover, wpr focus, wfu focus
  -wpa marks: wpr focus, wfu focus
  +wpr marks: wpr mover

the focus may not be shifted yet  # T11: actions are due.
  -pa1 marks: wpa mover
  +pa2 marks: wpa mover
  -pa2 marks: wpa mover

no focus choice for a push that was not played [PUSH]
  # The victim alone was moved; 6 E W would look like that, and nobody touched 6.
  -pr7 +pr8 marks: wpr mover

without copies only the focus is to be shifted  # T10
  at w..............b/w..............b/w............... 0 2 4 4 b
  lit: nothing; marks: bpa focus, bpr focus, bfu mover

a marker that came too early  # T11: it is to go home.
  -pa1 +pa2 -wpa +wpr .300 lit: pa1 lifted, pa2 copy; marks: wpa todo_put, wpr todo_take

the opponents marker is misplaced
  -bfu marks: wpa mover, bfu todo_put
  +bpr marks: wpa mover, bpr todo_take, bfu todo_put

# ---- phases

set up [w..............b/ww............../w..............b 0 0 4 4 w free]
  # Missing and extra are told apart.
  lit: pr2 todo_take, pr16 todo_put_black; marks: bpa todo_take, bfu todo_put

a turn that was taken back is guided
  -pa1 +pa3 -wpa +wpr .1000
  pc:undo lit: pa1 todo_put_white, pa3 todo_take; marks: wpa todo_put, wpr todo_take

a provisional turn shows what was understood
  -pa1 +pa3 -wpa +wpr lit: pa1 lifted, pa2 move, pa3 move; marks: wpr mover
  .1000 lit: fu16 copy; marks: bfu mover

a question lights where the choices have their copies [TWINS]
  # The reeds see no difference, so it is the mover's copies that tell the choices apart.
  -pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300 lit: pr9 question, pr16 question_b
  marks: wpa question

a forgotten turn lights the marker  # T11: there is one choice only, and it moves nothing.
  -wpa +wpr .300 lit: nothing; marks: wpr question

a win [LAST_STAND]  # T29
  WIN .1000 lit: pa1 win, pr1 win, pr4 win; marks: nothing

a draw lights both  # T32
  -pa1 +pa1
  pc:draw pc:draw lit: pa1 win, pa16 win, pr1 win, pr16 win, fu1 win, fu16 win

# ---- levels

a second squish that lies there but was not played [PUSH]
  # T18: the pushed copy was touched in the first action, and not since.
  -pr6 -pr7 +pr7 +pr8 -pr7
  lit: pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 squish, pr11 move, fu7 forward
  marks: wpr mover
  -pr8 +pr8 lit: pr6 lifted, pr7 push, pr8 squish; marks: wpa focus, wpr mover, wfu focus

the marker may stay while pieces are due
  # Marker before the last piece: the piece is asked for, the marker is where it belongs.
  at w.............../..b...w...w...../...............b 1 1 4 4 b
  -pr3 -pr7 +pr7 -pr7 +pr6 -bpr +bpa lit: pr11 todo_take; marks: bpa mover
  at w.............../..b...w...w...../...............b 1 1 4 4 b
  -pr3 -pr7 +pr7 -pr7 +pr6 -bpr +bfu lit: pr11 todo_take; marks: bfu mover

the second action after a travel back [w..............b/w..............b/.w.............b 2 1 4 4 w]
  # The spaces taken are those of the turn's start; the copy in the hand may still go on.
  -fu2 +pr2 +fu2 -pr2 | +pr2 -pr2 lit: pa2 back, pr1 own_death, pr2 lifted, pr3 move, pr6 move
  unlit: focus

hints off [PUSH]
  # The mover's marker only, and the way back from what cannot become a turn.
  pc:hints:0 lit: nothing; marks: wpr mover
  -pr6 lit: nothing; marks: wpr mover
  -pr7 lit: nothing; marks: wpr mover
  +pr7 lit: nothing; marks: wpr mover
  +pr8 lit: nothing; marks: wpr mover
  -pr7 +pr14 lit: pr7 todo_put_white, pr14 todo_take

legal moves without consequences [...............b/..b..bwb..w...../..b............. 1 2 4 4 w]
  pc:hints:1 -pr7 lit: pa7 back, pr3 move, pr6 move, pr7 lifted, pr8 move, pr11 move, fu7 forward

a hint shows one of the copies [ww.............b/w..............b/w..............b 0 2 4 4 w]
  # Where it is, and nothing else, until a copy is lifted; any one may act all the same.
  pc:hints:4 lit: pa2 copy
  -pa1 lit: pa1 lifted, pa2 own_death, pa5 move

a hint of where no copy may act is none
  at ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w
  pc:hints:3 lit: pa2 copy, pa5 copy
  pc:hints:8 lit: pa2 copy, pa5 copy

the level is the movers
  pc:hints:0 lit: nothing
  -pa1 +pa3 -wpa +wpr .1000 mover: black; lit: fu16 copy
""",
)


def test_a_full_flash_is_said_before_a_game_and_behind_it():
    scene = Scene(START)
    scene.hints.is_full = True
    assert scene.marker_picture().count("journal_full") == 5
    scene.do("-pa1 +pa3 -wpa +wpr .1000")
    assert scene.marker_picture() == "bfu mover"
    assert scene.tracker.resign(WHITE)
    assert scene.marker_picture().count("journal_full") == 6


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
