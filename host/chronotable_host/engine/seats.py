"""Who plays a side: as it is typed (`level:3`, `random`, `engine:PATH`), and as people choose."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from chronotable_host.engine.levels import LEVELS
from chronotable_host.errors import UserError
from chronotable_host.language import tr, tr_c

HANDS = "hands"
"""A side that a person's hands play, at the table."""
PAGE = "page"
"""A side that a person plays on the table's page, choice by choice."""
NOBODY = "nobody"
"""A side that has nobody to play it, in a lesson: the table waits there."""
GUEST = "guest"
"""A side that is played by a person elsewhere, in a browser, by an invitation."""
FAR = "far"
"""A side that somebody plays at a table of their own, far away."""
RANDOM = "random"
_LEVEL, _ENGINE = "level:", "engine:"
LEVEL_NAMES = tuple(f"{_LEVEL}{number}" for number in range(1, len(LEVELS) + 1))
_PERSONS = {HANDS: "", PAGE: "", NOBODY: "", FAR: "", GUEST: "A guest"}
_SPOKEN = {
    HANDS: "",
    PAGE: "",
    NOBODY: "",
    GUEST: tr("a guest"),
    FAR: tr("at another table"),
    RANDOM: tr_c("seat", "random"),
}
KNOWN = tr(
    "{weakest} to {strongest}, {random}, or {engine} and the path of a program",
    weakest=LEVEL_NAMES[0],
    strongest=LEVEL_NAMES[-1],
    random=RANDOM,
    engine=_ENGINE,
)


class ProgramSeat(NamedTuple):
    """A player that is no person; `level` is 0, and `command` empty, where it is none of that."""

    name: str
    level: int = 0
    command: tuple[str, ...] = ()


def parse_seat(text: str) -> ProgramSeat:
    """Return who is called so; raises UserError."""
    if text == RANDOM:
        return ProgramSeat(text)
    if text.startswith(_LEVEL):
        number = text.removeprefix(_LEVEL)
        if number.isascii() and number.isdecimal() and 1 <= int(number[:3]) <= len(LEVELS):
            return ProgramSeat(text, level=int(number))
        raise UserError(
            tr(
                "'{name}': levels are {weakest} to {strongest}",
                name=text,
                weakest=LEVEL_NAMES[0],
                strongest=LEVEL_NAMES[-1],
            )
        )
    if text.startswith(_ENGINE):
        words = _words(text.removeprefix(_ENGINE))
        if words and (program := shutil.which(words[0])):
            return ProgramSeat(text, command=(program, *words[1:]))
        raise UserError(
            tr(
                "'{name}': {program} is no program that can be started here",
                name=text,
                program=words[0] if words else tr_c("program", "nothing"),
            )
        )
    if text == GUEST:
        raise UserError(tr("a guest plays on the page of a table, and not here"))
    if text == FAR:
        raise UserError(tr("who is far away is invited with `chronotable invite`"))
    raise UserError(tr("'{name}' plays no side; there are {known}", name=text, known=KNOWN))


def _words(command: str) -> list[str]:
    """Return a command's words; in quotes they may have spaces. Raises UserError."""
    try:  # on Windows a backslash is a part of paths
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UserError(
            tr("'{command}': a quotation mark is not closed", command=command)
        ) from error
    return [word.strip('"') for word in words] if os.name == "nt" else words


def is_seat(text: str) -> bool:
    """Tell whether a text names a player without hands at the table, be it wrongly."""
    return text in (GUEST, FAR, RANDOM) or text.startswith((_LEVEL, _ENGINE))


def player_name(name: str) -> str:
    """Return what a record calls who plays a seat of this name, "" for hands; raises UserError."""
    if name in _PERSONS:
        return _PERSONS[name]
    seat = parse_seat(name)
    if seat.level:
        return f"Chronotable, level {seat.level}"
    return Path(seat.command[0]).name if seat.command else "Chronotable, by chance"


def spoken_name(name: str) -> str:
    """Return how people are told who thinks: `level 3`, or an engine's program without folders.

    That somebody on the page does is told nobody: "".
    """
    kind, _, rest = name.partition(":")
    if kind == "level":
        return tr("level {number}", number=rest)
    return rest.replace("\\", "/").split("/")[-1] if rest else _SPOKEN[name]


def own_engine() -> tuple[str, ...]:
    """Return the command that starts the built-in engine."""
    return (sys.executable, "-m", "chronotable_host", "engine")


class SeatCandidate(NamedTuple):
    """Who can be chosen for a `seat`, as it is typed.

    `face` is how the page draws who that is: calm (""), "wide", "glad", or sharper-eyed from "1" to
    "8". `name` is a word, `words` say what to expect.
    """

    seat: str
    face: str
    name: str
    words: str


_LEVELS = (
    (tr("easy"), tr("for a first game")),
    (tr("gentle"), tr("has understood the rules")),
    (tr("wary"), tr("sees what you threaten")),
    (tr("practised"), tr("plays every week")),
    (tr("sly"), tr("hard to surprise")),
    (tr("far-sighted"), tr("thinks ahead")),
    (tr("fierce"), tr("hardly lets go")),
    (tr("merciless"), tr("the strongest there is")),
)

CANDIDATES = (
    SeatCandidate(PAGE, "", tr("a person"), tr("who chooses here")),
    SeatCandidate(HANDS, "", tr("a person"), tr("with the pieces in the hand")),
    *(
        SeatCandidate(seat, str(number), *words)
        for number, (seat, words) in enumerate(zip(LEVEL_NAMES, _LEVELS, strict=True), 1)
    ),
    SeatCandidate(RANDOM, "wide", tr("chance"), tr("has no idea")),
    SeatCandidate(GUEST, "glad", tr("a guest"), tr("elsewhere, by a link")),
)
"""All who can be chosen on the page; an engine's program is named by its path alone."""
