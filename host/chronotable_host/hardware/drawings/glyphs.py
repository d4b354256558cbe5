"""Every piece of the game as SVG markup: copies, focus markers, and the objects of the chapters.

A *look* names one drawing: `white`, `black-focus`, `tree`, `fallen-n`, `elephant-dark+white`. It is
centred at 0,0 and one unit is one millimetre on spaces of 40 mm pitch; it keeps clear of the number
and the LED in the corners of its space. Shapes tell the pieces apart, and light and dark the two of
a kind; colours only help. The gradients are those of `drawings.table`, with a plain colour where
they are missing, so that the markup can stand in any page.
"""

from array import array
from collections.abc import Iterator
from functools import lru_cache

from chronotable.hardware.sensors import FOCUS
from chronotable_host.rules import object_texts
from chronotable_host.rules.notation import ERAS, PLAYERS
from ttykm import layout, objects
from ttykm.objects import ELEPHANT, FALLEN, SEED, SHRUB, STATUE, TREE

MARKER = "-focus"
"""What the look of a player's marker ends with."""
HAT = "+"
"""What stands between an elephant's look and the player whose hat it wears."""

UNKNOWN = "piece"
"""The look of what may be anything: a reed feels that it is there."""
BELOW = "seed"
"""The look of what a copy may stand on (G2)."""
COLOURS = ("#fbf7ec", "#15171c")
"""Main colour of a player's pieces."""
RIMS = ("#b9ad92", "#8d97a8")
"""Line around a player's pieces; it keeps white and black apart in grey as well."""
GRADIENTS = tuple(f"chronotable-{player}" for player in PLAYERS)
"""Ids of the gradients that a player's pieces are filled with, where the page has them."""

_FILLS = tuple(f"url(#{name}) {COLOURS[player]}" for player, name in enumerate(GRADIENTS))
_MARKS = ("#5d5440", "#cfd6e1")  # of what is drawn on a player's pieces
_SIDES = ("n", "e", "s", "w")  # where a tree fell to
_KEPT_BOARDS = 4096  # a turn changes one or two eras, so most are asked for again and again
_LINE = "#10151b"  # around everything that is no player's

KINDS = {
    SEED: BELOW,
    SHRUB: "shrub",
    TREE: "tree",
    **{FALLEN + turn: f"fallen-{side}" for turn, side in enumerate(_SIDES)},
    STATUE: "statue-neutral",
    **{STATUE + 1 + player: f"statue-{name}" for player, name in enumerate(PLAYERS)},
    ELEPHANT: "elephant-dark",
    ELEPHANT + 1: "elephant-light",
}
"""Look of every kind of object, without a hat."""


def _shadow(y: float, rx: float, ry: float = 2.2) -> str:
    return f'<ellipse cx="0" cy="{y}" rx="{rx}" ry="{ry}" fill="#000000" fill-opacity="0.4" />'


def _disc(player: int, radius: float) -> str:
    return (
        f'<circle cx="0" cy="{radius * 0.12:g}" r="{radius}" fill="#000000" fill-opacity="0.4" />'
        f'<circle cx="0" cy="0" r="{radius}" fill="{_FILLS[player]}" stroke="{RIMS[player]}" '
        'stroke-width="1.2" />'
    )


def _copy(player: int) -> str:
    return _disc(player, 10.8) + (
        f'<circle cx="0" cy="0" r="5.94" fill="none" stroke="{_MARKS[player]}" '
        'stroke-opacity="0.55" stroke-width="0.9" />'
    )


def _marker(player: int) -> str:
    mark = _MARKS[player]
    return _disc(player, 11.5) + (
        f'<path d="M-3.96 -5.5H3.96L-3.96 5.5H3.96Z" fill="{mark}" stroke="{mark}" '
        'stroke-width="0.8" stroke-linejoin="round" />'
    )


