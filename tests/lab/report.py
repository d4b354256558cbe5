"""The figures as a table for people, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.lab.figures import CHIP, Figure

NOTES = (
    "The emulator charges no time for flash-cache misses, flash erases and exception entry. Figures"
    " in (brackets) have 60 cycles of 125 MHz added for each counted miss: expect those, +-15 %.",
    "Latencies end with the last bit on the LED wire and include debouncing.",
)
_HEAD = ("what", "measured (with cache misses)", "budget", "", "where")
_NOTHING = "-"


def lines(figures: Sequence[Figure]) -> Iterable[str]:
    """Yield the table, then remarks by number, then what the figures do not say."""
    rows = [_HEAD]
    remarks: dict[str, int] = {}
    for figure in figures:
        budget = figure.budget
        number = ""
        if figure.remark:
            number = f" [{remarks.setdefault(figure.remark, len(remarks) + 1)}]"
        rows.append(
            (
                budget.what + number,
                _values(figure),
                budget.text,
                {True: "met", False: "OVER", None: ""}[figure.met],
                budget.where,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
    if remarks:
        yield ""
    for remark, index in remarks.items():
        yield f"[{index}] {remark}"
    if any(figure.budget.where == CHIP and figure.measured for figure in figures):
        yield ""
        yield from NOTES


def _values(figure: Figure) -> str:
    """Return all statistics of a figure in one cell: names, numbers, unit."""
    if not figure.measured:
        return _NOTHING
    unit = figure.budget.unit
    words = [
        f"{'' if name in ('value', 'best') else name.replace('_', ' ') + ' '}{_number(value)}"
        + _bracket(figure.corrected, name)
        for name, value in figure.measured.items()
        if name != "n"
    ]
    return f"{', '.join(words)} {unit}".strip()


def _bracket(corrected: Mapping[str, float], name: str) -> str:
    return f" ({_number(corrected[name])})" if name in corrected else ""


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) or abs(value) >= 1e5 else f"{value:g}"
