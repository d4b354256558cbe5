"""A turn as a moving picture: the drawn table, on which the pieces go their ways, again and again.

The motion is CSS within the SVG, so it plays in an `<img>`, too, and stands still for who wants
less of it. What knows no such motion shows the position after the turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chronotable.hardware.sensors import FOCUS, PLAYERS
from chronotable_host.hardware.drawings.glyphs import svg_of
from chronotable_host.hardware.drawings.paper import number
from chronotable_host.hardware.drawings.table import board_svg, place_of

Frame = Sequence[tuple[int, str]]
"""What lies where at a moment: sensors 0..53 and looks, as `glyphs.looks_of` gives them."""

_HOLD_MS, _MOVE_MS, _REST_MS = 500, 600, 2000
_STILL = "@media (prefers-reduced-motion:reduce){.moving *{animation:none!important}}"


@dataclass
class _Track:
    """A piece that does not lie still: its place in each frame, None where it is not there."""

    look: str
    places: list[int | None]

    def is_copy_on(self, place: int) -> bool:
        """Tell whether it is a copy that begins on a place."""
        return self.look in PLAYERS and self.places[0] == place


def turn_svg(
    board_data: Mapping[str, Any], frames: Sequence[Frame], path: Sequence[int], caption: str = ""
) -> str:
    """Draw a table on which one frame becomes the next, with a line below it.

    `path` has the places 0..47 of the copy that acts, in as many frames from the first on as it
    lives. Raises as `board_svg` does.
    """
    tracks = _tracks(frames, path)
    moving = [track for track in tracks if len({*track.places}) > 1]
    still = [(track.places[0], track.look) for track in tracks if len({*track.places}) == 1]
    svg = board_svg(board_data, [(at, look) for at, look in still if at is not None], caption)
    rules, groups = [], []
    for count, track in enumerate(moving):
        name = f"piece-{count}"
        end = next(at for at in reversed(track.places) if at is not None)
        x, y, scale = place_of(board_data, end)
        rules.append(_motion(name, track, board_data, (x, y)))
        at_end = "" if track.places[-1] is not None else ' opacity="0"'
        placed = f"translate({number(x)} {number(y)}) scale({number(scale)})"
        piece = f'<g transform="{placed}">{svg_of(track.look)}</g>'
        groups.append(f'<g class="{name}" data-look="{track.look}"{at_end}>{piece}</g>')
    style = f"<style>{''.join(rules)}{_STILL}</style>"
    lines = "\n    ".join(groups)
    overlay = f'  {style}\n  <g class="moving">\n    {lines}\n  </g>\n'
    return svg.rstrip().removesuffix("</svg>") + overlay + "</svg>\n"


def _motion(
    name: str, track: _Track, board_data: Mapping[str, Any], end: tuple[float, float]
) -> str:
    """Return the CSS of a piece that is drawn where it lies at last."""
    changes = len(track.places) - 1
    total = changes * (_HOLD_MS + _MOVE_MS) + _REST_MS
    known = [at for at in track.places if at is not None]
    shown = known[0]
    steps = []
    for count, at in enumerate(track.places):
        shown = shown if at is None else at
        x, y, _ = place_of(board_data, shown)
        begin = count * (_HOLD_MS + _MOVE_MS)
        until = total if count == changes else begin + _HOLD_MS
        moments = f"{100 * begin / total:.2f}%,{100 * until / total:.2f}%"
        way = f"translate({number(x - end[0])}px,{number(y - end[1])}px)"
        steps.append(f"{moments}{{transform:{way};opacity:{int(at is not None)}}}")
    frames = f"@keyframes {name}{{{''.join(steps)}}}"
    how = f"animation-name:{name};animation-duration:{total}ms;animation-iteration-count:infinite"
    return f".{name}{{{how};animation-timing-function:ease-in-out}}{frames}"


def _tracks(frames: Sequence[Frame], path: Sequence[int]) -> list[_Track]:
    """Return where each piece goes: the copy that acts its way, others as short as can be."""
    tracks = [_Track(look, [at]) for at, look in frames[0]]
    acts = next((each for each in tracks if path and each.is_copy_on(path[0])), None)
    for count, frame in enumerate(frames[1:], 1):
        free = list(frame)
        here = [track for track in tracks if track.places[-1] is not None]
        for track in sorted(here, key=lambda each: each is not acts):  # who acts chooses first
            to = path[count] if track is acts and count < len(path) else track.places[-1]
            if to is not None and (to, track.look) in free:
                free.remove((to, track.look))
                track.places.append(to)
        for track in tracks:
            if len(track.places) == count:
                to = _nearest(track.places[-1], [at for at, look in free if look == track.look])
                track.places.append(to)
                if to is not None:
                    free.remove((to, track.look))
        tracks += [_Track(look, [*[None] * count, at]) for at, look in free]
    return tracks


def _nearest(place: int | None, others: Sequence[int]) -> int | None:
    """Return the place of the same board, or of the same player's focus, with the shortest way."""
    if place is None:
        return None
    if place >= FOCUS:
        return next(iter(others), None)
    near = [at for at in others if at >> 4 == place >> 4]
    return min(
        near,
        key=lambda at: abs((at & 3) - (place & 3)) + abs((at >> 2) - (place >> 2)),
        default=None,
    )