# Soil wider than a copy, so that it is seen under one.
_UNKNOWN = (
    f'{_shadow(1.4, 10.8, 10.8)}<circle cx="0" cy="0" r="10.8" fill="#7d8694" stroke="{_LINE}" '
    'stroke-width="1.2" stroke-dasharray="3 2.2" /><path d="M-3 -2.6C-3 -6.6 3 -6.6 3 -2.6C3 0 0 0 '
    '0 3M0 5.6V6" fill="none" stroke="#ffffff" stroke-width="1.8" stroke-linecap="round" />'
)
_SEED = (
    '<circle cx="0" cy="0" r="13.6" fill="#2e1f12" stroke="#e6c79a" stroke-width="1.5" '
    'stroke-dasharray="2.6 2.74" />'
    '<path d="M0 -8.6C5.6 -3.6 6.6 1.2 5.2 4.6C4.2 7.2 2.2 8.4 0 8.4C-2.2 8.4 -4.2 7.2 -5.2 4.6'
    f'C-6.6 1.2 -5.6 -3.6 0 -8.6Z" fill="#e9c184" stroke="{_LINE}" stroke-width="1.1" '
    'stroke-linejoin="round" />'
    '<path d="M0 -8.6C-0.9 -3.4 -0.9 3 0.2 8.2" fill="none" stroke="#7a5526" stroke-width="1.1" '
    'stroke-linecap="round" />'
    '<path d="M-2.9 -1.6C-3.6 0.8 -3.5 2.8 -2.8 4.6" fill="none" stroke="#fff1d2" '
    'stroke-width="1.3" stroke-linecap="round" />'
)

_SHRUB = (
    _shadow(10.6, 12.6)
    + '<path d="M-8.6 10.6C-13.4 10.4 -14.6 4.4 -11 2.2C-13 -2.8 -7.4 -6.8 -3.8 -4.2'
    "C-2.4 -8.6 4.4 -8.4 5.2 -3.9C9.2 -6 13.4 -1.6 11 2.4C14.6 4.8 13 10.6 8.6 10.6Z"
    f'" fill="#8fcf6a" stroke="{_LINE}" stroke-width="1.3" stroke-linejoin="round" />'
    '<path d="M-8.4 9.9C-12 9.8 -13 6.4 -11.6 4C-8.6 8 -4.6 6.4 -3.6 4.4C-1 8 4 7.6 5.4 4.2'
    'C7.4 6.8 10.6 6.2 12 4.2C13.2 6.8 11.6 9.8 8.4 9.9Z" fill="#3f7f41" />'
    '<path d="M-8.2 0.4C-8.6 -1.8 -6.8 -3 -5.2 -2.4M0.2 -3.8C1.4 -5.4 3 -4.8 3.4 -3.4'
    'M7.4 -1.4C8.8 -2 9.8 -0.8 9.4 0.6" fill="none" stroke="#e2f7c8" stroke-width="1.2" '
    'stroke-linecap="round" />'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r="1.5" fill="#ffd9d2" stroke="#7d1f2a" stroke-width="0.8" />'
        for x, y in ((-6.2, 3.2), (0.6, 1), (6.6, 2.4), (1.4, 6.6), (-3, 7.6), (8.4, 7))
    )
)

_TREE = (
    _shadow(13.4, 7.6, 1.9)
    + f'<path d="M-2 7.5H2L2.9 13.6H-2.9Z" fill="#a5713f" stroke="{_LINE}" stroke-width="1.2" '
    'stroke-linejoin="round" />'
    '<path d="M0 -14.3L5.4 -7.2L3.6 -7.2L8.4 -0.4L6.2 -0.4L11.2 8.4H-11.2L-6.2 -0.4L-8.4 -0.4'
    f'L-3.6 -7.2L-5.4 -7.2Z" fill="#5db56b" stroke="{_LINE}" stroke-width="1.3" '
    'stroke-linejoin="round" />'
    '<path d="M0.4 -12.9L4 -7.9H1.8L7 -1.2H4.4L9.6 7.6H3.2C1.6 0 0.6 -6 0.4 -12.9Z" '
    'fill="#23663a" fill-opacity="0.75" />'
    '<path d="M-1 -10.8L-2.9 -8M-2.6 -4.6L-5.2 -1.2M-4.4 3L-7.6 7" fill="none" stroke="#d3f5cf" '
    'stroke-width="1.2" stroke-linecap="round" />'
)

