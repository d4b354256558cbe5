"""Rules that are told best by a picture: of each a position, and a turn that is made there."""

from __future__ import annotations

EXAMPLES = {
    "T3": ("w..............b/w..............b/w..............b 0 2 4 4 w", ""),
    "T7": ("w..............b/w..............b/w..............b 0 2 4 4 w", "1 E S >present"),
    "T17": ("w..............b/w....b.........b/w..............b 1 2 4 4 w", "1 S E >past"),
    "T18": ("w..............b/w..............b/..........bw...b 2 2 4 4 b", "11 E N >past"),
    "T19": ("w.bb...........b/w..............b/w..............b 0 2 4 4 w", "1 E E >present"),
    "T24": ("w..............b/................/...............b 0 2 4 4 w", "1 F E >present"),
    "T25": ("................/...............b/w..............b 2 2 4 4 w", "1 B E >past"),
    "T29": ("w..............b/.w.b............/w............... 1 2 4 4 w", "2 E E >past"),
}
"""By the number of the rule; without a turn the position is what the rule is about."""
