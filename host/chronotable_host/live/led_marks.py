"""The marks and styles by which a terminal shows the meanings of the table's LEDs."""

from chronotable_host.board_drawing import Highlights
from chronotable_host.light_names import NAMES

# mark and style per meaning, in the order of chronotable.meanings: colour is never the only channel
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
)


def highlights(leds: bytes) -> Highlights:
    """Return marks and styles of what the LEDs say; 54 meanings by sensor."""
    return {sensor: _LOOKS[meaning] for sensor, meaning in enumerate(leds) if meaning}


def legend(leds: bytes) -> str:
    """Return what the marks of a picture mean, the meanings in their order."""
    return "  ".join(
        f"{_LOOKS[meaning][0]} {NAMES[meaning]}" for meaning in sorted(set(leds)) if meaning
    )
