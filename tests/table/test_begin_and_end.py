"""How games begin and end at the table: who begins, wins, resignations, draws, the next game.

Scenes are explained in scenes.py, what hands do in hands.py.
"""

from tests.table.scenes import scenes

BLACK_FIRST = "w..............b/w..............b/w..............b 2 0 4 4 b"
ONE_ERA = "...............b/w....w....b...../................ 0 2 4 4 b"

scenes(
    __name__,
    """
# ---- start

the markers say that white begins [START free]
  # T3, T4: the start position is recognised, white's marker in the past.
  -> started; mover: white; game: START

the markers say that black begins [BLACK_FIRST free]
  # T4: the first player's focus is the past, whoever that is.
  -> started; mover: black; game: BLACK_FIRST

a start that is not complete is guided
  at w..............b/ww............../w..............b 0 2 4 4 w free
  -> take pr2, put pr16: set up
  -pr2 .300 -> take -, put pr16: set up
  +pr16 .300 -> started

both markers in one era are no start  # T4: the two players' focuses are the past and the future.
  at w..............b/w..............b/w..............b 0 0 4 4 w free
  -> take bpa, put bfu: set up
  -bpa +bfu .300 -> started

a handicap is in the start that is asked for
  # T6: pieces are missing from a supply, which no reed can see.
  at w..............b/w..............b/w..............b 0 2 4 2 w
  supply: 4 2
  TWO_EAST .1000 -> … & final 1 E E >present, certain

# ---- ends

a win [LAST_STAND]  # T29, T31: black is left with no era but one, and white's turn has just ended.
  WIN .1000 -> provisional 7 E N >past
    & final 7 E N >past, certain
    & over white by rules
  winner: white

a win without an action [ONE_ERA]
  # T10, T31, XS16: the check comes after a turn of the marker alone, too.
  -bfu +bpa .1000 -> provisional >past & final >past, certain & over black by rules

a turn before a resignation is not taken back
  # T32: the turn has not won, and the game is over whatever becomes of its marker.
  TWO_EAST .1000
  /resign:b
  -wpr +wpr .300 -> nothing; phase: over; turns: 1

a turn that is resigned to counts
  # T32: the opponent gives up at the sight of a turn, before the marker has rested.
  TWO_EAST
  /resign:b -> final 1 E E >present, certain & over white by resignation

nobody resigns to a winning turn [LAST_STAND]  # T29: it has won already.
  WIN
  /resign:w -> … & over white by rules

# ---- draws

one player alone agrees on nothing
  # T32: the PC says whose offer it is; the same side twice is no agreement.
  pc:draw:w pc:draw:w -> nothing
  pc:draw:b -> over draw by agreement; winner: nobody

a draw is declined  # With b, or by going on.
  /draw
  /b -> nothing
  /a -> nothing
  /draw
  -pa1
  /draw -> nothing  # a lift has declined the first offer
  /draw -> over draw by agreement

an offer does not outlive the game
  /draw
  pc:set_up /a -> nothing; phase: restore

# ---- the next game

black may begin the next game [LAST_STAND]  # T4: the loser goes first.
  WIN .1000
  -pr4 +pa16 +pr16 +fu1 +fu16 -bpr +bpa -wpa +wfu .300 -> started; game: BLACK_FIRST

the end is seen in the start position
  # Resigned before the first move: the next game begins when somebody touches the table.
  /resign:w -> over black by resignation
  .2000 -> nothing; phase: over
  -pr1 .300 -> nothing  # not without all of it
  +pr1 .300 -> started

a game begins as soon as the pieces stand [START free]
  -> started
  /resign:w
  -pa1
  pc:set_up +pa1 -> started

a new game begins with the start position [LAST_STAND strict]
  # T4: after a game the start is set up by hand, by whoever begins, the options are kept.
  WIN .1000
  -pr4 +pa16 +pr16 +fu1 +fu16 -bpr .1000 -> nothing
  +bfu .300 -> started; game: START; options: strict
  TWO_EAST -> provisional 1 E E >present

clearing the table by the winners marker first takes nothing back [LAST_STAND strict]
  # The lift looks like a take-back until the start lies there: then the win counts again.
  WIN .1000
  -wpa -> taken back 7 E N >past & …
  -pr4 .3000 +pa16 +pr16 +fu1 +fu16 -bpr .3000 +wpa +bfu .300 \
    -> … & final 7 E N >past, certain & over white by rules & started; game: START; options: strict
  TWO_EAST -> provisional 1 E E >present

a win is forgotten with the turn that is taken back after it
  # Who lifts the winner's marker and takes a turn more back has not won on another start.
  at w.............../w.....w........b/................ 1 1 4 4 b
  -pr16 +pr8 -bpr +bpa .2000
  WIN .2000 -> … & over white by rules
  -wpa .300 -> taken back 7 E N >past
  pc:undo put_up .1000 phase: turn
  put_up:START .4000 phase: turn; turns: 0
""",
)
