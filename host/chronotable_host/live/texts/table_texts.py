"""Sentences for the table's own codes (core/why.py, table.py, health.py) and for its versions."""

from chronotable.core import commands, health, why
from chronotable.link.messages import PROTOCOL_MAJOR
from chronotable_host.language import names, tr, tr_c
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.reason_texts import reason_text
from ttykm.game import RULES_VERSION

GUIDES = {
    why.SET_UP: tr("The pieces and markers are to be set up first."),
    why.RESTORE: tr("The game stands elsewhere than the pieces and markers; put them back."),
    why.UNFINISHED: tr(
        "The turn is not finished on the table: pushed, dead or new copies are due."
    ),
    why.NOT_A_TURN: tr("No legal turn leads to what lies there (T16-T27); take it back."),
    why.MARKER_MISPLACED: tr("A focus marker stands where its player's focus is not."),
    why.UNANSWERED: tr("A question is open: put back what was touched since, then answer it."),
    why.WANTED: tr("Carry out the turn that is lit, one action after the other, then the marker."),
    why.MIXED: tr(
        "Hands held pieces of both players: lift what is lit, look, and put the right one back."
    ),
    why.OTHER_OWNER: tr(
        "The other player's copy was put there; where the magnet of the right one is the wrong "
        "way round, button a says so."
    ),
    why.NEW_GAME: tr(
        "A start lies there while this game goes on. Button a begins the next game, and this one "
        "is kept as it was broken off; action says that it is none."
    ),
    why.GO_BACK: tr(
        "An earlier position of this game lies there. Button a goes back to it; action says that "
        "it is none."
    ),
    why.DOCTOR: tr(
        "The reeds change as they do where wires are exchanged or a diode is missing: run "
        "`chronotable doctor`, which finds it."
    ),
    why.WRONG_COPY: tr("That copy has no part in this turn (T7, T8); put it back."),
}

REFUSALS = {
    commands.REFUSED_ANSWER: tr("There is no open question with that choice."),
    commands.REFUSED_UNDO: tr("There is no turn to take back."),
    commands.REFUSED_END: tr("No game is in progress that could end."),
    commands.REFUSED_POSITION: tr("The table cannot set up that position."),
    commands.REFUSED_SETTING: tr("The table has no such setting or value."),
    commands.REFUSED_FORGET: tr("The table keeps that game: it has more of it than was stored."),
    commands.REFUSED_WANTED: tr("The table is not at the turn that it was told to show."),
}

FAULTS = {
    health.DOES_NOT_OPEN: "does not open",
    health.DOES_NOT_CLOSE: "does not close",
    health.FLICKERS: "flickers",
    health.GHOST: "ghost",
    health.MISWIRED: "may be wired wrongly",
    health.HEALED: "healed",
    health.TURNED: "turned",
}
"""What is wrong with a reed, as programs read it."""

FAULT_WORDS = {
    "does not open": tr_c("a reed", "does not open"),
    "does not close": tr_c("a reed", "does not close"),
    "flickers": tr_c("a reed", "flickers"),
    "ghost": tr_c("a reed", "ghost"),
    "may be wired wrongly": tr_c("a reed", "may be wired wrongly"),
}
"""The same for people, of reeds that are in doubt."""

OWN_LEVELS = ("", "easy", "medium", "strong")
"""How the table itself plays a side, by chronotable.player.seats; not at all first."""

_LEVEL_WORDS = {
    "easy": tr_c("level", "easy"),
    "medium": tr_c("level", "medium"),
    "strong": tr_c("level", "strong"),
}

RESETS = {
    1: tr("the power came on"),
    3: tr("the watchdog reset a table that hung"),
    4: tr("somebody had stopped the table"),
    5: tr("a fault of the firmware"),
    6: tr("to be examined"),
}
"""Why a table started, by `reset_cause` of its counters; firmware/app/watchdog.py has the codes."""


def plays_itself(level: int) -> bool:
    """Tell whether the table itself plays a side of this level: easy, medium, strong."""
    return 0 < level < len(OWN_LEVELS)


def own_name(level: int) -> str:
    """Return what a record calls the table as a player of this level, "" where hands play."""
    return f"Chronotable, the table ({_level(level)})" if level else ""


def _own_name_said(level: int) -> str:
    """Return what people call the table as a player of this level."""
    known = _LEVEL_WORDS.get(_level(level)) or tr("level {number}", number=level)
    return tr("Chronotable, the table ({level})", level=known)


def _level(level: int) -> str:
    return OWN_LEVELS[level] if level < len(OWN_LEVELS) else f"level {level}"


def link_problem(version: int) -> str:
    """Return why a table with this major version of the link cannot be talked to."""
    if version < PROTOCOL_MAJOR:
        sentence = tr(
            "The table speaks version {version} of the link, the PC version {known}: update the "
            "firmware with `chronotable flash`."
        )
    else:
        sentence = tr(
            "The table speaks version {version} of the link, the PC version {known}: update "
            "chronotable on the PC."
        )
    return sentence.format(version=version, known=PROTOCOL_MAJOR)


def rules_problem(version: int) -> str:
    """Return why a table with this version of the rules cannot be mirrored, "" where it can."""
    if version == RULES_VERSION:
        return ""
    if version < RULES_VERSION:
        sentence = tr(
            "The table plays by version {version} of the rules, the PC by version {known}: update "
            "the firmware with `chronotable flash`."
        )
    else:
        sentence = tr(
            "The table plays by version {version} of the rules, the PC by version {known}: update "
            "chronotable on the PC."
        )
    return sentence.format(version=version, known=RULES_VERSION)


def guide_text(code: int) -> str:
    """Return why the table asks for pieces to be moved."""
    try:
        return GUIDES[code] if code in GUIDES else reason_text(code)
    except LookupError:
        return unknown(code)


def who_plays(side: int, level: int) -> str:
    """Return who plays a side now: the table itself at a level, or hands."""
    player = names.PLAYERS_WITHIN[side]
    if not level:
        return tr("hands play {player}", player=player)
    return tr("{name} plays {player}", name=_own_name_said(level), player=player)


def turn_text(turn: int) -> str:
    """Return a turn's text; a newer firmware may say what is not known here."""
    try:
        return format_turn(turn)
    except LookupError:
        return unknown(turn)


def unknown(code: int) -> str:
    """Return the words for a code that a newer firmware says and nobody here knows."""
    return tr("(code {code})", code=code)
