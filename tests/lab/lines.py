"""What the table's own player knows (`player/weights.py`), written and read on the PC.

It looks at lines alone, as `patterns.py` numbers them: `python -m tests.lab.patterns learn --lines`
learns their weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from textwrap import fill
from typing import Any

from chronotable.player import weights
from chronotable_host.engine.patterns import MOST, PatternEvaluation, windows
from chronotable_host.engine.position import ERA_BITS

WEIGHTS = Path(weights.__file__)

_SPACES = 4
LINES = {mask: seen for mask, seen in windows()[0].items() if mask.bit_count() == 2 * _SPACES}
_KINDS = 90  # what can be seen in outer lines and in inner ones: the first numbers
_COUNTS = (MOST + 1) ** 2
_PARTS = ("patterns", 1, _KINDS), ("counts", 3, _COUNTS)  # by era or for all
_FIRST, _NONE, _LAST = 35, 80, 126  # letters; a quotation mark comes before them
_STEP = 3  # points from one to the next
_WIDTH = 88

Learned = Mapping[str, Any]
"""Weights as `PatternEvaluation` reads them."""


def write(learned: Learned, made: str, out: Path = WEIGHTS) -> None:
    """Write weights of lines as the table reads them: worth to who acted."""
    outer = LINES[0xF000F]
    letters = []
    for spaces in product((0, 1, 1 << ERA_BITS), repeat=_SPACES):
        seen = sum(who << at for who, at in zip(reversed(spaces), range(_SPACES), strict=True))
        letters.append(_FIRST + outer[seen])
    for name, eras, count in _PARTS:
        for by_focus, there in product(learned[name][:eras], range(2)):
            pairs = list(zip(by_focus[there], by_focus[there + 2], strict=True))[:count]
            each = [_NONE - round(points / _STEP) for pair in pairs for points in pair]
            letters += [min(max(letter, _FIRST), _LAST) for letter in each]
    text = "".join(map(chr, letters))
    rows = [text[at : at + _WIDTH].replace("\\", "\\\\") for at in range(0, len(text), _WIDTH)]
    mine, others = learned["supply"]
    supply = tuple((one - other) // 2 for one, other in zip(mine, others, strict=True))
    out.write_text(
        f'"""What evaluation.py knows (`python -m tests.lab.patterns learn --lines`).\n\n'
        f'{fill(made.capitalize(), 100)}.\n"""\n\nSUPPLY = {supply}\nWEIGHTS = (\n'
        + "".join(f'    b"{row}"\n' for row in rows)
        + ")\n",
        "utf-8",
    )


def known(
    written: bytes = weights.WEIGHTS, supply: Sequence[int] = weights.SUPPLY
) -> PatternEvaluation:
    """Return what the table's own player knows, or would of other weights."""
    letters = iter(written[3**_SPACES :])
    learned: dict[str, Any] = {
        name: [[[0] * count for _ in range(4)] for _ in range(3)]
        for name, count in (("patterns", windows()[1]), ("counts", _COUNTS))
    }
    for name, eras, count in _PARTS:
        for by_focus, there in product(learned[name][:eras], range(2)):
            for number, of_focus in product(range(count), (there, there + 2)):
                by_focus[of_focus][number] = _STEP * (_NONE - next(letters))
    learned["patterns"] = learned["patterns"][:1] * 3
    learned["foci"] = [[0] * 3] * 3
    learned["supply"] = supply, [-points for points in supply]
    return PatternEvaluation(learned)
