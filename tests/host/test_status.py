"""`status` in words, and the warning about a bad line: when it comes, and when it does not."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from chronotable.link.happenings import Connected, Message
from chronotable.link.identity import Identity
from chronotable_host.commands.play_work import PlayControl
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.status import WELL, WINDOW_MS, LineWatch, status_lines, status_of
from tests.host.usb import ACM, ONE, FakeTable, Game, Usb
from tests.lines import into

REPORT = {
    "scan_max_us": 161,
    "loop_max_ms": 23,
    "heap_free": 125_000,
    "crc_errors": 0,
    "overlong": 0,
    "resends": 3,
    "gaps": 0,
    "rx_overflow": 0,
    "tx_dropped": 0,
    "reset_cause": 1,
}


def lines_of(connection: TableConnection) -> list[str]:
    return status_lines(status_of(connection))


# ---- status


def test_the_status_of_a_healthy_table(usb: Usb, one: FakeTable) -> None:
    game = Game(usb)
    assert lines_of(game.connection) == ["no table has answered yet"]
    game.begin()
    assert lines_of(game.connection)[2] == "  health: not reported yet"
    one.link.send("about", firmware="0.1.0", micropython="1.26.1")
    one.link.send("counters", **REPORT)
    game.pass_s(1)
    assert lines_of(game.connection) == [
        "table aabb11223344, board reference, on /dev/ttyACM0",
        "  firmware 0.1.0, MicroPython 1.26.1",
        "  last start: the power came on; free memory 122 KB; slowest scan 0.16 ms, slowest round "
        "23 ms",
        f"  {WELL}",
        "  line, as the table counts: lines sent again 3",
        "  line, as the PC counts: nothing amiss",
        "  port: lost never, 0 bytes not taken in time",
        "  reeds in doubt: none",
    ]


def test_the_status_of_a_table_with_troubles(usb: Usb, one: FakeTable, game: Game) -> None:
    one.link.send("counters", **{**REPORT, "resends": 19, "crc_errors": 1, "reset_cause": 77})
    one.link.post_event("fault", 900, sensor=2, kind="c")
    one.link.post_event("fault", 950, sensor=7, kind="f")
    one.link.post_event("fault", 990, sensor=7, kind="h")
    game.pass_s(1)
    usb.unplug(ACM[0])
    game.pass_s(1)
    lines = lines_of(game.connection)
    assert lines[0] == "table aabb11223344, board reference, away, last on /dev/ttyACM0"
    assert lines[2].startswith("  last start: cause 77; ")
    assert lines[4] == "  line, as the table counts: broken lines 1, lines sent again 19"
    assert lines[6:] == [
        "  port: lost once, 0 bytes not taken in time",
        "  many lines were broken or sent again; if that goes on, try another USB cable, "
        "and no hub",
        "  reeds in doubt: past 3 (does not close)",
    ]


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ({"heap_free": 0}, [f"  {WELL}"]),  # a virtual one
        ({"heap_free": 60 * 1024}, [f"  {WELL}"]),
        ({"heap_free": 61_439}, ["  The table has only 59 KB of free memory."]),
        (
            {"scan_max_us": 1400, "loop_max_ms": 600},
            ["  A scan of the reeds took 1.4 ms.", "  A round of the table's loop took 600 ms."],
        ),
    ],
)
def test_the_status_says_whether_speed_and_memory_are_well(
    one: FakeTable, game: Game, report: dict[str, int], said: list[str]
) -> None:
    one.link.send("counters", **{**REPORT, **report})
    game.pass_s(1)
    lines = lines_of(game.connection)
    assert lines[3 : lines.index("  line, as the table counts: lines sent again 3")] == said


def test_a_table_that_was_switched_on_anew_trusts_its_reeds() -> None:
    mirror = Mirror(lambda _happening: None)
    fault = {"time_ms": 1, "number": 1, "sensor": 2, "kind": "f"}
    for boot, doubted in ((3, {2: "flickers"}), (3, {2: "flickers"}), (4, {})):
        mirror.hear(Connected(Identity("reference", unique_id=ONE, boot=boot), True), 0)
        if boot == 3:
            mirror.hear(Message("fault", fault), 1)
        assert mirror.table.doubted == doubted


# ---- the warning


class Line:
    """A line that is looked at every 100 ms; the table reports every ten seconds."""

    def __init__(self) -> None:
        self.watch = LineWatch()
        self.now_ms = 0
        self.table = dict(REPORT)
        self.pc = {"crc_errors": 0, "resends": 0}
        self.losses = 0
        self.warnings: list[tuple[int, str]] = []
        self._report: dict[str, int] = {}

    def pass_s(self, duration_s: int, **rates: float) -> None:
        """Let time pass, with so many broken lines and so on each second."""
        for _ in range(duration_s):
            for name, rate in rates.items():
                counts: dict[str, Any] = self.table if name.startswith("table_") else self.pc
                counts[name.removeprefix("table_")] += rate
            for _ in range(10):
                self.now_ms += 100
                if self.now_ms % 10_000 == 0:
                    self._report = dict(self.table)
                warning = self.watch.look(self.now_ms, self._report, self.pc, self.losses)
                if warning:
                    self.warnings.append((self.now_ms, warning))


@pytest.fixture
def line() -> Line:
    """A line that had its troubles long ago."""
    line = Line()
    line.table.update(crc_errors=500, resends=900)
    line.pc.update(crc_errors=300)
    return line


def test_a_good_line_is_not_warned_of(line: Line) -> None:
    line.pass_s(600, resends=0.1, table_resends=0.1, crc_errors=0.01)
    assert not line.warnings


@pytest.mark.parametrize(
    ("name", "rate", "words"),
    [
        ("crc_errors", 1, "broken lines"),
        ("table_crc_errors", 1, "broken lines"),
        ("table_rx_overflow", 1, "lines without room"),
        ("resends", 3, "lines sent again"),
        ("table_resends", 3, "lines sent again"),
    ],
)
def test_a_bad_line_is_warned_of_once_a_minute(
    line: Line, name: str, rate: int, words: str
) -> None:
    line.pass_s(100)
    line.pass_s(240, **{name: rate})
    times = [at_ms for at_ms, _ in line.warnings]
    assert 3 <= len(times) <= 4
    assert min(later - earlier for earlier, later in pairwise(times)) >= WINDOW_MS
    assert 100_000 < times[0] <= 150_000
    sentence = line.warnings[0][1]
    assert sentence.startswith("The line is bad: ")
    assert f" {words} within a minute. Try another USB cable" in sentence


def test_a_cable_that_comes_and_goes(line: Line) -> None:
    for _ in range(3):
        line.pass_s(10)
        line.losses += 1
    line.pass_s(1)
    ((_, sentence),) = line.warnings
    assert "3 losses of the port" in sentence


def test_a_pc_that_slept_blames_no_cable(line: Line) -> None:
    line.pass_s(30)
    line.now_ms += 45_000
    line.table["resends"] += 80  # what it said meanwhile nobody answered
    line.pass_s(120, table_resends=0.2)
    assert not line.warnings


def test_a_table_that_restarts_counts_from_nothing(line: Line) -> None:
    line.pass_s(30)
    line.table.update(crc_errors=0, resends=0)
    line.pass_s(300)
    assert not line.warnings


def test_the_warning_reaches_the_screen(game: Game) -> None:
    screen = SimpleNamespace(refresh=lambda: None, hear=into(game.heard))
    typed = SimpleNamespace(take=lambda: None)
    control = PlayControl(game, screen, typed, once=False)  # type: ignore[arg-type]
    assert not control.is_done()
    game.session.link.counters["crc_errors"] += 7
    for _ in range(3):
        game.pass_s(0.1)
        assert not control.is_done()
    assert game.told("notice") == [
        "The line is bad: 7 broken lines within a minute. Try another USB cable, and plug it in "
        "without a hub."
    ]
