"""The table's LEDs in a terminal: which mark and style each meaning has there."""

from chronotable import meanings
from chronotable_host.text import Highlights

# one mark per meaning, in the order of chronotable.meanings: colour is never the only channel
_MARKS = " .ox>-+*!#%Xv^abc?$"
_STYLES = (
    "",
    "bright_black",
    "cyan",
    "bright_white",
    "bold white",
    "magenta",
    "blue",
    "green",
    "yellow",
    "bold dark_orange",
    "bold magenta",
    "bold red",
    "bold cyan",
    "bold red",
    "bold yellow",
    "bold blue",
    "bold magenta",
    "bold red",
    "bold yellow",
)


def highlights(leds: bytes) -> Highlights:
    """Return marks and styles of what the LEDs say; 54 meanings by sensor."""
    return {
        sensor: (_MARKS[meaning], _STYLES[meaning])
        for sensor, meaning in enumerate(leds)
        if meaning
    }


def legend(leds: bytes) -> str:
    """Return what the marks of a picture mean, the meanings in their order."""
    return "  ".join(
        f"{_MARKS[meaning]} {meanings.NAMES[meaning]}" for meaning in sorted(set(leds)) if meaning
    )
