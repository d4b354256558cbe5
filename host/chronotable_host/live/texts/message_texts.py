"""What every message of the link means, in words; `python -m` prints the table of all of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from chronotable.link.messages import BOTH, MESSAGES, TO_HOST, TO_TABLE, row_of

if TYPE_CHECKING:
    from chronotable.link.messages import Row

ROWS = tuple(row_of(line.split()[1]) for line in MESSAGES.splitlines() if line)
"""What `MESSAGES` has: letter, name, who hears it, class and fields of each message."""


class Field(NamedTuple):
    """One field; of kind c and f it is one character, of c one of `letters`, if there are any."""

    name: str
    kind: str
    size: int
    letters: str


def fields_of(row: "Row") -> list[Field]:
    """Return the fields of a message, in the payload's order."""
    return list(_fields(row[4]))


def _fields(layout: tuple[str | int, ...]) -> Iterator[Field]:
    parts = iter(layout)
    for name, kind, size in zip(parts, parts, parts, strict=True):
        is_letter = isinstance(size, str)
        yield Field(str(name), str(kind), 1 if is_letter else int(size), str(size) * is_letter)


MEANINGS = {
    "hello": (
        "Who speaks. The PC asks (q), the table replies (r) or asks to be asked (a). `boot`"
        " is the table's boot, in q the one that the PC knows (0: none); `last` is the last"
        " event that the PC has of that boot, in r how many lines of this PC the table has"
        " accepted."
    ),
    "ack": "Nothing but the acknowledgement that every line carries.",
    "unsupported": "A message of this type is not known here.",
    "gap": "These events were overwritten unsent.",
    "game": (
        "A game begins here: six masks of 4 digits, 5 digits of the rest, in the first of them the"
        " modules (1, 2, 4; 8: with other objects than their start has, which the journal tells);"
        " option bits (80: the modules were drawn with `game_id`); a random number that tells this"
        " game from all others."
    ),
    "provisional": "The marker says so; not yet final.",
    "reopened": "The provisional turn goes on after all.",
    "turn": (
        "A turn is final; the digest is of the position after it; certain, asked or corrected (x)."
    ),
    "taken_back": "The final turn of this number is undone.",
    "question": "Which of these turns was it?",
    "guide": "The hands should take these pieces off and put these on; a bit per sensor, 0 lowest.",
    "fault": (
        "A reed is not trusted any more: it does not open (o) or close (c), flickers (f),"
        " closes with others (ghost, g); or it is trusted again (healed, h)."
    ),
    "edge": "A debounced sensor opened or closed.",
    "over": "The game is over: white, black, drawn.",
    "refused": "A command or an answer was not accepted.",
    "leds": "What each of the 54 LEDs says.",
    "snapshot": (
        "The game as the table has it; `settings` are the hint levels, white's in the lower digit,"
        " and in that one three times the chapters that are unlocked, and 128 while a turn is"
        " wanted; `game_id` is 0 before its first."
    ),
    "objects": (
        "The objects of a snapshot whose position says so, four planes of 4 digits for each era and"
        " 3 digits of hats; only with the right ones has the position the digest of the snapshot."
    ),
    "counters": "The table's health; counts stop at their largest value.",
    "about": "What runs on the table.",
    "installed": (
        "Build and folder of the firmware that runs, and whether it is on trial: then the next"
        " start is that of the one before, unless this one proves healthy."
    ),
    "seats": (
        "How white and black are played without hands: 0 not at all, 1 easy to 3 strong by the"
        " table itself, 4 elsewhere; 8 more for a side that offers a draw."
    ),
    "reeds": (
        "Which sensors are closed, a bit each, 0 lowest, while the surface is shown, and that it is"
        " not any more; edges are told besides."
    ),
    "journal": (
        "The games kept in the table's flash: number of the oldest one that the PC has not"
        " confirmed (0: none), number of the game that goes on (0: none), how many are kept,"
        " whether there is no room for another."
    ),
    "failure": "Why the firmware failed last, and how many boots in a row have failed.",
    "step": (
        "Where the doctor is (`link/doctor_names.py` has the words): the step, what it asks of"
        " the hands, the sensor, button or LED it is about (ff: none), how far it is, on which"
        " sensors a magnet is to lie, or lies and should not, how much current the LEDs take, and"
        " in how many seconds it goes on without an answer (0: not soon)."
    ),
    "finding": (
        "The doctor has found a fault of this kind (`link/doctor_names.py`) at this sensor, or"
        " what the kind says; ff where there is no other. The last five kinds are no faults: from"
        " `sensor` to `other` nothing was examined."
    ),
    "learned": (
        "The doctor has found a sensor at another cell, or its LED elsewhere in the chain, than the"
        " board file says; both as they are, ff for the LED of a button."
    ),
    "examined": (
        "The doctor is done, with so many findings; whether a board file with what was learned is"
        " stored, and whether all was learned. The table restarts into the game."
    ),
    "page": "Two units of a journal game as hex digits; `index` is that of the first.",
    "page_end": (
        "That was all of this game: how many units, CRC-32 of all of them, number of the next"
        " game that the PC has not confirmed (0: none)."
    ),
    "lay": "The objects of the next new game, if its position says so.",
    "new_game": "Begin a game here.",
    "answer": "Answers the question; n: none of these.",
    "undo": "Take the last turn back.",
    "resign": "This side resigns.",
    "draw": "This side offers or accepts a draw.",
    "set": "Change a setting.",
    "resync": "Send every state again.",
    "button": "As if this button had been pressed.",
    "fetch": "Send what the journal has of this game.",
    "forget": "The PC has stored so much of this game: it may go.",
    "doctor": (
        "To the table's own doctor: start (in a game the table restarts into it), next (somebody"
        " says that this does not answer), end this step (what was not examined is taken for what"
        " the board file says; what did not answer is asked once more), or stop (x: back to the"
        " game, nothing is kept)."
    ),
    "want": (
        "A player without hands wants a turn, by its number from 1 on and with the digest after "
        "it: the lights show it, and the hands carry it out. Without a turn none is wanted."
    ),
    "surface": (
        "What the 54 LEDs say in a game that the table does not know, to be said again within ten"
        " seconds; or the table's own game goes on, as after any command about that."
    ),
}


_DIRECTIONS = {TO_HOST: "table > host", TO_TABLE: "host > table", BOTH: "both"}


def describe() -> str:
    """Return the table of all messages as Markdown."""
    lines = ["| type | name | direction | class | fields | meaning |", "|---|---|---|---|---|---|"]
    for row in ROWS:
        letter, name, direction, kind, _ = row
        fields = " ".join(
            f"`{field}:{form}{letters if form in 'cf' else size}`"
            for field, form, size, letters in fields_of(row)
        )
        way = _DIRECTIONS[direction]
        lines.append(
            f"| `{letter}` | {name} | {way} | {kind} | {fields or '-'} | {MEANINGS[name]} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(describe(), end="")
