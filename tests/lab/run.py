"""Which measurement gives which figures, and what to say where one cannot be made here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from chronotable_host.errors import RuntimeUnavailable
from chronotable_host.hardware.firmware.image import CompileError
from tests.lab import (
    accidents,
    analysing,
    chip,
    doctor,
    flash_cuts,
    fuzz,
    heaps,
    helping,
    kills,
    line_faults,
    loaded,
    offline,
    page,
    readers,
    rules,
    sensing,
    thinking,
)
from tests.lab.figures import BUDGETS, Figure
from tests.lab.people.place import BOARD
from tests.lab.rig import Trouble
from tests.lab.side_by_side import Progress

_NO_IMAGE = (
    "needs a MicroPython image: --image UF2 or CHRONOTABLE_UF2"
    " (https://micropython.org/download/RPI_PICO)"
)
_FIXED = {"gap_flash": "none in tests/emulator/test_power_cuts.py, and none as a game begins"}
_TABLE_GAMES = 3
_HEAPS_PER_GAME = 10
_FLASH_POINTS = 100

Counted = Callable[[int, Progress], list[Figure]]
"""Measures something so many times, and reports how many of how many are done."""


def _sensing(games: int, report: Progress) -> list[Figure]:
    return sensing.measure(games, report) + heaps.measure(_HEAPS_PER_GAME * games, report)


COUNTED: dict[str, tuple[Counted, int, str]] = {
    "sensing": (_sensing, 100, "games"),
    "helping": (helping.measure, 100, "games by the lights"),
    "accidents": (accidents.measure, 50, "accidents"),
    "fuzz": (fuzz.measure, 20_000, "inputs"),
    "kills": (kills.measure, 100, "kills"),
    "faults": (line_faults.measure, 200, "line faults"),
    "doctor": (doctor.measure, 100, "tables"),
    "page": (page.measure, 50, "lifts"),
    "readers": (readers.measure, 20_000, "games of the archive"),
    "analysis": (analysing.measure, 10, "analysed games"),
}
"""What measures a group on this computer, how often unless told, and what is counted."""


def measure(
    keys: Sequence[str],
    image: Path | None,
    games: int | None,
    positions: int,
    report: chip.Report,
    modules: Sequence[int] = (),
    tables: int | None = None,
    seed: int = 0,
    board: str = BOARD,
) -> list[Figure]:
    """Measure what belongs to these budgets, in their order; nothing here fails.

    Games with each of the sets of `modules` follow. `tables` and `seed` are for the doctor's,
    `board` is that of the emulated table in scan, latency, chapters and heap.
    """
    found: dict[str, Figure] = {key: Figure(key, remark=why) for key, why in _FIXED.items()}
    table_games = games or _TABLE_GAMES
    todo: dict[str, Callable[[Path], list[Figure]]] = {
        "scan": lambda image: chip.measure_scan(image, report, board),
        "latency": lambda image: chip.measure_latency(image, positions, report, board),
        "chapters": lambda image: chip.measure_chapters(image, positions, report, board),
        "heap": lambda image: chip.measure_heap(image, range(table_games), report, board),
        "heap_chapters": lambda image: chip.measure_chapter_heap(image, report, board),
        "thinking": lambda image: thinking.measure(image, games or _TABLE_GAMES, report),
        "link": offline.measure,
        "flash": lambda image: flash_cuts.measure(image, games or _FLASH_POINTS, report),
    }
    groups = dict.fromkeys(chip.GROUP_OF.get(key, BUDGETS[key].group) for key in keys)
    for group in groups:
        if group in todo:
            figures = _on_chip(group, todo[group], image)
        elif group == "rules":
            report("rules on this computer", 0, 1)
            figures = rules.measure()
        elif group == "size":
            figures = [_size()]
        else:
            work, often, noun = COUNTED[group]
            if group == "doctor":
                work, often = partial(doctor.measure, seed=seed), tables or often
            else:
                often = games or often
            figures = work(often, partial(report, noun))
        found.update((figure.key, figure) for figure in figures)
    rows = [found[key] if key in found else Figure(key, remark="not measured") for key in keys]
    if modules:
        _, often, noun = COUNTED["sensing"]
        rows += sensing.measure_modules(modules, games or often, partial(report, noun))
    return rows


def _on_chip(group: str, work: Callable[[Path], list[Figure]], image: Path | None) -> list[Figure]:
    why = _NO_IMAGE
    if image is not None:
        try:
            return work(image)
        except (RuntimeUnavailable, CompileError, Trouble) as error:
            why = str(error)
    return [
        Figure(key, remark=why)
        for key, budget in BUDGETS.items()
        if chip.GROUP_OF.get(key, budget.group) == group and key not in _FIXED
    ]


def _size() -> Figure:
    try:
        found = loaded.sizes()
    except (RuntimeUnavailable, CompileError) as error:
        return Figure("size", remark=str(error))
    remark = f"{len(found)} modules"
    return Figure("size", {"value": round(sum(found.values()) / 1024, 1)}, remark=remark)
