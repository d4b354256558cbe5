"""TIMEmiT: two players, one ship, eight rounds of combat and bids.

`effects` reads what is printed on cards, `box` the data file that says it. `table` is the game on
the table while an action is played out, its lanes of bids, and what of it a seat knows; `parts`
does what effects say, and `rounds` is the order of play. `actions` tells what may be done and does
it. `texts` and `decisions` say it all in words, `bots` plays by rules of thumb; `kind` puts it
together.
"""
