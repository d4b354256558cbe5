"""The marks and styles by which a terminal shows the meanings of the table's LEDs."""

from chronotable_host.board_drawing import Highlights
from chronotable_host.language import tr_c

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
    ("D", "bold red"),
)


_WORDS = (
    "",
    tr_c("light", "mover"),
    tr_c("light", "copy"),
    tr_c("light", "lifted"),
    tr_c("light", "focus"),
    tr_c("light", "back"),
    tr_c("light", "forward"),
    tr_c("light", "move"),
    tr_c("light", "push"),
    tr_c("light", "squish"),
    tr_c("light", "paradox"),
    tr_c("light", "own_death"),
    tr_c("light", "todo_put"),
    tr_c("light", "todo_take"),
    tr_c("light", "question"),
    tr_c("light", "question_b"),
    tr_c("light", "question_c"),
    tr_c("light", "fault"),
    tr_c("light", "win"),
    tr_c("light", "todo_put_white"),
    tr_c("light", "todo_put_black"),
    tr_c("light", "confirm_white"),
    tr_c("light", "confirm_black"),
    tr_c("light", "lamp_test"),
    tr_c("light", "journal_full"),
    tr_c("light", "plant"),
    tr_c("light", "dig"),
    tr_c("light", "build"),
    tr_c("light", "train"),
    tr_c("light", "command"),
    tr_c("light", "thinking"),
    tr_c("light", "doctor"),
)
"""What the lights say, in the order of chronotable.meanings."""


def highlights(leds: bytes) -> Highlights:
    """Return marks and styles of what the LEDs say; 54 meanings by sensor."""
    return {sensor: _LOOKS[meaning] for sensor, meaning in enumerate(leds) if meaning}


def legend(leds: bytes) -> str:
    """Return what the marks of a picture mean, the meanings in their order."""
    return "  ".join(
        f"{_LOOKS[meaning][0]} {_WORDS[meaning]}" for meaning in sorted(set(leds)) if meaning
    )
