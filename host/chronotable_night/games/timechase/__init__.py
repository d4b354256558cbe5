"""Time Chase: tricks in the present, tricks again in the past (rules H1 to H21).

`cards` are the cards; `setting_up` deals; `row` reads the timeline; `acting` says what is legal and
carries it out; `rounds` goes on from there to the next decision; `views` hides and guesses;
`headlines`, `choices`, `telling` and `endings` put it in words, `rulebook` the rules; `bots` plays
by rules of thumb; `game` and `kind` show all of it to the outside.
"""
