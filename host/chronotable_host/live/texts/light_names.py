"""The names of what lights say and of palettes, for people, scripts and the page."""

from chronotable.lights.meanings import CONFIRM_BLACK, CONFIRM_WHITE, FAULT

PLAYED_WHITE = 32
PLAYED_BLACK = 33
NO_PC = 34
LIGHTS = bytes(range(32)) + bytes((CONFIRM_WHITE, CONFIRM_BLACK, FAULT))
"""By meaning its light: the own one, and of those that a light has only at focus spots.

What a light says there and not on spaces has a number of its own on the PC, behind the 32 that a
table tells: so one number says one thing.
"""

NAMES = (
    "off",
    "mover",
    "copy",
    "lifted",
    "focus",
    "back",
    "forward",
    "move",
    "push",
    "squish",
    "paradox",
    "own_death",
    "todo_put",
    "todo_take",
    "question",
    "question_b",
    "question_c",
    "fault",
    "win",
    "todo_put_white",
    "todo_put_black",
    "confirm_white",
    "confirm_black",
    "lamp_test",
    "journal_full",
    "plant",
    "dig",
    "build",
    "train",
    "command",
    "thinking",
    "doctor",
    "played_white",
    "played_black",
    "no_pc",
)
"""By the numbers of `chronotable.lights.meanings`, and those above."""

PALETTE_NAMES = ("standard", "colour-blind")
"""By the numbers of the palettes of `chronotable.lights.light`."""
