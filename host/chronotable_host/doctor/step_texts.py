"""Sentences for what the table's doctor asks the hands to do: the link has it in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chronotable_host.live.place_names import place_names, place_to_find

_NOTHING = 0xFF

_HEADS = (
    "Take everything off the table.",
    "Each reed switch, with ONE magnet. Go by the names; the lights may be wrong as yet.",
    "Each light, with the same magnet: put it wherever a white light shines.",
    "The colours of the lights, with the same magnet.",
    "The diodes, with three magnets: one on each white light, and none elsewhere.",
    "The buttons, each pressed once.",
    "The power supply: all lights on, as bright as is allowed. Nothing to do but to watch.",
    "Done.",
)

STEPS = len(_HEADS)


def head(step: int) -> str:
    """Return what a step is about."""
    return _HEADS[step] if step < len(_HEADS) else "A step that this program does not know."


def _about(
    text: str, there: Callable[[int], str] = place_to_find
) -> Callable[[int, list[int]], str]:
    return lambda about, _put: text.format(there(about))


def _clear(about: int, put: list[int]) -> str:
    felt = _felt(about, put)
    return f"Take all magnets off.{felt and f' The table still feels {felt}.'}"


def _left_behind(about: int, put: list[int]) -> str:
    felt = _felt(about, put)
    return f"Take it off: the table still feels {felt}." if felt else "Take all magnets off."


def _felt(about: int, put: list[int]) -> str:
    """Name what is felt and should not be; a button is told beside the reeds."""
    is_told = about == _NOTHING or about in put
    return place_names(put if is_told else [*put, about])


def _put(about: int, put: list[int]) -> str:
    if len(put) > 1:
        return f"Magnets on {place_names(put)}, none elsewhere."
    return f"Put the magnet on {place_to_find(about)} and slide it about."


_ASKS: Mapping[str, Callable[[int, list[int]], str]] = {
    "d": _clear,
    "p": _put,
    "l": lambda _about, _put: "Felt, the light is green: lift the magnet.",
    "a": _about("Once more: lift the magnet, put it on {0} and slide it about."),
    "z": _left_behind,
    "m": lambda _about, _put: (
        "Put the magnet on the one white light and let it lie there. No light to be seen: Enter."
    ),
    "c": lambda _about, _put: (
        "Put the magnet on the steady white light and let it lie there; no steady one to be seen: "
        "on the blinking one."
    ),
    "r": lambda _about, _put: "Put the magnet on the RED light.",
    "g": lambda _about, _put: "Put the magnet on the GREEN light.",
    "b": _about("Press {0}."),
    "w": lambda _about, _put: "Wait, and watch the lights.",
}


_ENTERS: Mapping[str, str] = {
    "d": "nothing lies there",
    "z": "nothing lies there",
    "p": "it lies there, and nothing happens",
    "a": "it lies there, and nothing happens",
    "m": "no light is to be seen",
    "c": "neither of them is to be seen",
    "r": "no red light is to be seen",
    "g": "no green light is to be seen",
    "b": "it is pressed, and nothing happens",
}


def waiting_text(asks: str, left_s: int) -> str:
    """Return what is said in the last seconds before it goes on without an answer."""
    enter = _ENTERS.get(asks)
    said = f" If {enter}: Enter." if enter else ""
    return f"Nothing was felt: goes on in {left_s} s, and this counts as not examined.{said}"


KEYS = (
    "Enter: I have done it, and nothing happens (that is taken for a fault).",
    "n and Enter: leave the rest of this step out; what did not answer is asked once more before.",
    "help and Enter: these keys, and what is to be done now.",
    "q and Enter: stop, and back to the game.",
)
"""What may be typed."""


def ask_text(asks: str, about: int, put: list[int]) -> str:
    """Return what the hands are to do now, "" where this program does not know."""
    words = _ASKS.get(asks)
    return "" if words is None else words(about, put)
