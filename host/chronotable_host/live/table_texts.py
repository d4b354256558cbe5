"""Sentences for the table's own codes (chronotable.why, .table, .health) and for its versions."""

from chronotable import health, table, why
from chronotable.messages import PROTOCOL_MAJOR
from ttykm.game import RULES_VERSION

GUIDES = {
    why.SET_UP: "The pieces and markers are to be set up first.",
    why.RESTORE: "The game stands elsewhere than the pieces and markers; put them back.",
    why.UNFINISHED: "The turn is not finished on the table: pushed, dead or new copies are due.",
    why.NOT_A_TURN: "No legal turn leads to what lies there (T16-T27); take it back.",
    why.MARKER_MISPLACED: "A focus marker stands where its player's focus is not.",
    why.UNANSWERED: "A question is open: put back what was touched since, then answer it.",
    why.WANTED: "Carry out the turn that is lit, one action after the other, then the marker.",
    why.WRONG_COPY: "That copy has no part in this turn (T7, T8); put it back.",
}

REFUSALS = {
    table.REFUSED_ANSWER: "There is no open question with that choice.",
    table.REFUSED_UNDO: "There is no turn to take back.",
    table.REFUSED_END: "No game is in progress that could end.",
    table.REFUSED_POSITION: "The table cannot set up that position.",
    table.REFUSED_SETTING: "The table has no such setting or value.",
    table.REFUSED_FORGET: "The table keeps that game: it has more of it than was stored.",
    table.REFUSED_WANTED: "The table is not at the turn that it was told to show.",
}

FAULTS = {
    health.DOES_NOT_OPEN: "does not open",
    health.DOES_NOT_CLOSE: "does not close",
    health.FLICKERS: "flickers",
    health.GHOST: "ghost",
    health.HEALED: "healed",
}

OWN_LEVELS = ("", "easy", "medium", "strong")
"""How the table itself plays a side, by chronotable.seats; not at all first."""

RESETS = {
    1: "the power came on",
    3: "the watchdog reset a table that hung",
    4: "somebody had stopped the table",
    5: "a fault of the firmware",
    6: "to be examined",
}
"""Why a table started, by `reset_cause` of its counters; firmware/app/watchdog.py has the codes."""


def own_name(level: int) -> str:
    """Return what a record calls the table as a player of this level, "" where hands play."""
    if not level:
        return ""
    known = OWN_LEVELS[level] if level < len(OWN_LEVELS) else f"level {level}"
    return f"Chronotable, the table ({known})"


def link_problem(version: int) -> str:
    """Return why a table with this major version of the link cannot be talked to."""
    versions = f"version {version} of the link, the PC version {PROTOCOL_MAJOR}"
    return f"The table speaks {versions}: {_update(version < PROTOCOL_MAJOR)}."


def rules_problem(version: int) -> str:
    """Return why a table with this version of the rules cannot be mirrored, "" where it can."""
    if version == RULES_VERSION:
        return ""
    versions = f"version {version} of the rules, the PC by version {RULES_VERSION}"
    return f"The table plays by {versions}: {_update(version < RULES_VERSION)}."


def _update(is_table_older: bool) -> str:
    """Return what to do where table and PC are of different versions."""
    if is_table_older:
        return "update the firmware with `chronotable flash`"
    return "update chronotable on the PC"
