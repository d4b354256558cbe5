"""What is no turn as it lies there: questions, mistakes and how they are guided, broken reeds.

Scenes are explained in scenes.py, what hands do in hands.py.
"""

from tests.table.hands import Scene, press
from tests.table.scenes import scenes

ASKED_TWINS = "-pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300"
"""11 W W, after a bystander was touched on the space that 11 S E would have touched."""
TRAVELLER = "................/b.............../.w.............b 2 1 1 4 w"
"""2 B W leaves a copy behind and squishes present 1: to the reeds all lies as before."""
GROWTH = "w..............b/w..............b/w..............b 0 2 4 4 w growth -/-/- seeds=5"
TWINS_AND_TREE = (
    "................/.w......b.wb...b/...b.w...w....b. 1 2 1 0 w growth -/-/T1 seeds=4"
)
BESIDE_A_TWIN = "w.............../ww............b./w..............b 1 1 4 4 w"

scenes(
    __name__,
    """
# ---- questions

a forgotten turn is asked though out and back would fit
  # T11: only the marker moved, and 1 E W would look like that.
  -wpa +wpr .300 -> ask 1 E W >present; phase: question
  .60000 -> nothing

a push whose pusher never moved is asked [PUSH]
  # T11: the victim was put aside and the own copy forgotten; 6 E W would look like that.
  -pr7 +pr8 -wpr +wpa .300 -> ask 6 E W >past

a copy that changes colour has been touched [TRAVELLER]
  # Who passed by present 2 only is not asked about 2 B W, and who played it not about 2 E W.
  -fu2 +fu2 +pr2 -pr2 -wfu +wpr .300 -> ask 2 E W >present | 2 B E >present | 2 B S >present
  at TRAVELLER
  -fu2 +pr2 +fu2 -pr2 -pr1 +pr1 -wfu +wpr -> provisional 2 B W >present

who has no turn is asked when the owners are never confirmed
  # Players who overlook that light can still say that only the marker moved (T10).
  at ................/w..............b/w..............b 0 2 4 4 w
  -pr1 -pr16 +pr1 +pr15 -wpa +wpr .300 -pr15 +pr16 .300 lit: pr1 confirm_white, pr16 confirm_black
  .2100 -> ask >present
  /a -> provisional >present

a question is answered by a button [TWINS]
  ASKED_TWINS -> ask 11 W W >past | 11 S E >past
  /c -> nothing
  /b -> provisional 11 S E >past
  .1000 -> final 11 S E >past, asked

a question is answered by the pc [TWINS]
  ASKED_TWINS
  no:answer:2 pc:answer:0 -> provisional 11 W W >past
  no:answer:0 .1000 -> final 11 W W >past, asked

what is touched does not answer a question [TWINS]
  # Whoever touches it: what lay there is asked back, and then the question comes again.
  ASKED_TWINS
  -pr9 +pr9 .300 -> nothing; lit: pr9 question, pr16 question_b
  -fu4 +fu8 -fu8 +fu4 -> nothing
  lit: pr9 question, pr16 question_b  # only one colour was in the hand
  -pr9 +pr6 -> nothing; lit: pr6 todo_take, pr9 todo_put
  .300 -> take pr6, put pr9: unanswered
  .60000 -> nothing
  -pr6 +pr9 .300 -> ask 11 W W >past | 11 S E >past; lit: pr9 question, pr16 question_b
  /a -> provisional 11 W W >past

who forgets the actions again and again needs no doctor [GROWTH]
  -wpa +wpr .2500 -> take wpr, put wpa: actions due; marks: wpa todo_put, wpr todo_take
  -wpr +wpa .300
  -wpa +wpr .2500 -> take wpr, put wpa: actions due
  -wpr +wpa .300
  -wpa +wpr .2500 -> take wpr, put wpa: actions due
  -wpr +wpa .300
  -wpa +wpr .2500 -> take wpr, put wpa: actions due; marks: wpa todo_put, wpr todo_take

an object that is asked back is named [TWINS_AND_TREE]
  ASKED_TWINS; lit: pr9 question, pr16 question_b
  -fu1 .300 lit: fu1 put_tree
  +fu1 .300 lit: pr9 question, pr16 question_b

the next player's turn does not answer a question [TWINS]
  # A whole turn of black's, and white's marker moved on: all of it is led back.
  ASKED_TWINS
  -fu4 +fu8 -fu8 +fu7 -bfu +bpr .5000 -> take fu7 bpr, put fu4 bfu: unanswered
  -wpa +wfu .300 -> take fu7 wfu bpr, put fu4 wpa bfu: unanswered
  lit: fu4 todo_put_black, fu7 todo_take
  -wfu -fu7 +wpa -bpr +fu4 +bfu .300 -> ask 11 W W >past | 11 S E >past
  /b -> provisional 11 S E >past
  -fu4 +fu8 -fu8 +fu12 -bfu +bpa .1000 -> final 11 S E >past, asked
    & provisional 4 S S >past
    & final 4 S S >past, certain

the other colour is asked back
  # Two pieces have changed places meanwhile: reeds see nothing, the lights want to be sure.
  -wpa +wpr .300 -> ask 1 E W >present
  -pr1 -pr16 +pr1 +pr16 .300 -> take -, put -: unanswered
  lit: pr1 confirm_white, pr16 confirm_black
  -pr1 +pr1 -pr16 +pr16 .300 -> … & ask 1 E W >present

a reed that breaks while a question is open
  # The copy was put back, and is not felt: once the lights have asked long enough, a says so.
  -wpa +wpr .300 -pr1 .300 -> … & take -, put pr1: unanswered
  /a -> nothing
  .2000 /a -> fault pr1 c
  .100 -> ask 1 E W >present

all is taken back instead of an answer [TWINS]
  # The position before the turn lies there, markers included: the turn begins anew.
  ASKED_TWINS
  -fu4 .300 -pr9 +pr11 +pr9 -wpa +wpr +fu4 .300
  phase: restore  # whose pieces lie there is to be confirmed
  lit: pr9 confirm_black, pr11 confirm_white, pr16 confirm_black
  -pr9 +pr9 -pr11 +pr11 -pr16 +pr16 .300 phase: turn
  -pr11 +pr15 -pr15 -pr16 +pr16 -wpr +wpa -> provisional 11 S E >past

the next player begins before the question is lit [TWINS]
  # What the reeds leave open is asked at the opponent's lift, which counts for nothing.
  -pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa -fu4 -> ask 11 W W >past | 11 S E >past
  +fu8 .300 -> take fu8, put fu4: unanswered

the next player begins while the marker of a doubt is in the air [TWINS]
  -pr16 +pr16 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr -fu4 +wpa -> ask 11 W W >past | 11 S E >past
  +fu8 .300 -> take fu8, put fu4: unanswered

a forgotten turn is played after the question
  # With the marker in the hand it goes on, as after every turn that has ended.
  -wpa +wpr .300
  -wpr -pa1 +pa3 +wpr => 1 E E >present

a turn that was not understood is not lost under the next one
  # Black overlooks a guide and takes a turn: back to where white's turn began.
  -pa1 +pa2 -wpa +wpr .300 -> take wpr, put wpa: second action due
  -fu16 +fu15 -fu15 +fu14 -bfu +bpr .300 -> … & take pa2 fu14 wpr bpr, put pa1 fu16 wpa bfu: restore
  phase: restore
  -pa2 +pa1 -fu14 +fu16 -bpr +bfu -wpr +wpa .300
  TWO_EAST -> provisional 1 E E >present

what is led back ends no turn on the way
  # The marker stands as it did for a turn that is not understood; 1 E W would end there.
  -pa1 +pa2 -pa2 +pa1 -pr1 +pr11 -wpa +wpr .300 -> take pr11 wpr, put pr1 wpa: no copy there
  -pr11 +pr1 .300 -> take wpr, put wpa: actions due
  .1500 -wpr +wpa .300 -> nothing
  TWO_EAST -> provisional 1 E E >present

the marker goes home after the question
  -wpa +wpr .300
  -wpr +wpa .300 -> nothing; phase: turn
  TWO_EAST -> provisional 1 E E >present

none of these
  -pa1 +pa2 -pa2 -wpa +wpr .2100 -> … & ask 1 E E…
  /action:w -> ask 1 E F >present | 1 S S >present | 1 S F >present
  /action:b -> nothing
  .300 -> … & take…; broken: nothing
  +pa3 -> provisional 1 E E >present

a question behind a guide is not answered
  # Who presses late means the question that was lit: no choice, and no reed is accused.
  -wpa +wpr .300 -pa1 +pa3 .300
  /a /b /action:w /action:b no:answer:0 -> nothing; broken: nothing; phase: question
  -pa3 +pa1 .300 -> ask 1 E W >present

# ---- mistakes

an illegal arrangement is named when it has settled
  # T16: two spaces are not diagonal-and-one; it is named after 250 ms, once, and guided back.
  -pa1 +pa11 .200 -> nothing
  .50 -> take pa11, put pa1: not a turn
  .5000 -> nothing
  -pa11 .300 -> take -, put pa1: not a turn
  +pa1 .300 -> nothing
  TWO_EAST .1000 -> … & final 1 E E >present, corrected

a mistake after the first action is guided to it
  # The way back is the shortest: to the last arrangement that was legal.
  -pa1 +pa2 -pa2 +pa12 .300 -> take pa12, put pa2: not a turn

a copy of another era is named  # T7: only copies of the focus era may be chosen.
  -pr1 +pr2 .300 -> take pr2, put pr1: no copy there

a copy that may not be chosen is named
  # T12, XS15: copy 1 can take one action only, others can take two.
  at ww..w.........../w.w.....b......./.b.............. 0 2 4 4 w
  -pa1 +pa9 .300 -> take pa9, put pa1: choose abler copy

an opponents copy is named  # T7
  -pa16 +pa15 .300 -> take pa15, put pa16: wrong copy

the second action is due  # T11: both actions must be taken where they can be.
  -pa1 +pa2 -wpa +wpr .300 -> take wpr, put wpa: second action due
  -pa2 +pa3 .1000 -> provisional 1 E E >present & final 1 E E >present, corrected

what is still to be moved is said when the marker stands [PARADOX]
  # T23: one of the two that died is still there.
  -pr3 -pr7 +pr7 -pr7 +pr6 -bpr +bfu .300 -> take pr11, put -: unfinished
  -pr11 -> provisional 3 S W >future

the opponents marker is misplaced  # T28: nothing but its player's turn moves a focus.
  -bfu .300 -> nothing
  +bpr .300 -> take bpr, put bfu: marker misplaced
  -bpr +bfu TWO_EAST => 1 E E >present

a strict game bars the early death [BESIDE_A_TWIN strict]
  # T14 with strict_two_actions: a two-action turn exists, so 1 E into the own copy is none.
  -pr1 -pr2 -wpr +wpa .300 -> take wpa, put pr1 pr2 wpr: not a turn
  at BESIDE_A_TWIN
  -pr1 -pr2 -wpr +wpa -> provisional 1 E >past

two misplaced copies are guided to the start of the turn
  # Both in the hand look like a self-paradox (T21); what was placed since tells otherwise.
  at w....w.........b/w..............b/w..............b 0 2 3 4 w
  -pa1 -pa6 +pa2 +pa5 .300 -> take pa2 pa5, put pa1 pa6: not a turn

the settling time is a setting
  pc:settle:600 -pa1 +pa11 .550 -> nothing
  .50 -> take pa11, put pa1: not a turn

# ---- broken reeds

a reed that does not open is asked about and named
  # The copy went, its old space still says that it lies there; 1 alone could be the reed.
  +pa3 -wpa +wpr .300 -> take pa1, put -: unfinished
  /a -> fault pa1 o
  .1100 -> provisional 1 E E >present & final 1 E E >present, asked
  -fu16 +fu8 -bfu +bpr .1100 -> … & final 16 N N >present, certain

no reed is blamed where the other colour lies
  # The players say that white's copy is there, and no reed denies it: it feels any magnet.
  at w..............b/w..............b/w..............b 0 2 4 4 b
  -pr1 +pr7 -pr16 +pr1 .300 -> take pr1 pr7, put pr16: no copy there
  /a -> nothing
  .300 -> take pr1 pr7, put pr16: run the doctor
  /a -> fault pr7 w & fault pr16 w

a turn without trouble takes it back that the doctor is needed
  at w..............b/w..............b/w..............b 0 2 4 4 b
  -pr1 +pr7 -pr16 +pr1 .300
  /a
  -pr1 -pr7 +pr1 +pr16 .300 -pr1 +pr1 -pr16 +pr16 .300 marks: …wpr doctor…
  -fu16 +fu15 -fu15 +fu14 -bfu +bpr .1100
  marks: …wpr doctor…  # this turn had begun with what seemed wrong
  TWO_EAST .1100 -> … & final 1 E E >present, certain; unlit: doctor

a flickering marker takes nothing back
  # The reed under the marker begins to flicker when the turn is final.
  TWO_EAST .1100 -> … & final 1 E E >present, certain
  ~wpr -> … & fault wpr f & provisional 1 E E >present
  .1000 -> final 1 E E >present, corrected

a reed that does not close leaves a choice
  # 1 went and came down nowhere: several spaces may have a reed that does not close.
  -pa1 +pa2 -pa2 -wpa +wpr .2100 -> … & ask 1 E E >present | 1 E S >present | 1 E W >present
  lit: pa1 question_c, pa3 question, pa6 question_b
  /b -> fault pa6 c & provisional 1 E S >present
  .1000 -> final 1 E S >present, asked
  at PUSH
  -pr6 +pr5 -pr5 -wpr +wpa .2100 -> … & ask 6 W N >past | 6 W E >past | 6 W S >past

a space that cannot be felt is played on
  # Present 2 is virtual: who vanishes on the way stands there.
  at ..w............b/......w........b/w..............b 1 2 4 4 w
  blame pr2
  -> fault pr2 c
  -pr7 -wpr +wpa -> … & provisional 7 N W >past
  .1000 -fu16 +fu8 -bfu +bpr .1100 -> … & final 16 N N…

a space that cannot be felt is asked for
  # 12 may have gone out and back, or have left a copy in the present, which went to 16.
  at w.............../....w.b........./...........b...b 0 2 3 4 b
  blame pr16
  -fu12 +fu12 -bfu +bpr .300 -> fault pr16 c & ask 12 N S >present | 12 B S >present
  /b -> provisional 12 B S >present
  .1000 -> final 12 B S >present, asked

a marker that is felt nowhere
  -pa1 +pa3 -wpa .1900 -> nothing
  .200 -> ask 1 E E >present | 1 E E >future; lit: nothing; marks: wpr question, wfu question_b
  /b -> fault wfu c & provisional 1 E E >future

a marker whose old spot stays closed
  -pa1 +pa3 +wpr .300 -> take wpr, put -: marker misplaced
  .1800 -> ask 1 E E >present
  /a -> fault wpa o & provisional 1 E E >present

a turn is ended by word where no marker is felt
  # Both other spots are known to be broken, and home as well.
  blame wpa wpr wfu
  -> fault wpa c & fault wpr c & fault wfu c
  -pa1 +pa3 .300 -> nothing
  /a -> ask 1 E E >present | 1 E E >future
  /a -> provisional 1 E E >present

a flickering space is left out and heals
  ~pa7 -> … & fault pa7 f
  TWO_EAST .5000 -> … & final 1 E E >present, certain
  -fu16 +fu8 -bfu +bpr .1000 -> … & final 16 N N >present, certain & fault pa7 h

a spot that closes while the marker is in the air
  # Nobody has two markers: which of the spots is it?
  -pa1 +pa3 -wpa +wpr -> provisional 1 E E >present
  +wfu .300 -> reopened & take wpr wfu, put wpa: marker misplaced
  .1800 -> ask 1 E E >present | 1 E E >future
  /b -> fault wpr o & provisional 1 E E >future

the old spot closes again by itself
  -pa1 +pa3 -wpa +wpr +wpa -> provisional 1 E E >present
  .1000 -> reopened & ask 1 E E >present
  at START
  -pa1 +pa3 -wpa +wpr +wpa -> provisional 1 E E >present
  -fu16 -> final 1 E E >present, certain
  at START
  -pa1 +pa3 -wpa +wpr +wpa -> provisional 1 E E >present
  -pa3 -> reopened

a restless space does not push itself into the question of a forgotten turn [TRAVELLER]
  # 2 B S would end on it; it is asked about when nothing that lies there was meant.
  -wfu ~pr6:6 +wpr:40 .250 -> ask 2 E W >present
  /action:w -> ask 2 B E >present | 2 B S >present
""",
)


def test_a_row_that_goes_at_once_is_named():
    scene = Scene()
    for sensor in (0, 16):
        scene.magnets.discard(sensor)
        scene.tracker.edge(sensor, False, scene.now_ms)
    scene.tracker.health.lost_line = True  # past 1 and present 1, were they wired to one row
    told = scene.do(".300")
    assert told == ["take -, put pa1 pr1: no copy there"], told
    assert press(scene, "a") == ["fault pa1 c", "fault pr1 c"]
