"""Chapters at the table: what the action button offers, and echoes as things to do, era by era.

Scenes are explained in scenes.py, what hands do in hands.py.
"""

from chronotable.core import buttons
from chronotable.hardware.sensors import BUTTONS
from tests.table.hands import Scene
from tests.table.scenes import scenes
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
SWAP = (
    "w..............b/..w............b/w..............b 1 2 4 4 w influence nN2/nN2/nN3 statues=wb"
)
CROWDED = (
    ".w............b./w.............b./.....w.....b.... 2 1 4 4 w growth+influence+memory"
    " *1,*2,eD4,*5,nN7,eL13,*15/sh2,eD4,sh5,nN7,eL13,nB16/F3<2,eD4,T5,nN7,*12,eL13,nB16"
    " seeds=0 statues=w"
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
scenes(
    __name__,
    """
a seed that grows nothing is planted under the copy [GROWTH]
  # G5: only the choice tells; the copy is lifted and put back.
  !action -pa1 +pa1 .300 -pa1 +pa2 .300 -wpa +wpr
  .2000 -> final 1 po E >present, certain

who plants is tapped where several could [TWO_COPIES]
  !action -> nothing; lit: pa1 question, pa4 question
  -pa4 +pa4 .100 -> nothing; lit: pa3 plant, pa4 plant, pa8 plant
  +pa3 -pa3 .300 +pr3 +fu3 .300 -pa4 +pa8 -wpa +wfu -> provisional 4 pW S >future

what falls while a statue is being built asks for no other action
  # Black's copy went north and builds behind itself; a statue before it would look the same.
  at w..............b/w..............b/....w..........b 0 2 4 4 b influence -/-/- statues=wb
  -fu16 +fu12 .300 !action +fu16
  -pa1:20 +pa7 .2500 -> … & take pa7, put pa1: not a turn
  -pa7 +pa1 .300 -bfu +bpa .1100 -> … & final 16 N sS >past, corrected

another kind of statue is put where one lies before the next era
  # Black's statue echoes into a neutral one, which is pushed on: reeds feel one on either.
  at .....w.b......../w.....w.......bb/....w......b.... 1 0 3 3 b influence nN7/nN8/nN8 statues=wb
  -pa8 +pa4 .300 !action +pa8 .300 lit: pr8 put_black_statue, pr12 put_statue
  +pr12 lit: pr8 put_black_statue, fu12 put_statue…
  -pr8 +pr8 lit: fu8 put_black_statue, fu12 put_statue, fu16 todo_put_black
  -fu12 +fu16 +fu12 .300 lit: fu8 put_black_statue  # so the turn is not whole
  unlit: bpr focus
  -fu8 +fu8 .300 marks: …bpr focus…

a choice is taken back with another press [GROWTH]
  !action +pa2 -pa2 .300 lit: pr2 put_shrub
  !action .300 lit: pa1 copy
  -pa1 +pa3 -wpa +wpr -> provisional 1 E E >present

who moves after all is offered nothing any more [GROWTH]
  # A commanded elephant, though, may be put down on the way.
  !action -pa1 +pa2 .300 lit: pa1 lifted, pa2 copy
  at MEMORY
  !action -pa4 +pa4 .300 !action -pa4 +pa2 .300 lit: pa3 command, pa8 command

what is touched after an action without a trace is not forgotten [CORNER]
  # The seed is the first half of the turn; which copy died after it no reed can tell.
  !action -fu11 +fu11 .300 -fu15 +fu15 -fu12 -fu11 +fu12 -wfu +wpa
  .300 -> ask 11 po E >past | 11 po S >past

a statue is built in three eras [INFLUENCE]  # I7, I8
  !action lit: pa1 copy, pa2 build, pa5 build
  +pa2 .300 lit: pr2 put_white_statue
  +pr2 .300 lit: fu2 put_white_statue
  +fu2 .300 -pa1 +pa5 -wpa +wpr -> provisional 1 sE S >present

who builds and goes on at once is understood [CROWDED]
  !action .300 +fu2 -fu6:50 -fu2 +fu6 +fu10 -wfu +wpa -> provisional 6 sN S* >past

a pushed statue echoes [ECHO]
  # XI2, I5: what dies in a later era is lifted there, and the statue takes its space.
  -pa6 -pa7 +pa7 +pa8 .300 lit: pa7 paradox, pr7 todo_take, pr8 put_statue
  -pr8 -pr7 +pr8 .300 lit: …fu10 todo_take, fu11 put_statue, fu12 todo_take…
  -fu10 -fu11 -fu12 +fu11 .300 unlit: todo; unlit: put

an echo that is lifted first tells who may have acted [SWAP]
  # Whichever of the two statues follows the copy or is pushed, this one moves with it.
  -fu3 -> nothing; lit: pr2 push, pr3 copy, pr4 move, fu3 lifted

a pull is seen [PULL]  # I4: the statue behind follows, or stays, and nobody has to press anything.
  -pa6 +pa7 .300 -pa7 +pa8 -wpa +wpr -> provisional 6 E E >present
  at PULL
  -pa6 +pa7 .300 -pa5 +pa6 -pr7 +pr8 -fu7 +fu8 .300 -pa7 +pa8 -wpa +wpr \
    -> provisional 6 E* E >present

an elephant is trained and commanded [MEMORY]
  # M3, M6: a hat is not felt; a trained one is moved to a lit space.
  !action lit: pa3 copy, pa4 train
  -pa4 +pa4 .300 !action lit: pa3 command, pa8 command
  -pa4 +pa8 .300 -wpa +wpr => 3 tE cD:S >present

standard games know nothing of it
  !action .300 -> nothing; lit: pa1 copy

a commanded elephant takes the space of a piece [TAKEN]
  # M7: the trampled copy is lifted before the elephant or after it; the turn is the same.
  !action -pa1 +pa1 .100 lit: pa1 command, pa6 command, pa9 command
  -pa5 -pa6 +pa6 .300 -pa1 +pa2 .300 -wpa +wpr .2500 \
    | -pa6 -pa5 +pa6 .300 -pa1 +pa2 .300 -wpa +wpr => 1 cL:E E >present

the next player may press at once [GROWTH]
  # While the marker rests, the opponent's action button ends the turn and begins the next.
  -pa1 +pa2 .300 -pa2 +pa3 .100 -wpa +wpr .300
  !action:b -> final 1 E E >present, certain; lit: fu12 plant, fu15 plant, fu16 plant

objects that were bumped are put back [INFLUENCE]
  -pr7 +pr6 -pr16 +pr12 -fu7 +fu3 .600 -fu3 +fu7 .600 -pr12 +pr16 .600 -pr6 +pr7 .3000
  lit: pr7 put_statue, fu7 put_statue  # no reed tells which one is where
  -pr7 +pr7 -fu7 +fu7 lit: pa1 copy

a statue that was bumped with a copy is put back [INFLUENCE]
  # A hand that holds both may put down either, so each is lifted once more.
  -pr1 -pr7 +pr7 +pr2 .300 -> take pr2, put pr1: no copy there
  -pr2 +pr1 lit: pr1 confirm_white, pr7 put_statue
  -pr7 +pr7 -pr1 +pr1 lit: pa1 copy

what may not be the piece that belongs there is looked at [INFLUENCE]
  # Hands that move objects, or objects and copies, may put any of them where the lights ask.
  -fu16 +pr9 .600 -pr7 +fu16 .600 lit: …fu16 confirm_black…
  at INFLUENCE
  -pr7 +fu11 .600 -pr16 +pr7 .600 lit: …pr7 put_statue…
  at INFLUENCE
  -pr7 +pr6 .600 -fu7 +pr7 .600 lit: …pr7 put_statue…
  at INFLUENCE
  -pa1 -pa7 +pa1 .3000 lit: …pa1 confirm_white…

what lay there before a copy was lifted is not that copy [INFLUENCE]
  # Nobody chose to build the statue that stands where white's copy might have gone.
  +pa5 -pa1 .2500 -> take pa5, put pa1: not a turn
  lit: pa1 todo_put_white, pa5 todo_take

who minds no light has minded none before [INFLUENCE]
  # White's copy is asked for, but a statue is put there and the copy elsewhere.
  -pr7 +pr6 -pr1 +pr2 .600 -pr2 +pr1 +pr3 .600 lit: pr1 confirm_white, pr3 todo_take, \
    pr6 todo_take, pr7 put_statue

who changes his mind puts the statue elsewhere [INFLUENCE]
  # Reeds feel where it is built: the choice is the kind of action, and who acts.
  !action +pa5 .400 -pa5 +pa2 .300 lit: pr2 put_white_statue
  +pr2 +fu2 .300 -pa1 +pa5 -wpa +wpr -> provisional 1 sE S >present

a copy and an object that were put back are in no hand [MEMORY]
  # Whichever was which: the marker may end the turn, as after any way out and back.
  -pa13 -pa3 +pa3 +pa13 marks: wpa mover, wpr focus, wfu focus
  at INFLUENCE
  -pa7 -pa1 +pa1 +pa7 marks: wpa mover, wpr focus, wfu focus

each position is offered once [INFLUENCE]  # 1 S E leads to that of 1 E S, objects included.
  -pa1 -wpa +wpr .2100 !action -> …
    & ask 1 E E >present | 1 E S >present | 1 E W >present
    & ask 1 E F >present | 1 S S >present | 1 S F >present

what leaves no trace is not what lies there [DROPPED]
  # A copy that was dropped two spaces away and is put down one space away has moved.
  -fu13 +fu5 .300 -fu5 +fu9 .300 lit: fu9 copy, fu13 lifted
  !action lit: …plant…

who goes back to the start of the turn begins anew [BOXED]
  # The shrub is back in the box: no reed will ever feel where the hand has it.
  !action +pr8 -pr8 .300 +fu8 .300 -pr12 +pr11 .300 -fu8 .300 -pr11 +pr12 .1000
  lit: pr12 copy, pr16 copy

an impatient second tap plants nothing [TWO_COPIES]
  # The lights take a tenth of a second to answer the first.
  !action -pa4 +pa4 -pa4 +pa4 .100 lit: pa3 plant, pa4 plant, pa8 plant
  .600 -pa4 +pa4 .300 lit: pr4 put_shrub

a seed is planted and grows era by era [GROWTH]
  # G5, G6: the aims are lit; one is touched with a magnet; shrub first, then tree.
  !action -> nothing; lit: pa1 plant, pa2 plant, pa5 plant
  +pa2 -pa2 .300 -> nothing; lit: pr2 put_shrub
  +pr2 .300 -> nothing; lit: fu2 put_tree
  +fu2 .300 lit: pa1 copy…
  -pa1 +pa5 .300 -> nothing; lit: pa1 lifted, pa2 move, pa5 move, pr2 push, fu2 push
  -wpa +wpr => 1 pE S >present

an action that left no trace is not guessed [GROWTH]
  # T11: the second action may have been forgotten, or be a seed, which no reed sees.
  -pa1 +pa2 .300 -wpa +wpr .2500 -> ask 1 E pW >present

a brushed neighbour changes no choice [FAR]
  !action -pa1 +pa1 .100 -pa9 -pa6:100 +pa6:35 +pa10 .300
  -pa1 +pa2 .300 -wpa +wpr -> provisional 1 cL:E E >present

the next game begins with the same modules [INFLUENCE]
  pc:resign:w -pa7 -pa1 .300 +pa1 +pa7 .600 -> over black by resignation & … & started
  game: INFLUENCE

a copy and a statue may change hands [SWAP]
  # XI7, T25: a hand may put either down first; the past looks as it did before.
  -pr3 +pa3 +pr3 .300 -pa3 -pa1 -pa2 +pa2 +pa1 .300 -pr2 +pr1 -fu3 +fu2 .300
  -wpr +wpa .2000 -> provisional 3 B W >past & …
""",
)


def test_a_second_action_goes_on_where_there_is_no_room_for_more():
    """What was looked up is forgotten once the hands rest, but not what follows what lies there."""
    scene = Scene(GROWTH)
    scene.do("-pa1 +pa2 .300 +pr6")
    scene.game.turn_tree.is_full = True
    scene.do(".300 +fu6")
    assert scene.do("-wpa +wpr") == ["provisional 1 E pS >present"]


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


def test_the_start_of_a_module_is_set_up_as_the_lights_ask():
    """Chapter 2: a neutral statue on space 7 of every board; the markers say who begins (T4)."""
    for script, mover in (("+pa7 +pr7 +fu7", 0), ("-wpa +wfu -bfu +bpa +pa7 +pr7 +fu7", 1)):
        scene = Scene()
        scene.tracker.set_up(objects.new_state(objects.INFLUENCE), free_start=True)
        scene.wait(400)
        assert scene.picture() == "pa7 put_statue, pr7 put_statue, fu7 put_statue"
        assert scene.do(script + " .600")[-1] == "started", script
        assert scene.game.mover == mover, script


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
