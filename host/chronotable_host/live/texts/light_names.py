"""The names of what lights say and of palettes, for people, scripts and the page."""

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
)
"""By the numbers of `chronotable.lights.meanings`."""

PALETTE_NAMES = ("standard", "colour-blind")
"""By the numbers of the palettes of `chronotable.lights.light`."""
