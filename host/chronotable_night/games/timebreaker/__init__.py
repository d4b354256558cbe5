"""Time Breaker: agents chase the Time Breaker through the gates, to bring them to the TRA.

What it is: `data` (gates, arrows, cards), `grid` (steps on it), `pieces` (what moves where).
How it goes: `plays` and `legal` (what may be done), `refusals` (why not), `course` (what follows).
Who knows what: `views`. In words: `names`, `rules`, `consequences`, `decisions`, `headlines`,
`happenings`, `endings`. For bots: `thumb`. `kind` has it all in one.
"""
