"""All lights and buttons of a table with what they say, in the order of the page about them.

Colours are named by their levels, so that none can change and keep a name that is no longer true.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from chronotable.lights import light, meanings
from chronotable_host.language import tr, tr_c
from chronotable_host.live.texts import led_marks, light_names

_COLOURS = {
    tr_c("light", "dim white"): (0x282828, 0x1E1E1E),
    tr_c("light", "white"): (0x6E6E6E, 0x787878, 0x828282, 0x969696),
    tr_c("light", "red"): (0xDC0000, 0xDC1400, 0xBE0014),
    tr_c("light", "orange"): (0xD23200, 0xD24600, 0xDC6E00, 0xC85000, 0xBE3C00, 0xD26400),
    tr_c("light", "amber"): (0xAA5A00, 0xD28200, 0xD27800),
    tr_c("light", "gold"): (0xC88C14,),
    tr_c("light", "yellow"): (0x967800, 0xD28C00, 0xC8A000, 0xD2B428),
    tr_c("light", "green"): (0x008C00, 0x00AA00, 0x005A1E, 0x00C83C),
    tr_c("light", "dim green"): (0x0A3C00,),
    tr_c("light", "sea green"): (0x008C5A,),
    tr_c("light", "cyan"): (0x004646,),
    tr_c("light", "light blue"): (0x0064A0, 0x006ED2, 0x0078A0),
    tr_c("light", "blue"): (0x0000C8, 0x003CC8, 0x001EDC, 0x0000D2, 0x003CDC, 0x0014B4),
    tr_c("light", "violet"): (0x8C008C, 0xA000A0),
    tr_c("light", "purple"): (0x960078,),
    tr_c("light", "magenta"): (0xD20050, 0xB40082, 0xBE0078),
    tr_c("light", "dim rose"): (0x3C0014,),
}
"""The names of the levels of red, green and blue that palettes have."""
_NAME_OF = {levels: name for name, several in _COLOURS.items() for levels in several}

_LOOKS = (
    tr("steady {colour}"),
    tr("blinking {colour}"),
    tr("breathing {colour}"),
    tr("fast {colour}"),
    tr("two flashes, {colour}"),
)
"""By the numbers of the rhythms of `chronotable.lights.light`."""


class Lamp(NamedTuple):
    """A light as it looks in one palette: levels 0..255, and the number of its rhythm."""

    red: int
    green: int
    blue: int
    rhythm: int

    @property
    def colour(self) -> str:
        """Return the colour's name."""
        return _NAME_OF[self.red << 16 | self.green << 8 | self.blue]


class LightRow(NamedTuple):
    """Lights of one rhythm, by number, that say the same, and what that is."""

    lights: Sequence[int]
    says: str

    def lamps(self, palette: int) -> list[Lamp]:
        """Return the lights as a palette has them."""
        packed = light.palette(palette)
        return [Lamp(*packed[4 * each : 4 * each + 4]) for each in self.lights]

    @property
    def look(self) -> str:
        """Return the colours of the standard palette and how they move, in words."""
        lamps = self.lamps(0)
        return _LOOKS[lamps[0].rhythm].format(colour=", ".join(lamp.colour for lamp in lamps))


_CHAPTERS = (meanings.PLANT, meanings.DIG, meanings.BUILD, meanings.TRAIN, meanings.COMMAND)

_GROUPS: Sequence[tuple[str, Sequence[int | tuple[int, str]]]] = (
    (
        tr("A turn"),
        (
            (meanings.MOVER, tr("at a focus spot: whose turn it is")),
            (
                meanings.THINKING,
                tr("at a focus spot: whose turn it is thinks, and has no hands here"),
            ),
            meanings.COPY,
            meanings.LIFTED,
            meanings.MOVE,
            meanings.PUSH,
            meanings.SQUISH,
            meanings.PARADOX,
            meanings.OWN_DEATH,
            meanings.FORWARD,
            meanings.BACK,
            *_CHAPTERS,
            (meanings.FOCUS, tr("the turn is whole: move your focus marker here to end it")),
            meanings.WIN,
        ),
    ),
    (
        tr("What your hands are asked for"),
        (
            (meanings.TODO_PUT, tr("put here the marker, or what is nobody's")),
            meanings.TODO_TAKE,
            meanings.PUT_WHITE,
            meanings.PUT_BLACK,
            meanings.CONFIRM_WHITE,
            meanings.CONFIRM_BLACK,
            meanings.FAULT,
        ),
    ),
    (tr("A question"), (meanings.QUESTION, meanings.QUESTION_B, meanings.QUESTION_C)),
    (
        tr("Focus spots, and all lights"),
        (
            light_names.PLAYED_WHITE,
            light_names.PLAYED_BLACK,
            light_names.NO_PC,
            meanings.DOCTOR,
            meanings.FULL,
            meanings.LAMP,
        ),
    ),
)

BUTTONS: Sequence[tuple[str, str]] = (
    ("*a* *b* *c*", tr("answer a question; *a* also says “it does lie so”, and “yes”")),
    ("*b* *c*", tr("with no question open: brightness (full, half, night); palette")),
    ("*action*", tr("“none of these”; else what the lights say: all, nothing, legal moves only")),
    ("*action*", tr("held for a second: a hint")),
    ("*undo*", tr("takes the last turn back; before a game and behind it: who plays this side")),
    ("*resign*", tr("ends the game")),
    ("*draw*", tr("pressed twice ends the game; once offers it to a player without hands")),
)
"""What stands at them, in Markdown, and what they do."""

MORE = (
    tr(
        "With nothing in the hand the same colours say what the table believes was done so far; "
        "the breathing light is where the copy came from."
    ),
    tr("Sea green that changes with another colour asks for a chapter's piece."),
    tr(
        "Every third light red: the firmware failed. Steady, it starts again by itself; blinking "
        "slowly, it waits for `chronotable flash`."
    ),
)
"""What no single light says."""


def lights(chapters_shown: int = 0) -> Iterator[tuple[str, list[LightRow]]]:
    """Yield what lights are about, and the rows of that, with so many chapters unlocked."""
    for title, listed in _GROUPS:
        told = [
            each if isinstance(each, tuple) else (each, led_marks.words_of(each, chapters_shown)[1])
            for each in listed
        ]
        yield (
            title,
            [
                LightRow([light_names.LIGHTS[number] for number, _ in alike], says)
                for says, alike in groupby(told, key=lambda each: each[1])
            ],
        )
