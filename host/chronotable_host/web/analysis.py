"""An analysis at the table as the page shows it: a sheet as lessons have one, no end of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from chronotable_host.engine.person import Person
from chronotable_host.engine.seats import PAGE
from chronotable_host.live.table_analysis import TableAnalysis
from chronotable_host.rules.notation import PLAYERS

if TYPE_CHECKING:
    from array import array

    from chronotable_host.engine.thinkers import Thinker
    from chronotable_host.live.happenings import Happening
    from chronotable_host.live.hinter import Hinter
    from chronotable_host.web.service import Service


def virtual_analysis(
    service: Service, hinter: Hinter, tell: Callable[[Happening], None], start: array[int]
) -> TableAnalysis:
    """Return who leads through games at a virtual table, whose hand sets up what is due."""
    return TableAnalysis(
        *(service.session, tell, hinter, service.seats, start, _by_choosing),
        service.begin,
        service.undo,
    )


def _by_choosing(_side: int, now: Thinker | None) -> Thinker | None:
    """Return who plays a side meanwhile: a person at the page, where no hands do."""
    return now if now is None or now.name == PAGE else Person(PAGE)


def analysis_shown(analysis: TableAnalysis, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return what takes the place of a game's in a view."""
    return {
        "lesson": analysis.view(),
        "game": {**view["game"], "over": None, **dict.fromkeys(PLAYERS, "?")},
    }
