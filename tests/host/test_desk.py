"""The desk: who hears first what happens at a table, who has the first turn, what is closed."""

from __future__ import annotations

import inspect
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable_host.archive.store import Archive
from chronotable_host.errors import UserError
from chronotable_host.live.desk import Desk
from chronotable_host.live.happenings import Notice
from chronotable_host.live.wishes import BY_GUEST, WISHES, Typed, typed_help, typed_wish
from chronotable_host.web.service import COMMANDS, CONTROL, GUEST_COMMANDS, OF_PAGE
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


# ---- what can be wanted at a table


ROWS = {**WISHES, **OF_PAGE}
TYPED = [(do, typed) for do, wish in WISHES.items() for typed in wish.typed]


@pytest.mark.parametrize("do", ROWS)
def test_a_wish_is_done_by_who_takes_its_fields(do: str) -> None:
    """The tables are read by name alone: no checker sees that these fit together."""
    wish = ROWS[do]
    taken = inspect.signature(wish.does).bind(object(), None, **dict.fromkeys(wish.fields))
    assert {*taken.arguments} == {*inspect.signature(wish.does).parameters}


@pytest.mark.parametrize(("do", "typed"), TYPED, ids=lambda each: str(each)[:30])
def test_what_help_shows_can_be_typed(do: str, typed: Typed, tmp_path: Path) -> None:
    wish = WISHES[do]
    with closing(Archive(tmp_path)) as archive, Desk(archive) as desk:
        for word in typed.words or (do,):
            found = typed_wish(desk, [word.upper(), *typed.example.split()])
            assert found is not None
            assert found[0] is wish
            inspect.signature(wish.does).bind(desk, None, **found[1])
            for name in found[1].keys() - typed.reads.keys() - typed.also.keys():
                assert wish.fields[name].fits(found[1][name])


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("draw", {}),
        ("resign B", {"side": "black"}),
        ("seat white engine:/Some Where --x", {"side": "white", "who": "engine:/Some Where --x"}),
        ("seat white LEVEL:3", {"side": "white", "who": "level:3"}),
        ("invite b", {"side": "black", "who": "guest"}),
        ("say Hello there, you", {"text": "Hello there, you"}),
        ("NONE", {"choice": "none"}),
        ("back", {"way": "back"}),
        ("set a=1 b=2", {"settings": "a=1 b=2"}),
        ("y", {}),
    ],
)
def test_what_is_typed(line: str, values: dict[str, str]) -> None:
    found = typed_wish(Desk(), line.split())
    assert found is not None
    assert found[1] == values


@pytest.mark.parametrize("line", ["undo now", "none a", "lesson", "seat black", "set", "choose 1"])
def test_what_is_no_command(line: str) -> None:
    assert typed_wish(Desk(), line.split()) is None


def test_a_table_that_has_little_offers_little() -> None:
    desk = Desk()
    assert typed_help(desk).split(", ")[:5] == ["a", "b", "c", "none (answers)", "undo"]
    for words in ("hint", "lesson", "analyse", "clock", "say"):
        assert words not in typed_help(desk)
    for do, values in (("hint", {}), ("lesson", {"number": 1}), ("clock", {"times": "5+3"})):
        with pytest.raises(UserError, match="table"):
            WISHES[do].grant(desk, None, values)
    desk.keep_time()
    desk.assist()
    assert "lesson 1, hint, hints both" in typed_help(desk)
    assert "clock 5+3 (or off)" in typed_help(desk)


def test_a_guest_asks_for_the_own_side() -> None:
    assert all("side" not in fields for fields in GUEST_COMMANDS.values())
    own = {do for do, wish in ROWS.items() if BY_GUEST in wish.may}
    assert {*GUEST_COMMANDS} == {*own, "take_control"}
    assert {*COMMANDS} | {*GUEST_COMMANDS} == {*ROWS, *CONTROL}
    desk = Desk()
    WISHES["name"].grant(desk, BLACK, {"name": " Bo "})
    assert desk.mirror.recorder.header("Black") == "Bo"
