"""The desk: who hears first what happens at a table, who has the first turn, what is closed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Notice
from tests.table.rig import Rig
from ttykm.layout import BLACK, WHITE, new_state

PARTS = ("far_log", "negotiation", "players", "clocks", "tutor")
PARTS += ("hinter", "analysis", "page", "club")


def noting(did: list[tuple[str, str]], name: str) -> Any:
    """Return a part that notes what it is asked to do."""
    return SimpleNamespace(
        hear=lambda _happening: did.append(("hears", name)),
        step=lambda _now_ms: did.append(("steps", name)),
    )


def test_the_log_has_a_turn_first_and_readers_see_it_before_anybody_answers() -> None:
    """In whichever order they came."""
    did: list[tuple[str, str]] = []
    desk = Desk()
    for name in reversed(PARTS):
        setattr(desk, name, noting(did, name))
    desk.listeners.append(lambda _happening: did.append(("hears", "reader")))
    desk.tell(Notice(0, "a line"))
    assert did == [("hears", name) for name in ("far_log", "reader", *PARTS[1:])]
    did.clear()
    desk.step()
    assert did == [("steps", name) for name in PARTS]


def test_who_is_not_there_is_left_out() -> None:
    told: list[object] = []
    desk = Desk()
    desk.listeners.append(told.append)
    desk.tell(said := Notice(0, "a line"))
    desk.step()
    assert told == [said]
    desk.drop()
    desk.check_seats()


def test_what_was_opened_last_is_closed_first_whatever_happened() -> None:
    closed: list[str] = []
    with pytest.raises(ValueError, match="the page fails"), Rig(new_state()) as at:
        at.callback(closed.append, "server")
        seated = at.seat()
        seated.seat(BLACK, "guest")
        seated.seat(WHITE, "guest")
        at.callback(closed.append, "page")
        raise ValueError("the page fails")
    assert closed == ["page", "server"]
    assert not seated.thinkers
