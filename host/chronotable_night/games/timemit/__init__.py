"""TIMEmiT: two players, one ship, eight rounds of combat and bids.

`effects` reads what is printed on cards, `box` the data file that says it. `table` is the game on
the table while an action is played out; `parts` does what effects say, `lanes` counts bids, and
`rounds` is the order of play. `actions` tells what may be done and does it, `refusals` why not;
`views` hides, and draws what could be hidden. `texts` and its neighbours say it all in words,
`thumb` plays by rules of thumb; `kind` puts it together.
"""
