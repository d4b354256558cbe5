"""What hands do, and which turn it is to the tracker: named scenarios, with rule ids.

Scenes are explained in scenes.py, what hands do in hands.py.
"""

from tests.table.scenes import scenes

SQUISH = "w..............b/......wb......../w..............b 1 1 4 4 w"
CHAIN = "w.............../......b...w...b./w............... 1 1 4 4 b"
OWN_DEATH = "w.............../w.....b...b...../w..............b 1 1 4 4 b"
FORWARD = "w..............b/.........w.....b/w..............b 1 1 4 4 w"
BACK = "w..............b/......b........./w..............b 1 1 4 4 b"
NOBODY_THERE = "w..............b/w..............b/w............... 0 2 4 4 b"


scenes(
    __name__,
    """
# ---- turns

a move  # T7, T16: two moves of a copy, and the focus is shifted.
  -pa1 +pa2 -pa2 +pa6 -wpa +wpr => 1 E S >present

two spaces in one go  # T16: nobody lets go between two moves.
  -pa1 +pa3 -wpa +wpr => 1 E E >present

a push mover first [PUSH]  # T17
  -pr6 -pr7 +pr7 +pr8 -pr7 +pr3 -wpr +wpa => 6 E N >past

a push victim first [PUSH]  # T17: many players move the pushed copy before their own.
  -pr7 +pr8 -pr6 +pr7 -pr7 +pr3 -wpr +wpa => 6 E N >past

a push with both in hand [PUSH]  # T17
  -pr7 -pr6 +pr8 +pr7 -pr7 +pr3 -wpr +wpa => 6 E N >past

a squish mover first [SQUISH]
  # T18: after the mover's lift the reeds look as if it had happened, but nobody touched it.
  WIN => 7 E N >past

a squish victim first [SQUISH]  # T18
  -pr8 -pr7 +pr8 -pr8 +pr4 -wpr +wpa => 7 E N >past

a paradox in several orders [PARADOX]
  # T19, XS3: both whites die, the pusher goes on from where they met.
  -pr3 -pr7 -pr11 +pr7 -pr7 +pr6 -bpr +bpa | -pr11 -pr7 -pr3 +pr7 -pr7 +pr6 -bpr +bpa \
    | -pr7 -pr3 +pr7 -pr11 -pr7 +pr6 -bpr +bpa => 3 S W >past

an own death ends the actions [OWN_DEATH]  # T14, T21, XS5
  -pr7 -pr11 -bpr +bpa => 7 S >past

an own death by the other copy, which was lifted first [OWN_DEATH]
  -pr11 -pr7 -bpr +bpa => 11 N >past

a chain in several orders [CHAIN]  # T20, XS4: black squishes its own copy at the end of the line.
  -pr15 -pr11 +pr15 -pr7 +pr11 -pr11 +pr10 -bpr +bpa \
    | -pr7 -pr11 -pr15 +pr15 +pr11 -pr11 +pr10 -bpr +bpa => 7 S W >past

a travel forward [FORWARD]  # T24, XS6
  -pr10 +fu10 -fu10 +fu11 -wpr +wpa => 10 F E >past

a travel back in three orders [BACK]
  # T25, XS7: the copy goes and a new one stays, or the new one is put there straight away.
  -pr7 +pa7 +pr7 -pa7 +pa3 -bpr +bpa | -pr7 +pr7 +pa7 -pa7 +pa3 -bpr +bpa \
    | +pa7 -pa7 +pa3 -bpr +bpa => 7 B N >past

two travels back [...............b/...............b/..w............b 2 1 4 4 w]
  # T25, T26, XS13: two pieces leave the supply.
  +pr3 +pa3 -wfu +wpa => 3 B B >past; supply: 2 4

no travel back without supply [w..............b/.....w.........b/w..............b 1 2 0 4 w]
  # T27: a copy appears in the past and there is none to place.
  +pa6 .300 -> take pa6, put -: wrong copy
  at w..............b/.....w.........b/w..............b 1 2 0 4 w
  -pr6 +pa6 +pr6 .300 -> take pa6, put -: not a turn

a turn without copies in focus [NOBODY_THERE]  # T10, XS16b: the marker alone is the turn.
  -bfu +bpr => >present

a push whose pieces pass through the first action again
  # Game 59 of the vectors: on the way the same spaces are taken as after the first action.
  at ................/w....b..w.....w./ww...bb.w.b..w.b 2 2 0 1 w
  -fu14 +fu10 -fu2 -fu6 +fu2 +fu6 -fu10 -wfu +wpr => 14 N N >present

out and back really played is not asked  # T8: the two actions may undo each other.
  -pa1 +pa2 -pa2 +pa1 -wpa +wpr => 1 E W >present

clean play of either twin is not asked [TWINS]  # The touched spaces tell what presence cannot.
  -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa => 11 W W >past
  at TWINS
  -pr11 +pr15 -pr15 -pr16 +pr16 -wpr +wpa => 11 S E >past

# ---- people

a change of mind before the second action
  # T15: until the marker is placed everything may be done again, with another copy too.
  at ww.............b/w..............b/w..............b 0 2 4 4 w
  -pa1 +pa5 -pa5 +pa1 -pa2 +pa3 -pa3 +pa7 -wpa +wpr => 2 E S >present

a change of mind leaves no trace [TWINS]
  # The touches of an excursion are forgotten when everything certainly lies as before.
  # Certain it is without a supply: else what was put back on 16 could be a new copy.
  -pr16 +pr16 -pr11 +pr10 -pr10 +pr11 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300 \
    -> ask 11 W W >past | 11 S E >past
  at ................/.w......b.wb...b/...b.w...w....b. 1 2 0 0 w
  -pr16 +pr16 -pr11 +pr10 -pr10 +pr11 -pr11 +pr10 -pr9 -pr10 +pr9 -wpr +wpa .300 \
    -> provisional 11 W W >past

a bystander is adjusted
  -pr1 +pr1 TWO_EAST => 1 E E >present
  at START
  -pa1 +pa2 -pr1 +pr1 -pa2 +pa3 -wpa +wpr => 1 E E >present

a copy is lifted put back and moved
  -pa1 +pa1 -pa1 +pa2 -pa2 +pa2 -pa2 +pa3 -wpa +wpr => 1 E E >present

the marker comes before the last piece
  -pa1 +pa2 -pa2 -wpa +wpr .50 -> nothing
  +pa3 -> provisional 1 E E >present

the marker comes while the reeds look like a squish [PUSH]
  # T18: 6 E E would look like that, but the pushed copy was not touched again.
  -pr6 -pr7 +pr7 +pr8 -pr7 -wpr +wpa +pr3 -> provisional 6 E N >past
  at PUSH
  -pr6 -pr7 +pr7 +pr8 -pr7 -wpr +wpa .300 -> ask 6 E E >past
  -wpa +pr3 +wpa -> provisional 6 E N >past

the marker rests before a pushed copy is moved  # T17: its new space is to be filled yet.
  at w..............b/....w.b........./w..............b 1 1 4 4 w
  -pr5 +pr6 -pr6 -pr7 +pr7 -wpr +wpa .300 -> take -, put pr8: unfinished; phase: turn
  +pr8 -> provisional 5 E E >past

the marker is slid through the middle era
  # It closes the present's reed on its way from the past to the future.
  -pa1 +pa3 -wpa +wpr -wpr +wfu .1000 -> provisional 1 E E >present
    & reopened
    & provisional 1 E E >future
    & final 1 E E >future, certain

# ---- two players' hands

the opponent lifts while the marker is in the air
  -pa1 +pa3 -wpa -fu16 +wpr -> provisional 1 E E >present & final 1 E E >present, certain
  +fu8 -bfu +bpr => 16 N N >present

the opponent adjusts a copy while the marker is in the air
  -pa1 +pa3 -wpa -fu16 +fu16 +wpr => 1 E E >present

the opponent takes a whole action before the marker is down
  # Nothing is guessed: it is asked back until the marker is down.
  -pa1 +pa3 -wpa -fu16 +fu12 +wpr .300 -> take fu12, put fu16: not a turn
  -fu12 +fu16 -> provisional 1 E E >present

# ---- when a turn counts

a turn is final after a second of rest
  # T15: the table cannot feel the release, so the marker has to rest.
  TWO_EAST .950 -> provisional 1 E E >present; phase: provisional
  .50 -> final 1 E E >present, certain; mover: black

no timer ends a turn without the marker
  -pa1 +pa3 .60000 -> nothing

the opponents first lift makes a turn final
  TWO_EAST -> provisional 1 E E >present
  -fu16 -> final 1 E E >present, certain
  +fu12 -fu12 +fu8 -bfu +bpr -> provisional 16 N N >present

the opponents marker makes a turn final too
  # T10: where it has no copies there is nothing else to lift.
  at w..............b/w..............b/w............... 0 2 4 4 w
  TWO_EAST -bfu +bpr -> provisional 1 E E >present
    & final 1 E E >present, certain
    & provisional >present

the marker reopens a provisional turn  # T15: nothing counts before it is released.
  TWO_EAST
  .300 -wpr -> reopened; phase: turn
  -pa3 +pa6 .300 -> nothing
  +wfu .1000 -> provisional 1 E S >future & final 1 E S >future, corrected

a final turn is taken back by its marker
  # Until the opponent lifts something, the marker may be lifted again.
  TWO_EAST .5000
  -wpr -> taken back 1 E E >present; mover: white; turns: 0
  -pa3 +pa6 +wfu -fu16 -> provisional 1 E S >future & final 1 E S >future, corrected

a turn that was taken back is put back altogether
  # It has not won: the start position on the table begins no other game.
  TWO_EAST .1000
  -wpr -pa3 +pa1 +wpa .300 -> taken back 1 E E >present
  TWO_EAST -> provisional 1 E E >present

a final turn is not taken back after the opponents lift
  TWO_EAST .1000 -fu16
  -wpr +wpr -> nothing; turns: 1
  at START
  TWO_EAST .1000 -bfu +bpa
  -wpr +wpr -> nothing; turns: 1

a winning turn is taken back by its marker [LAST_STAND]  # T15, T29
  WIN .1000 phase: over
  -wpa -> taken back 7 E N >past
  +wfu .1000 -> … & over white by rules

the rest is a setting
  pc:rest:400 TWO_EAST .350 -> provisional 1 E E >present
  .50 -> final 1 E E >present, certain

a turn that is taken back after another one is asked about
  # What was touched for it is known no more: that it was this turn is a guess.
  at w.............../ww............b./w..............b 1 1 4 4 w
  -pr1 -pr2 -wpr +wpa .1000 -pr15 +pr14 -pr14 +pr13 -bpr +bpa .1000
  /undo:w put_up .400 -wpa -> … & taken back 1 E >past
  +wpa .400 -> ask 1 E >past

# ---- taking back with the button

the opponents undo takes back and guides  # A later take-back needs the opponent's button.
  TWO_EAST .1000 -fu16 +fu15
  /undo:w -> nothing
  /undo:b -> taken back 1 E E >present; phase: restore
  .300 -> take pa3 fu15 wpr, put pa1 fu16 wpa: restore
  -fu15 -pa3 +pa1 -wpr +fu16 .300 -> take -, put wpa: restore
  +wpa .300 -> nothing; phase: turn
  TWO_EAST -> provisional 1 E E >present

two turns are taken back one by one
  TWO_EAST .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr .1000
  /undo:w -> taken back 16 N N >present
  /undo:w -> nothing
  /undo:b -> taken back 1 E E >present; game: START

undo gives a provisional turn up
  # It never counted: nothing is recorded, and the turns before stay.
  TWO_EAST .1000 -fu16 +fu12 -fu12 +fu8 -bfu +bpr
  /undo:b -> nothing  # the own turn is reopened with the marker
  /undo:w -> reopened; turns: 1
  .300 -> take fu8 bpr, put fu16 bfu: restore

the pc takes back for either player
  TWO_EAST .1000
  pc:undo -> taken back 1 E E >present
  no:undo
""",
)
