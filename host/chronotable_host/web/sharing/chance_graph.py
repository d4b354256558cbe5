"""The graph of winning chances in a shared page that is read without scripts.

It takes its colours from the page, and its width from where it stands: a turn is one unit wide and
certainty 100 high, so lines and dots are drawn in pixels.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from chronotable_host.engine.analysis import value_of
from chronotable_host.engine.chances import chance_of
from chronotable_host.language import tr
from chronotable_host.rules.annotations import BLUNDER, INACCURACY, MISSED_WIN, MISTAKE, Annotation
from ttykm.layout import WHITE

MARKS = {
    INACCURACY: tr("inaccuracy"),
    MISTAKE: tr("mistake"),
    BLUNDER: tr("blunder"),
    MISSED_WIN: tr("missed win"),
}
"""What a turn that could have been better is called."""

_HIGH = 64  # pixels
_COLOURS = {INACCURACY: "--push", MISTAKE: "--squish", BLUNDER: "--death", MISSED_WIN: "--paradox"}
_IN_PIXELS = {"vector-effect": "non-scaling-stroke", "fill": "none"}


def white_chances(said: Sequence[Annotation], modules: int) -> list[float]:
    """Return how likely White is to win after each turn, 0 to 1; `modules` are those played."""
    return [chance_of(value_of(each.value, WHITE), modules) for each in said]


def graph(said: Sequence[Annotation], turns: int, modules: int) -> str:
    """Return the graph of a game of so many turns as SVG, "" where none of them was analysed."""
    if not said:
        return ""
    chances = white_chances(said, modules)
    heights = [round(100 * (1 - chance), 1) for chance in chances]
    # what the first turn was chosen from is worth what the best one is
    first = chance_of(value_of(said[0].best_value or said[0].value, WHITE), modules)
    line = "L".join(f"{at} {y:g}" for at, y in enumerate([round(100 * (1 - first), 1), *heights]))
    svg = ET.Element(
        "svg",
        {
            "class": "chances",
            "viewBox": f"0 0 {turns} 100",
            "width": "100%",
            "height": str(_HIGH),
            "preserveAspectRatio": "none",
            "role": "img",
            "aria-label": _told(said, chances),
        },
    )
    _add(svg, "rect", width=str(turns), height="100", fill="var(--black)")
    _add(svg, "path", d=f"M0 100L{line}V100z", fill="var(--white)")
    _add(svg, "path", d=f"M0 50H{turns}", stroke="var(--strong-line)", **_IN_PIXELS)
    for at, (each, y) in enumerate(zip(said, heights, strict=True), 1):
        if each.mark in _COLOURS:
            dot = {"stroke": f"var({_COLOURS[each.mark]})", "stroke-width": "9"}
            _add(
                svg, "path", d=f"M{at} {y:g}h0", **dot, **_IN_PIXELS, **{"stroke-linecap": "round"}
            )
    return ET.tostring(svg, encoding="unicode")


def _told(said: Sequence[Annotation], chances: Sequence[float]) -> str:
    marks = [each.mark for each in said]
    counts = [f"{word} {marks.count(mark)}" for mark, word in MARKS.items() if mark in marks]
    told = tr(
        "How likely White wins, turn by turn: {least} % at least, {most} % at most, {last} % at "
        "the end.",
        least=round(100 * min(chances)),
        most=round(100 * max(chances)),
        last=round(100 * chances[-1]),
    )
    return f"{told} {', '.join(counts)}".strip()


def _add(parent: ET.Element, tag: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes)
