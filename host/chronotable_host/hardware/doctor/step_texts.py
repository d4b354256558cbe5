"""Sentences for what the table's doctor asks the hands to do: the link has it in numbers."""

from collections.abc import Callable, Mapping

from chronotable_host.language import tr
from chronotable_host.live.texts.place_names import place_names, place_to_find

FELT = ("d", "z")
"""What is asked with all that is felt and should not be: take it off."""

_NOTHING = 0xFF

_HEADS = (
    tr("Take everything off the table."),
    tr("Each reed switch, with ONE magnet. Go by the names; the lights may be wrong as yet."),
    tr("Each light, with the same magnet: put it wherever a white light shines."),
    tr("The colours of the lights, with the same magnet."),
    tr("The diodes, with three magnets: one on each white light, and none elsewhere."),
    tr("The buttons, each pressed once."),
    tr("The power supply: all lights on, as bright as is allowed. Nothing to do but to watch."),
    tr("Done."),
    tr("Whose copy is felt, with ONE copy of black's: put it on each space, and lift it."),
    tr("Whose copy is felt, with ONE copy of white's: put it on each space, and lift it."),
)

STEPS = 8
"""How many are counted; those of poles, the last two above, are between two of them."""


def head(step: int) -> str:
    """Return what a step is about."""
    return _HEADS[step] if step < len(_HEADS) else tr("A step that this program does not know.")


_Ask = Callable[[int, list[int]], str]
"""Says what to do about a sensor, with what is put on sensors."""


def _about(text: str) -> _Ask:
    return lambda about, _put: text.format(there=place_to_find(about))


def _off(text: str) -> _Ask:
    """Return what names what is felt and should not be; a button is told beside the reeds."""

    def ask(about: int, put: list[int]) -> str:
        is_told = about == _NOTHING or about in put
        felt = place_names(put if is_told else [*put, about])
        return text.format(felt=felt) if felt else tr("Take all magnets off.")

    return ask


def _put(about: int, put: list[int]) -> str:
    if len(put) > 1:
        return tr("Magnets on {places}, none elsewhere.", places=place_names(put))
    return tr("Put the magnet on {place} and slide it about.", place=place_to_find(about))


_ASKS: Mapping[str, _Ask] = {
    "d": _off(tr("Take all magnets off. The table still feels {felt}.")),
    "p": _put,
    "l": lambda _about, _put: tr("Felt, the light is green: lift the magnet."),
    "a": _about(tr("Once more: lift the magnet, put it on {there} and slide it about.")),
    "z": _off(tr("Take it off: the table still feels {felt}.")),
    "m": lambda _about, _put: tr(
        "Put the magnet on the one white light and let it lie there. No light to be seen: Enter."
    ),
    "c": lambda _about, _put: tr(
        "Put the magnet on the steady white light and let it lie there; no steady one to be seen: "
        "on the blinking one."
    ),
    "r": lambda _about, _put: tr("Put the magnet on the RED light."),
    "g": lambda _about, _put: tr("Put the magnet on the GREEN light."),
    "b": _about(tr("Press {there}.")),
    "w": lambda _about, _put: tr("Wait, and watch the lights."),
}


_ENTERS: Mapping[str, str] = {
    **dict.fromkeys(FELT, tr("If nothing lies there: Enter.")),
    "p": tr("If it lies there, and nothing happens: Enter."),
    "a": tr("If it lies there, and nothing happens: Enter."),
    "m": tr("If no light is to be seen: Enter."),
    "c": tr("If neither of them is to be seen: Enter."),
    "r": tr("If no red light is to be seen: Enter."),
    "g": tr("If no green light is to be seen: Enter."),
    "b": tr("If it is pressed, and nothing happens: Enter."),
}


def waiting_text(asks: str, left_s: int) -> str:
    """Return what is said in the last seconds before it goes on without an answer."""
    goes_on = tr(
        "Nothing was felt: goes on in {left_s} s, and this counts as not examined.", left_s=left_s
    )
    return f"{goes_on} {_ENTERS[asks]}" if asks in _ENTERS else goes_on


KEYS = (
    tr("Enter: I have done it, and nothing happens (that is taken for a fault)."),
    tr(
        "n and Enter: leave the rest of this step out; what did not answer is asked once more "
        "before."
    ),
    tr("help and Enter: these keys, and what is to be done now."),
    tr("q and Enter: stop, and back to the game."),
)
"""What may be typed."""


def ask_text(asks: str, about: int, put: list[int]) -> str:
    """Return what the hands are to do now, "" where this program does not know."""
    words = _ASKS.get(asks)
    return "" if words is None else words(about, put)
