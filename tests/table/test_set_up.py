"""Set-up and recovery by the lights: in any order, owner by owner, nothing moved needlessly."""

from tests.table.scenes import scenes

HEAP = "..w............b/w.............../w..............b 0 2 4 4 w"
STATUES = " influence nN7/nN7/nN7 statues=wb"
SWAP = "wb.............b/w..............b/w..............b 0 2 4 4 w"
SQUISH = ".............b.b/w..w.......b...b/.....w........b. 0 1 4 2 b"
scenes(
    __name__,
    """
a copy on the other player's corner is asked back before the next game
  # The table knew whose it was when the game ended, and nobody has touched it since.
  at b..............w/w..............b/w.........b..... 0 2 4 4 w
  pc:resign:w -fu11 +fu16 .300 lit: pa1 todo_take, pa16 todo_take
  -pa1 -pa16 +pa1 +pa16 .300 -> … & started

a new game needs no confirming lift  # Who sets up a start position sees whose is whose.
  at w..............b/w..............b/w............... 0 2 4 4 w free
  lit: fu16 todo_put_black
  +fu16 -> … & started

a bump is put back owner by owner [SWAP]
  # Two pieces have changed places and a third lies elsewhere: reeds see only the third.
  -pa1 -pa2 +pa2 +pa1 -pr1 +pr7 -fu1 +fu9 .300 -> take pr7 fu9, put pr1 fu1: no copy there
  lit: pa1 confirm_white, pa2 confirm_black, pr1 todo_put_white, pr7 todo_take, \
    fu1 todo_put_white, fu9 todo_take
  -pr7 +pr1 -fu9 +fu1 lit: pa1 confirm_white, pa2 confirm_black
  -pa1 +pa1 lit: pa2 confirm_black
  -pa2 +pa2 lit: pa1 copy  # white's turn, as before
  -pa1 +pa5 -pa5 +pa9 -wpa +wpr -> … & provisional 1 S S >present

pieces that are only gone come back owner by owner
  # No turn takes pieces of all eras: somebody's sleeve did, and any may be put anywhere.
  -pa1:25 -pa16:25
  -pr1:25 -pr16:25
  -fu1:25 -fu16:25
  .2000 lit: pa1 todo_put_white, pa16 todo_put_black, pr1 todo_put_white, pr16 todo_put_black, \
    fu1 todo_put_white, fu16 todo_put_black
  +pa16 +pa1 +pr1 +pr16 +fu1 +fu16 .300
  lit: pa1 confirm_white, pa16 confirm_black, pr1 confirm_white, pr16 confirm_black, \
    fu1 confirm_white, fu16 confirm_black
  -pa16 +pa16 -fu1 +fu1 -pr1 +pr1 -pr16 +pr16 -pa1 +pa1 -fu16 +fu16 .300 lit: pa1 copy
  TWO_EAST .1100 -> … & final 1 E E >present, corrected

what is mixed up after the first action is lifted once more
  # A cat takes black's piece while white's own is in the hand for its second action.
  at w..............b/ww.............b/.w.............b 1 0 3 4 w
  -pr1 +pr5 .300 -pr5
  -pr16:30 +pr5 .2000 lit: pr16 todo_put_black
  +pr16 .300 -> take -, put -: mixed; lit: pr5 confirm_white, pr16 confirm_black
  -pr5 +pr5 -pr16 +pr16 .300 lit: pr1 lifted, pr5 copy
  -pr5 +pr9 -wpr +wpa .1100 -> … & final 1 S S >past, corrected

whose it is that came where a light asked for the mover's is asked [SQUISH]
  # Black's 12 might have squished white's 4, and so the lights said, until something lay there.
  -pr4 .300 +pr4 .2500 -> nothing
  at SQUISH
  -pr4 .2500 lit: …pr4 todo_put_black…
  +pr4 .300 -> take -, put -: mixed; lit: pr4 confirm_white
  -pr4 +pr4 .300 lit: pr12 copy, pr16 copy

what is lifted to be looked at goes on with no other action [PUSH]
  # Without white's copy on present 7 the reeds feel a squish of black's on 8.
  -pr6 -pr7 +pr8 +pr7 .300
  -pa16 -pr8 -pr7 +pr7 +pr8 +pa16 .300 lit: pa16 confirm_black, pr7 confirm_white, pr8 confirm_black
  -pr7 .300 +pr7 .300 lit: pa16 confirm_black, pr8 confirm_black
  -pr8 .300 +pr8 -pa16 +pa16 .300 lit: pr6 lifted, pr7 copy, pr8 push

an action with both players pieces in the hand asks for nothing [PUSH]
  -pr7 -pr6 +pr8 +pr7 .2500 -> nothing
  -pr7 +pr3 -wpr +wpa .1100 -> … & final 6 E N >past, certain

hands that pause in a paradox are asked for nothing
  # White's copy stands where black's was, which is still in the hand.
  at ................/.b...ww....b...b/..b..w.w.b...... 1 2 0 2 w
  -pr7 +pr8 .300 -pr8 -pr12 +pr12 .300 -pr16 .300 -> nothing
  -wpr +wpa .1100 -> … & final 7 E S >past, certain

an earlier position put up asks whether to go back
  TWO_EAST .1100 -fu16 +fu15 -fu15 +fu14 -bfu +bpr .1100
  -pr1 +pr2 -pr2 +pr3 -wpr +wpa .1100 turns: 3
  -pr3 +pr1 -fu14 +fu16 -bpr +bfu -wpa +wpr .300 -> … & take -, put -: go back?
  /a -> taken back 1 E E >past & taken back 16 W W >present
  -pr1 +pr1 -fu16 +fu16 .300 phase: turn; turns: 1

a table that is cleared asks for nothing and blames nobody
  at w.............../w.............../........b......b 0 2 4 4 w
  -pa1 -pr1 -fu9 -fu16 -wpa -bfu .3000 lit: nothing; marks: nothing
  /a -> nothing; broken: nothing

a wrong move may be mended by a right one  # Nobody has to go back all the way.
  -pa1 +pa4 .300 -> take pa4, put pa1: not a turn; lit: pa1 todo_put_white, pa4 todo_take
  -pa4 +pa3 lit: pa1 lifted, pa2 move, pa3 move
  -wpa +wpr -> provisional 1 E E >present

a legal position on the way back is not taken for the end
  # After a bump of many, a piece that still lies a step away is asked back as well.
  -pr1 +pr7 -fu1 +fu9 -fu16 +fu12 -pa1 +pa2 .300
  -pr7 +pr1 -fu9 +fu1 -fu12 +fu16 lit: pa1 todo_put_white, pa2 todo_take
  -pa2 +pa1 lit: pa1 copy

a broken reed is shown while setting up
  # People have to see for themselves that the piece lies there.
  at w..............b/w..............b/w............... 0 2 4 4 w free
  .300 pc:answer:0
  .50 -pa1 +pa3 -wpa +wpr .1100
  pc:undo lit: pa1 todo_put_white, pa3 todo_take, fu16 fault

an empty table blames nobody [................/................/................ 0 2 4 4 w free]
  .300 no:answer:0 broken: nothing

a bump after the first action leads back to it
  -pa1 +pa2 -pr1 +pr7 -fu1 +fu9 -fu16 +fu12 .300
  -pr7 +pr1 -fu9 +fu1 -fu12 +fu16 lit: pa1 lifted, pa2 copy
  -pa2 +pa3 -wpa +wpr -> … & provisional 1 E E >present

missing and extra and whose [HEAP]
  begin ..w............b/w............w.b/w..............b 1 2 4 4 b
  .300 -pa3 lit: pa3 todo_put_white, pr14 todo_put_white, pr16 todo_put_black
  marks: wpa todo_take, wpr todo_put

a piece that may be anybodys is lifted once [HEAP]
  # The table knows what nobody has touched since the game before.
  pc:resign:w -pa3 +pa1 -pa16 -pr1 -fu16 +fu16 +pr1 +pa16 .300
  begin START
  +pr16 .300 -> … & take -, put -: set up…; phase: restore
  lit: pa1 confirm_white, pa16 confirm_black, pr1 confirm_white, fu16 confirm_black
  -pr1 +pr1 -fu16 +fu16 -pa1 +pa1 lit: pa16 confirm_black
  -pa16 lit: pa16 todo_put_black
  +pa16 -> … & started

what lies right at once is taken as it lies
  begin START
  .300 phase: turn

what is put right in one go is taken as it lies [HEAP]
  # Nobody is asked to lift anything while the hands still move.
  -pa3
  begin START
  +pa1 +pr16 -> started

after a power cut an object that a copy may have pushed is looked at
  # White's copy lies where the statue was, or the statue still does: reeds say the same. It may
  # have pushed those of the other eras, too.
  at w..............b/.....w.........b/w..............b 1 2 4 4 w influence nN7/nN7/nN7 statues=wb
  -pr6 -pr7 +pr8 +pr7 .500 cut
  lit: pa7 put_statue, pr6 todo_put_white, pr7 put_statue, pr8 todo_take, fu7 put_statue
  -pr7 -pr8 +pr7 +pr6 -pa7 +pa7 -fu7 +fu7 lit: pr6 copy

after a power cut in the first turn the start is looked at as well
  # Hands have moved pieces meanwhile: nobody knows which, though it is a start again.
  -pa1 .500 cut:pr1,pr9 -pr9 +pr1 +pa1 .300 -> … & take -, put -: restore
  lit: pa16 confirm_black, pr16 confirm_black, fu1 confirm_white, fu16 confirm_black

after a power cut a piece is looked at where the one in the hand came from [PUSH]
  # Black's piece was put there in the dark: reeds see only where it is missing.
  -pa1 .500 cut:pa1,pa16 lit: pa1 confirm_white, pa16 todo_put_black, pr6 confirm_white…

after a power cut what the turn may have exchanged is confirmed
  # White's copy has squished black's on present 15, or has not: reeds say the same.
  at w..............b/......w.......b./w..............b 1 2 4 3 w
  -pr7 +pr11 -pr15 -pr11 +pr15 -wpr +wpa .500 cut lit: pr7 todo_put_white, pr15 confirm_black
  marks: wpa todo_take, wpr todo_put
  -pr15 +pr7 -wpa +wpr lit: pr15 todo_put_black
  +pr15 .300 lit: pr7 copy

the start put up in a game asks for the next one
  at w...w........b.b/w........b...w../w.........w..... 0 2 4 3 w
  -pa5 +pa6 -pa6 +pa7 -wpa +wpr .1100
  -pa7 -pa14 -pr10 -pr14 +pr16 -fu11 +fu16 -wpr +wpa -bfu +bfu .300 -> … & take -, put -: new game?
  lit: pa1 question, pa16 question, pr1 question, pr16 question, fu1 question, fu16 question
  /action:w -> nothing
  .300 -> take pr16 fu16 wpa, put pa7 pa14 pr10 pr14 fu11 wpr: no copy there
  -pa1 +pa1 .300
  /a -> nothing
  .300 -> … & started; turns: 0; broken: nothing

a stuck reed is found while setting up
  # It does lie on future 16.
  at w..............b/w..............b/w............... 0 2 4 4 w free
  .300 pc:answer:0 .50 -> take -, put fu16: set up & fault fu16 c & started; broken: fu16
""",
)
