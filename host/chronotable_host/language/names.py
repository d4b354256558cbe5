"""What people call eras, players and places on the table, in the chosen language.

Their English names, which are the keys here, stay in notation, records, files and the link.
"""

from __future__ import annotations

from chronotable_host.language import tr_c

ERAS = {
    "past": tr_c("era", "past"),
    "present": tr_c("era", "present"),
    "future": tr_c("era", "future"),
}
PLAYERS = {"white": tr_c("player", "white"), "black": tr_c("player", "black")}
"""As in lists and names of places."""
PLAYER_NAMES = {"white": tr_c("player", "White"), "black": tr_c("player", "Black")}
"""As in sentences."""

_MODULES = {
    "standard": tr_c("game", "standard"),
    "growth": tr_c("game", "growth"),
    "influence": tr_c("game", "influence"),
    "memory": tr_c("game", "memory"),
    "convergence": tr_c("game", "convergence"),
}
_WORDS = {
    **ERAS,
    **PLAYERS,
    "focus": tr_c("place", "focus"),
    "button": tr_c("place", "button"),
}


def place(name: str) -> str:
    """Return what a sensor is called: `past 3`, `focus white past` or `button undo white`.

    Buttons are called as it stands at them.
    """
    return " ".join(_WORDS.get(word, word) for word in name.split(" "))


def modules(name: str) -> str:
    """Return what a game is called by its modules, such as `growth+memory`."""
    return "+".join(_MODULES.get(each, each) for each in name.split("+"))


def number(value: int) -> str:
    """Return a number in digits, with what stands between thousands."""
    return f"{value:,}".replace(",", tr_c("between thousands", ","))
