"""Time Breaker: agents chase the Time Breaker through the gates, to bring them to the TRA.

What it is: `data` (gates, arrows, cards), `pieces` (the grid, what moves where). How it goes:
`legal` (what may be done, and why not), `course` (what follows, and who knows of it). In words:
`names`, `decisions`, `happenings`. `bots` plays by rules of thumb; `kind` has it all in one.
"""