# Lies with its top to the north: bare branches, and roots where it stood.
_TRUNK = "M0 8.8V-12"
_BRANCHES = "M-5 -6.2L0 -12L5 -6.2M-7.8 3.4L0 -4.6L7.8 3.4"
_ROOTS = "M0 8.8V12.8M0 8.8L-4.6 12.2M0 8.8L4.6 12.2M0 8.8L-7.6 9.6M0 8.8L7.6 9.6"


def _stroke(path: str, width: float, colour: str) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round" />'
    )


_FALLEN = (
    _stroke(_ROOTS, 4.2, _LINE)
    + "".join(_stroke(path, 5.2, _LINE) for path in (_TRUNK, _BRANCHES))
    + _stroke(_ROOTS, 2, "#e8c9a0")
    + _stroke(_TRUNK, 2.8, "#b07a41")
    + _stroke(_BRANCHES, 2.8, "#d8bd58")
)


def _plinth(fill: str, rim: str) -> str:
    return (
        f'<path d="M-6.4 8.2H6.4V10.4H8.6V13.6H-8.6V10.4H-6.4Z" fill="{fill}" stroke="{rim}" '
        'stroke-width="1.2" stroke-linejoin="round" />'
    )


# Nobody's is a pointed stone, a player's a person with the arm raised.
_OBELISK = (
    _shadow(13.6, 10.2, 1.9)
    + _plinth("#c9a24a", _LINE)
    + f'<path d="M0 -14.3L4 -10L5.2 8.2H-5.2L-4 -10Z" fill="#e3c069" stroke="{_LINE}" '
    'stroke-width="1.3" stroke-linejoin="round" />'
    '<path d="M0 -13.8L3.7 -10L4.7 7.6H0Z" fill="#8f6a24" fill-opacity="0.7" />'
    '<path d="M-4 -10H4M-2.7 -5.4V-1.4M-2.9 1V4.6" fill="none" stroke="#5d430f" '
    'stroke-width="1.1" stroke-linecap="round" />'
)


def _person(player: int) -> str:
    rim = ("#4a4334", "#aab4c6")[player]
    line = f'stroke="{rim}" stroke-width="1.2" stroke-linejoin="round"'
    return (
        _shadow(13.6, 10.2, 1.9)
        + _plinth(("#e9e2d0", "#23272f")[player], rim)
        + '<path d="M-3.4 -6.4C-1.6 -7.4 1.6 -7.4 3 -6.6L6.4 -12.4C7 -13.6 9.2 -12.6 8.6 -11.2'
        "L4.6 -2.6L5.6 8.2H-5.6L-4.6 -1.4L-7 3.4C-7.8 4.6 -9.4 3.6 -8.8 2.4Z"
        f'" fill="{_FILLS[player]}" {line} />'
        f'<circle cx="-0.4" cy="-10.6" r="3.7" fill="{_FILLS[player]}" {line} />'
        f'<path d="M-2 -1.4L-2.6 7M1.6 -1.4L2.4 7" fill="none" stroke="{_MARKS[player]}" '
        'stroke-opacity="0.7" stroke-width="0.9" stroke-linecap="round" />'
    )


