"""Several tables on one PC: the right one is found, asked for, found again, and never mixed up.

Everything here is a fake but the player, the link and the mirror; time is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chronotable.link.messages import PROTOCOL_MAJOR
from chronotable_host.errors import UserError
from chronotable_host.live.line import port_search
from chronotable_host.live.line.connection import TableError
from chronotable_host.live.line.port import PortError
from chronotable_host.live.line.port_search import AUTO, Ask, PortCandidate, PortSearch, find_ports
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import Session
from tests.host.usb import (
    ACM,
    ONE,
    PICO,
    SERIAL_ONE,
    SERIAL_TWO,
    STALE,
    TWO,
    AtPrompt,
    FakeTable,
    Game,
    Info,
    Stranger,
    Usb,
    letters,
)


def told_by(table: FakeTable) -> str:
    """Return what a person hears of the event of this table."""
    return f"the table refused that (code {table.news})"


def picks(*numbers: int) -> tuple[Ask, list[list[str]]]:
    """Return a person who picks these of what is offered, and what that was, question by question.

    The person takes a minute to think.
    """
    left, asked = list(numbers), []

    def ask(candidates: Sequence[PortCandidate]) -> PortCandidate:
        asked.append([str(candidate) for candidate in candidates])
        return candidates[left.pop(0)]

    return ask, asked


# ---- which one


def test_the_only_candidate_is_taken(game: Game) -> None:
    assert (game.table, game.connection.name) == (ONE, ACM[0])


def test_of_several_nobody_guesses(usb: Usb) -> None:
    tables = [FakeTable(ONE), FakeTable(TWO)]
    usb.plug(ACM[0], tables[0], SERIAL_ONE)
    usb.plug(ACM[1], tables[1])
    with pytest.raises(PortError) as caught:
        Game(usb).begin()
    assert str(caught.value) == (
        "there are 2 boards that may be the table, name one with --port DEVICE or --table ID: "
        "/dev/ttyACM0 (aabb11223344), /dev/ttyACM1 (id unknown)"
    )
    assert not usb.opened


def test_a_person_is_asked_and_may_take_a_minute(usb: Usb) -> None:
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug(ACM[0], one, SERIAL_ONE)
    usb.plug(ACM[1], two, SERIAL_TWO)
    answer, asked = picks(1)

    def ask(candidates: Sequence[PortCandidate]) -> PortCandidate:
        usb.now_s += 60
        return answer(candidates)

    game = Game(usb, ask=ask).begin()
    assert asked == [["/dev/ttyACM0 (aabb11223344)", "/dev/ttyACM1 (ccdd55667788)"]]
    assert game.table == TWO
    assert one.typed == b""


@pytest.mark.parametrize("part", [ONE, "aabb", "3344", "AABB", "344 ", SERIAL_ONE])
def test_a_table_is_named_by_its_id(usb: Usb, part: str) -> None:
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug(ACM[0], two, SERIAL_TWO)
    usb.plug(ACM[1], one, SERIAL_ONE)
    assert Game(usb, table=part).begin().table == ONE
    assert two.typed == b""


def test_a_name_for_several_asks_which(usb: Usb) -> None:
    usb.plug(ACM[0], FakeTable("aa0000000001"), "00aa0000000001")
    usb.plug(ACM[1], FakeTable("aa0000000002"), "00aa0000000002")
    usb.plug(ACM[2], FakeTable(TWO), SERIAL_TWO)
    with pytest.raises(PortError, match="there are 2 boards"):
        Game(usb, table="aa").begin()
    ask, asked = picks(1)
    assert Game(usb, table="aa", ask=ask).begin().table == "aa0000000002"
    assert len(asked[0]) == 2


def test_a_name_for_none(usb: Usb, one: FakeTable) -> None:
    with pytest.raises(PortError, match=r"^the table 99 was not found, there are /dev/ttyACM0 \("):
        Game(usb, table="99").begin()
    with pytest.raises(UserError, match="'attic' is no id of a table"):
        Game(usb, table="attic")


def test_where_usb_tells_no_number_the_table_tells_who_it_is(usb: Usb) -> None:
    """On Windows some hubs swallow the serial number."""
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug("COM3", one)
    with pytest.raises(TableError) as caught:
        Game(usb, table="ccdd").begin()
    assert str(caught.value) == (
        "COM3: the table there is aabb11223344 (board reference), not the table ccdd, which "
        "--table names"
    )
    usb.plug("COM4", two)
    ask, asked = picks(0)
    game = Game(usb, table="ccdd", ask=ask).begin()
    assert (game.table, game.connection.name, len(asked)) == (TWO, "COM4", 1)
    assert game.told("notice") == [str(caught.value)]
    with pytest.raises(TableError, match="not the table ccdd"):
        Game(usb, port="COM3", table="ccdd").begin()


def test_a_table_of_another_version_is_refused_as_that_whoever_it_is(usb: Usb) -> None:
    """Of its HELLO no more than the version is known."""
    usb.plug(ACM[0], FakeTable(ONE, major=PROTOCOL_MAJOR + 1))
    with pytest.raises(TableError, match="update chronotable on the PC"):
        Game(usb, table="ccdd").begin()


# ---- no table of ours


def test_a_prompt_without_a_firmware_is_left_and_the_other_board_is_the_table(usb: Usb) -> None:
    board = AtPrompt()
    usb.plug(ACM[0], board, SERIAL_ONE)
    usb.plug(ACM[1], FakeTable(TWO), SERIAL_TWO)
    ask, asked = picks(0)
    game = Game(usb, ask=ask).begin()
    assert game.table == TWO
    assert len(asked) == 1, "with one left there is no doubt"
    restarts, none = game.told("notice")
    assert restarts == (
        "/dev/ttyACM0: MicroPython waits at its prompt there: Ctrl-D starts the table again"
    )
    assert none.startswith(
        "/dev/ttyACM0: MicroPython waits at its prompt there, and no firmware starts; install it "
        "with `chronotable flash`, or choose another port with --port (the last it said: "
    )
    assert board.typed.count(b"\x04") == 1
    assert set(letters(board.typed.translate(None, b"\x03\x04\r"))) == {"H"}


def test_a_table_that_was_stopped_is_started_again(usb: Usb) -> None:
    usb.plug(ACM[0], AtPrompt(FakeTable(ONE)), SERIAL_ONE)
    begun_s = usb.now_s
    assert Game(usb).begin().table == ONE
    assert usb.now_s - begun_s < 3


class Loop(Stranger):
    """A line whose two wires touch."""

    def answer(self, data: bytes, now_ms: int) -> bytes:
        super().answer(data, now_ms)
        return data


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (Stranger(), "it said nothing"),
        (Stranger(b"Grbl 1.1h ['$' for help]\r\n", b"\r\nerror:3\r\n"), r"said: .* \| error:3"),
        (Stranger(b"OSError: no board.json\r\n" * 100), r"said: .*OSError: no board\.json"),
        (Stranger(bytes(range(256)) * 8, b"\x00\xff"), "said: "),
        (Loop(), "it said nothing"),
    ],
    ids=["silent", "grbl", "flood", "binary", "loop"],
)
def test_a_foreign_device_is_greeted_and_nothing_else(usb: Usb, board: Stranger, said: str) -> None:
    usb.plug(ACM[0], board, SERIAL_ONE)
    game = Game(usb)
    begun_s = usb.now_s
    with pytest.raises(
        TableError, match=rf"no Chronotable firmware.*`chronotable flash`.*{said}"
    ) as caught:
        game.begin()
    assert str(caught.value).isprintable()
    assert usb.now_s - begun_s < 5.1
    assert set(letters(board.typed)) == {"H"}
    assert len(letters(board.typed)) <= 6, "one a second"
    assert not [what for what in game.heard if "log" not in what]


def test_a_device_that_vanishes_before_it_answers(usb: Usb) -> None:
    usb.plug(ACM[0], Stranger(), SERIAL_ONE)
    game = Game(usb)
    game.connection.open()
    usb.unplug(ACM[0])
    with pytest.raises(PortError, match="vanished"):
        game.pass_s(1)


def test_none_is_a_table(usb: Usb) -> None:
    for number in range(3):
        usb.plug(ACM[number], AtPrompt(), f"e660aabb1122334{number}")
    ask, asked = picks(2, 0)
    game = Game(usb, ask=ask)
    with pytest.raises(TableError, match=f"^{ACM[1]}: MicroPython"):
        game.begin()
    assert [len(offered) for offered in asked] == [3, 2]
    told = [text.split(":")[0] for text in game.told("notice")]
    assert told == [ACM[2], ACM[2], ACM[0], ACM[0], ACM[1]], "tried, and left for the next one"


def test_a_table_that_still_boots_is_waited_for(usb: Usb) -> None:
    """What an earlier visit to the prompt left in the line does not count."""
    table = FakeTable(ONE)
    boots_at_ms = usb.now_ms + 3500
    answer = table.answer
    table.answer = (  # type: ignore[method-assign]
        lambda data, now_ms: answer(data, now_ms) if now_ms >= boots_at_ms else b""
    )
    usb.stale = b"x" * 40 + b"\r\nSyntaxError: invalid syntax\r\n>>> "
    usb.plug(ACM[0], table, SERIAL_ONE)
    assert Game(usb).begin().table == ONE


# ---- lost and found


def test_the_same_table_under_another_name(usb: Usb) -> None:
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug(ACM[0], one, SERIAL_ONE)
    game = Game(usb).begin()
    usb.unplug(ACM[0])
    game.pass_s(2)
    usb.plug(ACM[0], two, SERIAL_TWO)  # under the name of the one that is away
    game.pass_s(8)
    assert two.typed == b""
    usb.plug(ACM[1], one, SERIAL_ONE)
    assert game.until(lambda: len(game.told("connected")) == 2)
    assert game.connection.name == ACM[1]
    assert game.table == ONE
    assert game.connection.losses == 1
    assert len(game.told("lost")) == len(game.told("refused")) == 1
    assert two.typed == b""


def test_without_serial_numbers_hello_tells(usb: Usb) -> None:
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug("COM7", one)
    game = Game(usb).begin()
    known = (game.session.link.hello.boot, game.session.link.hello.last)
    usb.unplug("COM7")
    usb.plug("COM8", two)
    game.pass_s(1)
    game.session.command("resign", side="b")
    game.pass_s(20)
    notices = game.told("notice")
    assert notices == [
        "COM8: the table there is ccdd55667788 (board reference), not the table aabb11223344 of "
        "this game; waiting for that one (to play on this one, quit and start `chronotable play` "
        "again)"
    ]
    assert set(letters(two.typed)) == {"H"}
    assert usb.opened.count("COM8") <= 5, "a stranger is left in peace"
    assert (game.session.link.hello.boot, game.session.link.hello.last) == known
    usb.plug("COM9", one)
    assert game.until(lambda: len(game.told("connected")) == 2)
    assert (game.table, game.connection.name) == (ONE, "COM9")
    assert game.until(lambda: one.obeyed == ["resign"]), "what was asked of this table"
    assert game.told("refused") == [told_by(one)], "and of no other, nor twice"


def test_another_table_at_the_port_that_was_named(usb: Usb) -> None:
    one, two = FakeTable(ONE), FakeTable(TWO)
    usb.plug("COM7", one, SERIAL_ONE)
    game = Game(usb, port="com7").begin()
    usb.unplug("COM7")
    usb.plug("COM7", two, SERIAL_TWO)
    game.pass_s(15)
    assert len(game.told("notice")) == 1
    assert set(letters(two.typed)) == {"H"}
    assert game.table == ONE
    usb.plug("COM7", one, SERIAL_ONE)
    assert game.until(lambda: len(game.told("connected")) == 2)
    assert game.told("refused") == [told_by(one)]


def test_a_named_port_is_not_left_but_it_is_said_where_the_table_is(
    usb: Usb, one: FakeTable
) -> None:
    game = Game(usb, port=ACM[0]).begin()
    usb.plug(ACM[1], usb.unplug(ACM[0]), SERIAL_ONE)
    game.pass_s(10)
    assert game.told("notice") == [
        "the table aabb11223344 is at /dev/ttyACM1 now, not at /dev/ttyACM0 as --port says; to go "
        "on there, quit and start `chronotable play --table aabb11223344`"
    ]
    assert usb.opened == [ACM[0]]


def test_patience_ends_though_another_table_is_there(usb: Usb) -> None:
    usb.plug("COM7", FakeTable(ONE))
    game = Game(usb, port="COM7").begin()
    usb.unplug("COM7")
    usb.plug("COM7", FakeTable(TWO))
    start_s = usb.now_s
    with pytest.raises(TableError, match=r"away for 60 s; nothing of the game is lost"):
        game.pass_s(90)
    assert 59 < usb.now_s - start_s < 61


def test_a_board_with_two_serial_ports(usb: Usb, one: FakeTable, game: Game) -> None:
    """Both have its serial number; one is the table's, the other says nothing."""
    usb.unplug(ACM[0])
    usb.plug(ACM[1], Stranger(), SERIAL_ONE)
    usb.plug(ACM[2], one, SERIAL_ONE)
    assert game.until(lambda: len(game.told("connected")) == 2)
    assert game.connection.name == ACM[2]
    assert game.connection.losses == 1


