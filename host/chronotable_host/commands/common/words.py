"""Words of the game that commands print: what is typed, and stands in records, stays as it is."""

from __future__ import annotations

from chronotable_host.language import tr, tr_c
from chronotable_host.rules.record import IN_PROGRESS

WINS = (tr("white wins"), tr("black wins"))
"""By side."""
UNDERSTOOD = {
    "certain": tr_c("a turn was understood", "certain"),
    "asked": tr_c("a turn was understood", "asked"),
    "corrected": tr_c("a turn was understood", "corrected"),
}
"""How the table understood turns, by the words of records."""
TERMINATIONS = {
    "normal": tr_c("end of a game", "normal"),
    "resigned": tr_c("end of a game", "resigned"),
    "agreed": tr_c("end of a game", "agreed"),
    IN_PROGRESS: tr_c("end of a game", "in progress"),
}
"""How games ended, by the words of records."""