_BODY = (
    "M-11.6 13V3.6C-13 -2.6 -9.4 -7 -3.6 -7C-1.4 -7 -0.4 -7.4 0.8 -8C2.2 -8.8 3.6 -9 4.8 -8.8"
    "C8.4 -8.4 10.2 -5.6 10.4 -2.2C10.6 0.6 10.8 3 11.2 5.2C11.5 6.8 12.6 7 13.2 5.8"
    "C13.7 4.9 15.3 5.5 15 6.8C14.4 9.9 9.6 10.6 8.6 6.8C8.2 5.2 7.8 4 6.8 3.2L6.2 4.6V13H1.6V7"
    "C-0.8 7.8 -4.4 7.8 -6.6 7V13Z"
)
_EAR = "M2.6 -6.6C-0.4 -8 -4.6 -5.4 -4.4 -1.6C-4.2 1.6 -1.4 3.8 0.6 2.8C2.8 1.6 4.2 -1.4 4.2 -3.6Z"


# The light one looks east and has tusks, the dark one west and has none.
def _elephant(which: int) -> str:
    skin, shade, line = (("#373d49", "#1f232b", "#b4bfd0"), ("#efe8da", "#cbbfa6", "#473f30"))[
        which
    ]
    tusk = (
        f'<path d="M7.6 2.4C8 5.2 9.6 6.8 12 6.4" fill="none" stroke="{line}" stroke-width="2.4" '
    )
    ivory = (
        tusk + 'stroke-linecap="round" />'
        '<path d="M7.6 2.4C8 5.2 9.6 6.8 12 6.4" fill="none" stroke="#ffffff" stroke-width="1.2" '
        'stroke-linecap="round" />'
    )
    drawn = (
        _shadow(13.2, 11.6)
        + f'<path d="M-11.8 0.4C-14.6 1.6 -14.4 4.4 -13.6 6.6" fill="none" stroke="{line}" '
        'stroke-width="1.4" stroke-linecap="round" />'
        f'<path d="{_BODY}" fill="{skin}" stroke="{line}" stroke-width="1.3" '
        'stroke-linejoin="round" />'
        f'<path d="{_EAR}" fill="{shade}" stroke="{line}" stroke-width="1.1" '
        'stroke-linejoin="round" />'
        f'<circle cx="7.2" cy="-3.8" r="1.1" fill="{line}" />' + (ivory if which else "")
    )
    return drawn if which else f'<g transform="scale(-1 1)">{drawn}</g>'


# White's is tall, black's is round.
_HATS = (
    '<path d="M-3.4 -1.6V-6.6H3.4V-1.6H5.4V0H-5.4V-1.6Z" fill="#fbf7ec" stroke="#473f30" '
    'stroke-width="1.1" stroke-linejoin="round" /><path d="M-2.9 -2.7H2.9" fill="none" '
    'stroke="#8a7d62" stroke-width="1.5" />',
    '<path d="M-3.8 -1.6C-3.8 -7.4 3.8 -7.4 3.8 -1.6H5.4V0H-5.4V-1.6Z" fill="#15171c" '
    'stroke="#cfd6e1" stroke-width="1.1" stroke-linejoin="round" /><path d="M-3.2 -2.7H3.2" '
    'fill="none" stroke="#8d97a8" stroke-width="1.5" />',
)


def _with_hat(which: int, player: int) -> str:
    x = (-3.8, 3.8)[which]
    tilt = (-6, 6)[which]
    return (
        f'{_elephant(which)}<g transform="translate({x} -7.9) rotate({tilt})">{_HATS[player]}</g>'
    )


