"""Sentences for the findings of the table's doctor, with what to look at: the link has numbers.

The doctor itself runs on the table; nothing is decided here.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from chronotable_host.language import tr, tr_c
from chronotable_host.link.doctor_names import FINDINGS, ORDERS
from chronotable_host.live.texts.place_names import era_name, place_name, place_range, place_to_find
from ttykm.layout import WHITE

_NOTHING = 0xFF
_SEE = tr("(see {guide})", guide="boards/BUILD.md")
_LEARNED = tr("nothing to solder: the table has learned it")


class _Words(NamedTuple):
    """What a kind of finding means."""

    sentence: str
    """With {0} and {1} for what it is about."""
    remedy: str
    """What to look at, most likely first."""
    first: Callable[[int], str] = place_name
    second: Callable[[int], str] = place_name


_TURNS = {
    1: tr("mirrored, left and right exchanged"),
    2: tr("mirrored, top and bottom exchanged"),
    3: tr("turned by half a turn"),
    4: tr("mirrored along the diagonal from space 1 to space 16"),
    5: tr("turned by a quarter"),
    6: tr("turned by a quarter"),
    7: tr("mirrored along the diagonal from space 4 to space 13"),
}


def _turn(symmetry: int) -> str:
    return _TURNS.get(symmetry, tr("turned"))


def _order(number: int) -> str:
    return ORDERS[number] if number < len(ORDERS) else "?"


def _led_place(sensor: int) -> str:
    return "" if sensor == _NOTHING else " " + tr("(under {place})", place=place_name(sensor))


def _whose(player: int) -> str:
    return tr_c("copies", "white's") if player == WHITE else tr_c("copies", "black's")


def _rest(count: int) -> str:
    return tr_c("a chip", "alone") if count == 1 else tr("and the {n} behind it", n=count - 1)


_WORDS: Mapping[str, _Words] = {
    "stuck_closed": _Words(
        tr("The reed of {0} is closed with nothing on it"),
        tr("a solder bridge, a magnet under the plate, or a broken glass with its tongues bent"),
    ),
    "stuck_open": _Words(
        tr("The reed of {0} never closes"),
        tr("a reed laid across the magnet, a broken glass, or its diode the wrong way round"),
    ),
    "flickers": _Words(
        tr("The reed of {0} flickers"),
        tr("a cold solder joint, or a reed at the edge of its magnet's field"),
    ),
    "weak": _Words(
        tr("The reed of {0} opens when its magnet is slid about"),
        tr(
            "move the reed nearer to the middle of the space, or take less felt or a stronger "
            "magnet"
        ),
    ),
    "nosy": _Words(
        tr("The reed of {0} closes for a magnet on {1}"),
        tr("it lies too near to that space, or is too sensitive: move it, or take one of more AT"),
    ),
    "exchanged": _Words(tr("The wires of the reeds of {0} and {1} are exchanged"), _LEARNED),
    "turned": _Words(tr("The reeds of the {0} are {1}"), _LEARNED, era_name, _turn),
    "grids_exchanged": _Words(
        tr("The reeds of the {0} and of the {1} are exchanged"), _LEARNED, era_name, era_name
    ),
    "rows_exchanged": _Words(
        tr("The wires of the rows (or chips) {0} and {1} are exchanged"), _LEARNED, str, str
    ),
    "columns_exchanged": _Words(
        tr("The wires of the columns {0} and {1} are exchanged"), _LEARNED, str, str
    ),
    "row_cut": _Words(
        tr("Nothing on row {0} answers"),
        tr("the row's wire from the Pico to its first reed, and its pin's solder joint"),
        str,
    ),
    "column_cut": _Words(
        tr("Nothing on column {0} answers"),
        tr("the column's wire from the Pico to its first diode, and its pin's solder joint"),
        str,
    ),
    "chip_dead": _Words(
        tr("Shift register {0}, {1}, does not answer"),
        tr(
            "its 3.3 V and ground, and the wires between its Q7 and the chip before, DS and the "
            "chip behind"
        ),
        str,
        _rest,
    ),
    "diode_missing": _Words(
        tr("The diode of {0} lets current through both ways"),
        tr("a bridged diode, or a wire in its place: three pieces around it feign a fourth"),
    ),
    "led_dark": _Words(
        tr("LED {0} of the chain{1} stays dark"),
        tr("its 5 V and ground; where all behind it are dark, its DIN or the DOUT before it"),
        str,
        _led_place,
    ),
    "led_exchanged": _Words(tr("The LEDs of {0} and {1} are exchanged"), _LEARNED),
    "led_order": _Words(
        tr("The chain of LEDs in the {0} takes another way than the board file says"),
        _LEARNED,
        era_name,
    ),
    "colour_order": _Words(
        tr("The LEDs take their colours in the order {0}, not {1}"), _LEARNED, _order, _order
    ),
    "button_dead": _Words(
        tr("{0} does not answer"), tr("its two wires and its diode"), place_to_find
    ),
    "button_stuck": _Words(
        tr("{0} is pressed all the time"),
        tr("a solder bridge, or a button that hangs"),
        place_to_find,
    ),
    "button_exchanged": _Words(
        tr("The wires of {0} and {1} are exchanged"), _LEARNED, place_to_find, place_to_find
    ),
    "supply_weak": _Words(
        tr("The Pico starts anew when all lights are on"),
        tr(
            "another USB cable or socket, the capacitor of 1000 uF at LED 0, or a lower max_ma in "
            "the board file"
        ),
    ),
    "output_stuck": _Words(
        tr("The output of {0} for {1} copies says all the time that one lies there"),
        tr("a solder bridge to ground, or a broken sensor"),
        second=_whose,
    ),
    "output_dead": _Words(
        tr("The output of {0} for {1} copies never says that one lies there"),
        tr("its wire to the shift register, a cold solder joint, or a broken sensor"),
        second=_whose,
    ),
    "poles_wrong": _Words(
        tr("The sensor of {0} takes a copy for the other player's"),
        tr(
            "its two outputs are exchanged or joined; until that is mended the table goes by "
            "where copies lie, there"
        ),
    ),
    "magnet_turned": _Words(
        tr("This copy's magnet is the wrong way round: one of {0} copies is felt as the other's"),
        tr("turn the magnet over; take another copy for now"),
        _whose,
    ),
    "moved": _Words(tr("The reed of {0} is wired as that of {1} should be"), _LEARNED),
    "led_moved": _Words(tr("The LED of {0} is where that of {1} should be in the chain"), _LEARNED),
    "leds_exchanged": _Words(
        tr("The LEDs of the {0} and of the {1} are exchanged in the chain"),
        _LEARNED,
        era_name,
        era_name,
    ),
}


def kind_name(kind: int) -> str:
    """Name a kind of finding, for programs."""
    return FINDINGS[kind] if kind < len(FINDINGS) else f"kind {kind}"


def finding_text(kind: int, first: int, second: int) -> str:
    """Return a finding as a sentence with what to look at."""
    words = _WORDS.get(kind_name(kind))
    if words is None:  # of a newer table
        return tr(
            "Finding {kind} ({first}, {second}): update chronotable on the PC.",
            kind=kind,
            first=first,
            second=second,
        )
    found = _finding_sentence(words, first, second)
    if words.remedy is _LEARNED:
        return f"{found}: {_LEARNED}."
    return f"{found}: {words.remedy} {_SEE}."


def _finding_sentence(words: _Words, first: int, second: int) -> str:
    sentence = words.sentence.format(words.first(first), words.second(second))
    return sentence[0].upper() + sentence[1:]


def _reeds(first: int, last: int) -> str:
    return _at_places(first, last, tr("the reed of {place}"), tr("the reeds of {place}"))


def _lights(first: int, last: int) -> str:
    if first == last:
        return tr("the light of LED {first} of the chain", first=first)
    return tr("the lights of LED {first} to LED {last} of the chain", first=first, last=last)


def _diodes(first: int, last: int) -> str:
    return _at_places(first, last, tr("the diode of {place}"), tr("the diodes of {place}"))


def _at_places(first: int, last: int, one: str, several: str) -> str:
    return (one if first == last else several).format(place=place_range(first, last))


def _buttons(first: int, last: int) -> str:
    if first == last:
        return place_to_find(first)
    return tr("{first} to {last}", first=place_to_find(first), last=place_to_find(last))


_UNSEEN: Mapping[str, Callable[[int, int], str]] = {
    "reeds_unseen": _reeds,
    "lights_unseen": _lights,
    "colours_unseen": lambda _first, _last: tr("the order of the LEDs' colours"),
    "diodes_unseen": _diodes,
    "buttons_unseen": _buttons,
    "poles_unseen": lambda first, last: _at_places(
        first, last, tr("the poles at {place}"), tr("the poles at {place}")
    ),
}
"""What was not examined, from a number to another; no faults."""


def fault_text(name: str, first: int, second: int) -> str:
    """Return a fault, by the name of its kind, in words, without what to look at."""
    return _finding_sentence(_WORDS[name], first, second)


def is_unseen(kind: int) -> bool:
    """Tell whether this is no finding, but what was left out or answered by nobody."""
    return kind_name(kind) in _UNSEEN


def unseen_text(kind: int, first: int, last: int) -> str:
    """Name what was not examined."""
    return _UNSEEN[kind_name(kind)](first, last)
