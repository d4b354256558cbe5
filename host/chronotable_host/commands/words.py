"""Words of the game that commands print: what is typed, and stands in records, stays as it is."""

from __future__ import annotations

from chronotable_host.language import tr, tr_c
from chronotable_host.rules.record import IN_PROGRESS

PLAYERS = (tr_c("player", "White"), tr_c("player", "Black"))
"""By side, to begin a sentence with."""
LISTED_PLAYERS = (tr_c("player", "white"), tr_c("player", "black"))
"""By side, where a turn is listed."""
WINS = (tr("white wins"), tr("black wins"))
"""By side."""
UNDERSTOOD = {
    "certain": tr_c("turns that the table understood", "certain"),
    "asked": tr_c("turns that the table understood", "asked"),
    "corrected": tr_c("turns that the table understood", "corrected"),
}
"""How the table understood turns, by the words of records."""
TERMINATIONS = {
    "normal": tr_c("end of a game", "normal"),
    "resigned": tr_c("end of a game", "resigned"),
    "agreed": tr_c("end of a game", "agreed"),
    IN_PROGRESS: tr_c("end of a game", "in progress"),
}
"""How games ended, by the words of records."""