def _drawings() -> dict[str, str]:
    """Return the markup of every look, in the order of the chapters."""
    drawings = {name: _copy(player) for player, name in enumerate(PLAYERS)}
    drawings |= {name + MARKER: _marker(player) for player, name in enumerate(PLAYERS)}
    drawings |= {UNKNOWN: _UNKNOWN}
    drawings |= {KINDS[SEED]: _SEED, KINDS[SHRUB]: _SHRUB, KINDS[TREE]: _TREE}
    for turn in range(len(_SIDES)):
        turned = f'<g transform="rotate({90 * turn})">{_FALLEN}</g>'
        drawings[KINDS[FALLEN + turn]] = turned if turn else _FALLEN
    drawings |= {KINDS[STATUE]: _OBELISK}
    drawings |= {KINDS[STATUE + 1 + player]: _person(player) for player in range(len(PLAYERS))}
    for which in range(2):
        look = KINDS[ELEPHANT + which]
        drawings[look] = _elephant(which)
        for player, name in enumerate(PLAYERS):
            drawings[look + HAT + name] = _with_hat(which, player)
    return drawings


_DRAWINGS = _drawings()
_KIND_OF = {look: kind for kind, look in KINDS.items()}

LOOKS = tuple(_DRAWINGS)
"""Every look there is, those of the first chapter first."""


def svg_of(look: str) -> str:
    """Return the markup of a look, well-formed elements without a root; ValueError for none."""
    return _DRAWINGS[_known(look)]


def name_of(look: str) -> str:
    """Return what a look is called, such as `white copy`; raises ValueError where it is none."""
    _known(look)
    if look in PLAYERS:
        return object_texts.COPIES[PLAYERS.index(look)]
    if look == UNKNOWN:
        return object_texts.UNKNOWN
    if look.endswith(MARKER):
        return object_texts.MARKERS[PLAYERS.index(look.removesuffix(MARKER))]
    bare, _, player = look.partition(HAT)
    kind = _KIND_OF[bare]
    if FALLEN <= kind < STATUE:
        return object_texts.name_of_fallen(kind)
    if player:
        return object_texts.name_with_hat(kind, PLAYERS.index(player))
    return object_texts.name_of(kind)


def module_of(look: str) -> int:
    """Return the module (objects.GROWTH ...) that a look comes from, 0 for the standard game.

    Raises ValueError where there is no such look.
    """
    kind = _KIND_OF.get(_known(look).partition(HAT)[0], 0)
    if kind >= ELEPHANT:
        return objects.MEMORY
    if kind >= STATUE:
        return objects.INFLUENCE
    return objects.GROWTH if kind else 0


def looks_of(state: "array[int]") -> list[tuple[int, str]]:
    """Return sensor and look of everything that lies on the table in a position.

    In the order of the sensors: the spaces 0..47 and the markers' spots from 48 on. Of two on one
    space, a seed and a copy (G2), the seed comes first: it lies below.
    """
    found = list(_on_spaces(state))
    for player, name in enumerate(PLAYERS):
        spot = FOCUS + len(ERAS) * player + layout.focus(state, player)
        found.append((spot, name + MARKER))
    return found


def _on_spaces(state: "array[int]") -> Iterator[tuple[int, str]]:
    has_objects = objects.modules_of(state) != 0
    for era in range(len(ERAS)):
        white, black = state[layout.COPIES + era], state[layout.COPIES + len(ERAS) + era]
        if not has_objects:
            yield from copies_of_era(era, white, black)
            continue
        for space in range(16):
            kind = objects.kind_at(state, era, space)
            if kind:
                hat = objects.hat(state, era, kind - ELEPHANT) if kind >= ELEPHANT else -1
                yield 16 * era + space, KINDS[kind] + (HAT + PLAYERS[hat] if hat >= 0 else "")
            yield from copies_of_era(era, white & 1 << space, black & 1 << space)


@lru_cache(_KEPT_BOARDS)
def copies_of_era(era: int, white: int, black: int) -> tuple[tuple[int, str], ...]:
    """Return sensor and look of the copies of an era, given by their masks, as `looks_of` does."""
    return tuple(
        (16 * era + space, PLAYERS[black >> space & 1])
        for space in range(16)
        if (white | black) >> space & 1
    )


def _known(look: str) -> str:
    if look not in _DRAWINGS:
        raise ValueError(f"there is no look '{look}'")
    return look