def test_a_table_that_another_program_has_is_waited_for(
    usb: Usb, one: FakeTable, game: Game
) -> None:
    usb.unplug(ACM[0])
    game.pass_s(1)
    usb.plug(ACM[0], one, SERIAL_ONE)
    usb.held = {ACM[0]}  # ModemManager looks at every new port
    game.pass_s(8)
    usb.held.clear()
    assert game.until(lambda: len(game.told("connected")) == 2)


def test_times_go_on_where_a_table_was_switched_off_and_on(usb: Usb) -> None:
    before, after = FakeTable(ONE), FakeTable(ONE, boot=4)
    days_ms = 3 * 86_400_000
    before.link.post_event("refused", days_ms, why=before.news)
    usb.plug(ACM[0], before, SERIAL_ONE)
    game = Game(usb).begin()
    game.pass_s(1)
    usb.unplug(ACM[0])
    game.pass_s(20)
    usb.plug(ACM[0], after, SERIAL_ONE)
    assert game.until(lambda: len(game.told("refused")) == 3)
    told_ms = [int(str(what["t_ms"])) for what in game.heard if "refused" in what]
    assert told_ms[:2] == [5, days_ms]
    assert 20_000 < told_ms[2] - days_ms < 25_000


# ---- stale bytes


def said_before(table_id: str) -> bytes:
    """Return what a table said to the program before: HELLO, events, states, many a line."""
    table = FakeTable(table_id)
    session = Session(Mirror(lambda _happening: None))
    session.open(0)
    said, back = b"", b""
    for now_ms in range(0, 4000, 10):
        if now_ms % 100 == 0:
            table.link.post_event("edge", now_ms, sensor=now_ms // 100, closed=1)
        data = table.answer(back, now_ms)
        back = session.exchange(data, now_ms)
        said += data
    return said


@pytest.mark.parametrize("seed", range(12))
def test_the_bytes_of_before_change_nothing(usb: Usb, one: FakeTable, seed: int) -> None:
    rng = Random(seed)
    said = said_before(ONE)
    start = rng.choice((0, rng.randrange(len(said) - STALE)))  # 0: with that session's HELLO
    rest = b"\xff\x00>>> \r\nTraceback (most recent call last):\r\n" * (seed % 3 == 0)
    usb.stale = (rest + said[start:])[:STALE]
    game = Game(usb)
    start_s = usb.now_s
    game.begin()
    assert usb.now_s - start_s < 0.5, seed
    usb.unplug(ACM[0])
    game.pass_s(1)
    usb.plug(ACM[0], one, SERIAL_ONE)
    assert game.until(lambda: len(game.told("connected")) == 2), seed
    game.pass_s(1)
    kinds = [next(iter(what.keys() - {"t_ms"})) for what in game.heard if "log" not in what]
    assert kinds == ["connected", "refused", "lost", "connected"], seed
    counters = game.session.link.counters
    assert counters["gaps"] == counters["violations"] == counters["duplicates"] == 0, seed


@pytest.mark.parametrize("seed", range(4))
def test_the_bytes_of_another_program_are_no_stranger(usb: Usb, one: FakeTable, seed: int) -> None:
    """A HELLO of this PC that comes back, as a prompt's echo does, makes no table of the port."""
    echo = Session(Mirror(lambda _happening: None))
    echo.open(0)
    usb.stale = echo.exchange(b"", Random(seed).randrange(1000))
    assert Game(usb, table=ONE).begin().table == ONE


# ---- which serial ports can be a table's, on every system


SERIAL = "e660aabb11223344"


def plugged(monkeypatch: pytest.MonkeyPatch, *devices: dict[str, Any]) -> None:
    """Have these serial ports, and no others, on this computer."""
    words = dict.fromkeys(("vid", "pid", "manufacturer", "product", "serial_number"))
    found = [Info(**{**words, "description": "", **device}) for device in devices]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: list(found))
    monkeypatch.setattr(port_search, "_BY_ID", Path("/nonexistent"))


