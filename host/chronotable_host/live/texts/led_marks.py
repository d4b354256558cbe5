"""What the table's LEDs say in words, and by which marks and styles a terminal shows them."""

from chronotable.lights import meanings
from chronotable_host import chapters
from chronotable_host.language import tr
from chronotable_host.live.texts import light_names
from chronotable_host.rules.board_drawing import Highlights
from ttykm import objects

# mark and style per meaning, in the order of light_names.py: colour is never the only channel
_LOOKS = (
    (" ", ""),
    (".", "bright_black"),
    ("o", "cyan"),
    ("x", "cyan"),
    (">", "bold white"),
    ("-", "magenta"),
    ("+", "blue"),
    ("*", "green"),
    ("!", "yellow"),
    ("#", "bold dark_orange"),
    ("%", "bold magenta"),
    ("X", "bold red"),
    ("v", "bold cyan"),
    ("^", "bold red"),
    ("a", "bold yellow"),
    ("b", "bold blue"),
    ("c", "bold magenta"),
    ("?", "bold red"),
    ("$", "bold yellow"),
    ("W", "bold white"),
    ("B", "bold blue"),
    ("w", "bold white"),
    ("k", "bold blue"),
    (":", "bright_black"),
    ("=", "bold yellow"),
    ("p", "bold green"),
    ("d", "bold dark_orange"),
    ("s", "bold white"),
    ("t", "bold magenta"),
    ("@", "bold blue"),
    ("~", "bold green"),
    ("D", "bold red"),
    ("(", "bold white"),
    (")", "bold blue"),
    ("/", "bold red"),
)


_PLAYED = tr("the table plays this side: one spot easy, two medium, three strong")
_SAYS = {
    meanings.OFF: "",
    meanings.MOVER: tr("whose turn it is"),
    meanings.COPY: tr("may act"),
    meanings.LIFTED: tr("was lifted from here"),
    meanings.FOCUS: tr("the focus marker may go here"),
    meanings.BACK: tr("may travel back to here"),
    meanings.FORWARD: tr("may travel forward to here"),
    meanings.MOVE: tr("may move here"),
    meanings.PUSH: tr("may be pushed"),
    meanings.SQUISH: tr("may be squished"),
    meanings.PARADOX: tr("a move here makes a paradox"),
    meanings.OWN_DEATH: tr("a move here kills a copy of your own"),
    meanings.TODO_PUT: tr("put something here"),
    meanings.TODO_TAKE: tr("take this away"),
    meanings.QUESTION: tr("choice a"),
    meanings.QUESTION_B: tr("choice b"),
    meanings.QUESTION_C: tr("choice c"),
    meanings.FAULT: tr("broken reed, see whether the piece lies here"),
    meanings.WIN: tr("a copy of the winner"),
    meanings.PUT_WHITE: tr("put a white piece here"),
    meanings.PUT_BLACK: tr("put a black piece here"),
    meanings.CONFIRM_WHITE: tr("should be white's, lift it and look"),
    meanings.CONFIRM_BLACK: tr("should be black's, lift it and look"),
    meanings.LAMP: tr("every light for a moment, at power-on: a dark one is dead"),
    meanings.FULL: tr("no room for another game; attach a PC"),
    meanings.THINKING: tr("whose turn it is, and thinks"),
    meanings.DOCTOR: tr("wires are exchanged or a diode is missing; run `chronotable doctor`"),
    light_names.PLAYED_WHITE: _PLAYED,
    light_names.PLAYED_BLACK: _PLAYED,
    light_names.NO_PC: tr(
        "on all six, else dark: the PC with its game is gone; the table's own goes on"
    ),
}
_CHAPTERS_SAY = {
    meanings.PLANT: (objects.GROWTH, tr("a seed may be planted here")),
    meanings.DIG: (objects.GROWTH, tr("a seed may be dug up here")),
    meanings.BUILD: (objects.INFLUENCE, tr("a statue may be built here")),
    meanings.TRAIN: (objects.MEMORY, tr("an elephant may be trained here")),
    meanings.COMMAND: (objects.MEMORY, tr("an elephant may be sent here")),
}
LOCKED = ("choice", tr("may be chosen"))
"""Name and words of a kind of action from a locked chapter."""


def words_of(number: int, chapters_shown: int) -> tuple[str, str]:
    """Return the name of a meaning, and what it says of the space that is lit.

    A kind of action from a locked chapter has a name that tells nothing.
    """
    if number not in _CHAPTERS_SAY:
        return light_names.NAMES[number], _SAYS[number]
    module, says = _CHAPTERS_SAY[number]
    is_open = chapters.needed(module) <= chapters_shown
    return (light_names.NAMES[number], says) if is_open else LOCKED


def highlights(leds: bytes) -> Highlights:
    """Return marks and styles of what the LEDs say; 54 meanings by sensor."""
    return {sensor: _LOOKS[meaning] for sensor, meaning in enumerate(leds) if meaning}


def legend(leds: bytes) -> str:
    """Return what the marks of a picture mean, the meanings in their order."""
    shown = chapters.shown()
    lit = sorted(set(leds) - {meanings.OFF})
    return "  ".join(f"{_LOOKS[each][0]} {words_of(each, shown)[1]}" for each in lit)