def found_by_auto() -> str:
    return PortSearch(AUTO).next()


def test_a_pico_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        {"device": "/dev/ttyS0"},
        {"device": "/dev/ttyACM1", "serial_number": SERIAL, **PICO},
        {"device": "/dev/ttyACM0", "vid": 0x2E8A, "pid": 0x000C, "description": "Debug Probe"},
        {"device": "/dev/ttyUSB0", "vid": 0x0403, "pid": 0x6001, "description": "FT232R"},
    )
    assert find_ports() == [
        PortCandidate("/dev/ttyACM1", "Board in FS mode", "/dev/ttyACM1", SERIAL)
    ]
    assert found_by_auto() == "/dev/ttyACM1"
    assert PortSearch("COM3").next() == "COM3"


def test_on_windows_there_is_only_the_maker_number(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(
        monkeypatch,
        {"device": "COM1", "description": "Communications Port (COM1)"},
        {
            "device": "COM12",
            "vid": 0x2E8A,
            "pid": 5,
            "manufacturer": "Microsoft",
            "description": "USB Serial Device (COM12)",
            "serial_number": SERIAL.upper(),
        },
    )
    (candidate,) = find_ports()
    assert (candidate.name, candidate.table_id) == ("COM12", "aabb11223344")
    assert str(candidate) == "COM12 (aabb11223344)"


def test_a_board_of_another_maker_is_found_by_what_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyACM0", "vid": 0x239A, "manufacturer": "MicroPython"})
    assert found_by_auto() == "/dev/ttyACM0"


def test_the_name_by_id_is_preferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    plugged(monkeypatch, {"device": str(device), **PICO})
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    link = by_id / "usb-MicroPython_Board-if00"
    link.symlink_to(device)
    monkeypatch.setattr(port_search, "_BY_ID", by_id)
    assert found_by_auto() == str(link)
    (candidate,) = find_ports()
    assert candidate.is_at(str(device)) and candidate.is_at(str(link))
    assert str(candidate) == f"{device} (id unknown)", "people know it by the short name"


@pytest.mark.parametrize("serial", ["", "123456", "Board-7", "6&1a2b3c4d&0&0000"])
def test_numbers_that_are_no_id(serial: str) -> None:
    assert PortCandidate("COM3", "", "COM3", serial).table_id == ""


def test_no_candidate_says_what_to_check(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, {"device": "/dev/ttyS0"})
    with pytest.raises(PortError, match=r"data lines.*--port \(there are other ports: /dev/ttyS0"):
        found_by_auto()
    plugged(monkeypatch)
    with pytest.raises(PortError, match=r"--port$"):
        found_by_auto()
