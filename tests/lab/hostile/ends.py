"""Both ends of the link, alone and with all that stands behind them, against a hostile peer.

Nothing may be raised, nothing may grow, and a peer that is honest finds everything in order
afterwards.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from chronotable.core.commands import REFUSED_SETTING
from chronotable.core.progress import OVER
from chronotable.hardware.sensors import SPACES
from chronotable.lights.hints import HINT_LEVELS
from chronotable.link.backlog import Backlog
from chronotable.link.happenings import Message
from chronotable.link.identity import HOST, TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import STATE, TO_HOST, TO_TABLE
from chronotable.link.packed import pack_position
from chronotable.link.window import WINDOW
from chronotable_host.archive.naming import SCRIPT_SUFFIX, SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.archive.store import Archive
from chronotable_host.commands.play_work import GameScreen, PlayControl
from chronotable_host.errors import UserError
from chronotable_host.link.pc_link import PcLink
from chronotable_host.live.desk import Desk
from chronotable_host.live.line.connection import TableConnection
from chronotable_host.live.line.port_search import PortSearch
from chronotable_host.live.texts.message_texts import ROWS
from tests.lab.hostile.case import Case, Pause, Target, Touch, expect
from tests.lab.hostile.flash import files_of, is_of_flash, make_files
from tests.lab.hostile.mutations import LONGEST, mutated
from tests.lab.hostile.peer import (
    End,
    Peer,
    all_told,
    case_between,
    game_told,
    nothing,
    played,
    table_case,
)
from tests.lab.hostile.texts import commands, games, start_of
from tests.lab.store import BOARD, BOOT, MemoryStore, new_table
from ttykm.game import RULES_VERSION, Game, is_conserved

MOST_LINK_BYTES = 32 * 1024
"""What a link may hold in all, its ring included."""
MOST_ENTRIES = 40
"""The longest list, or the like, that it may hold: 32 events that nobody took, and some more."""
MOST_COMMANDS = 8 + WINDOW
MOST_STATES = sum(row[3] == STATE for row in ROWS)

_ROUND_MS = 25
_SLICE_MS = 200
_PATIENCE_MS = 20_000  # for an honest peer to find everything in order
_LAZY = 1000  # a lazy application looks at its events so rarely: never, in a case
_UNKNOWN_SETTING = 0x99
_FRIEND = "c0ffee"


# ---- the link alone


class _Bare(End):
    """A link whose application does nothing but take its events, a lazy one rarely."""

    def __init__(self, role: str, is_lazy: bool = False, boot: int = BOOT) -> None:
        name = _FRIEND if role == HOST else "e6"
        number = boot if role == TABLE else 0
        hello = Identity(BOARD, 1, name, RULES_VERSION, number, session=77)
        self.link = PcLink(hello) if role == HOST else Link(role, hello)
        self.heard: list[Any] = []
        self._is_lazy = is_lazy
        self._rounds = 0

    def take(self, data: bytes, now_ms: int) -> bytes:
        link = self.link
        link.receive(data, now_ms)
        self._rounds += 1
        if not self._is_lazy or self._rounds % _LAZY == 0:
            while (event := link.next_event()) is not None:
                self.heard.append(event)
        if link.role == TABLE and self._rounds % 3 == 0:
            link.post_event("edge", now_ms & 0xFFFFFFFF, sensor=1, closed=self._rounds & 1)
        self.check()
        link.tick(now_ms)
        return link.data_to_send(4)

    def check(self) -> None:
        """Nothing stands behind it; each list of the link has a largest length."""
        link, window, backlog = self.link, self.link._window, self.link._backlog
        expect(len(link._events) <= link._max_events, "too many events wait")
        expect(max(len(window.lines), len(window._wire)) <= WINDOW, "too many lines are out")
        expect(len(backlog.unsupported) <= WINDOW, "too many unknown types wait")
        if not isinstance(backlog, Backlog):
            expect(len(backlog.commands) <= MOST_COMMANDS, "too many commands wait")
            return
        for of_states in (backlog._states, backlog._shown, backlog._dirty):
            expect(len(of_states) <= MOST_STATES, "too many states")

    def friend(self) -> End:
        self.heard.clear()
        self._is_lazy = False
        if self.link.role == HOST:
            table = _Bare(TABLE, boot=_another_boot(self.link))
            table.link.post_event("over", 5, winner="-", by="a")
            return table
        return _asking_host()

    def is_well(self, friend: Any) -> bool:
        """Tell whether that has come, and what a table feels has gone."""
        ends = (self, friend) if self.link.role == TABLE else (friend, self)
        table, host = ends
        return bool(names_in(host.heard, "edge") and names_in(self.heard, "set", "over")) and (
            table.link.connected
        )


def _asking_host() -> _Bare:
    """Return a PC that asks for what no table has."""
    host = _Bare(HOST)
    host.link.send("set", setting=_UNKNOWN_SETTING, value=1)
    return host


def _another_boot(link: Link) -> int:
    return (link.hello.boot & 0xFF) + 1


def names_in(events: Sequence[Any], *names: str) -> list[Message]:
    return [event for event in events if isinstance(event, Message) and event.name in names]


# ---- a whole table


class TableEnd(End):
    """The table behind its link, with hands at it."""

    def __init__(self, files: dict[str, bytes] | None = None, boot: int = BOOT) -> None:
        store = MemoryStore()
        store.files.update(files or {})
        self.table = new_table(store, boot)
        self.link = self.table.link
        self.table.tracker.begin_at(0)

    def take(self, data: bytes, now_ms: int) -> bytes:
        """Run a round of the loop, but write all that may be written."""
        table, link = self.table, self.link
        table.step(now_ms)
        table.tell()
        table.receive(data, now_ms)
        link.tick(now_ms)
        return link.data_to_send(4)

    def touch(self, touch: Touch) -> None:
        self.table.edge(touch.cell, touch.closed, self.table.now_ms)

    def play(self, steps: Case) -> None:
        """Have hands play while no PC is there."""
        table = self.table
        for step in steps:
            if isinstance(step, Touch):
                self.touch(step)
            elif isinstance(step, Pause):
                for now_ms in range(table.now_ms, table.now_ms + step.ms, _ROUND_MS):
                    table.step(now_ms)
                    table.tell()

    def check(self) -> None:
        """The game is legal, and so are the settings and the picture."""
        table = self.table
        game = table.game
        expect(is_conserved(game.state), "more pieces than the box has")
        expect(not any(game.state[era] & game.state[3 + era] for era in range(3)), "two on a space")
        turns, state = list(game.turns), array("H", game.state)
        again = Game()
        again.start(start_of(game), game.options)
        for turn in turns:
            again.apply(turn)
        expect(again.state == state, "the turns do not lead to the position")
        tracker = table.tracker
        expect(tracker.phase in range(OVER + 1), "no phase")
        expect(
            all(level in range(HINT_LEVELS + SPACES) for level in table.hints.levels),
            "no hint level",
        )
        expect(0 <= table.light.brightness <= 256, "no brightness")
        expect(200 <= tracker.rest_ms <= 10_000 and 100 <= tracker.settle_ms <= 2000, "no time")
        table.render(table.now_ms)

    def friend(self) -> End:
        """Return a PC that asks for what the table refuses."""
        return _asking_host()

    def is_well(self, friend: Any) -> bool:
        """Tell whether it refused, and says the game that it has."""
        refused = [each.values["why"] for each in names_in(friend.heard, "refused")]
        shown = [each.values["position"] for each in names_in(friend.heard, "snapshot")]
        here = pack_position(self.table.game.state)
        return REFUSED_SETTING in refused and shown[-1:] == [here]


# ---- a whole session


class _Typed:
    """What is typed while a case goes on."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def take(self) -> str | None:
        return self.lines.pop(0) if self.lines else None


class _Port:
    """A serial port of which we are the other side."""

    name = "COM3"
    unsent = 0

    def __init__(self) -> None:
        self.incoming = self.outgoing = b""

    def read(self) -> bytes:
        data, self.incoming = self.incoming, b""
        return data

    def write(self, data: bytes) -> None:
        self.outgoing += data

    def close(self) -> None:
        """Forget what was under way."""
        self.incoming = self.outgoing = b""


class _SessionEnd(End):
    """All of `play` but the real port: session, mirror, what is shown and what is typed.

    With a `folder` it keeps an archive, and shows JSON.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._now_ms = 0
        self._typed = _Typed()
        has_archive = folder is not None
        archive = Archive(folder) if folder is not None else None
        headers = {"White": "A", "Black": "B"}
        desk = Desk(archive, headers, None, 0, True, has_archive, True)
        self.mirror = desk.mirror
        self._port = _Port()
        self._connection = desk.connection = TableConnection(
            desk.session,
            PortSearch(_Port.name),
            desk.tell,
            clock=lambda: self._now_ms / 1000,
            opens=lambda _name: self._port,
        )
        self._control = PlayControl(desk, GameScreen(desk, has_archive), self._typed, False)
        self.link: Link = desk.session.link
        self._connection.open()

    def take(self, data: bytes, now_ms: int) -> bytes:
        self._now_ms = now_ms
        self._port.incoming += data
        self._connection.step()
        self._control.is_done()
        out, self._port.outgoing = self._port.outgoing, b""
        return out

    def type(self, line: str) -> None:
        self._typed.lines += line.split("\n")

    def check(self) -> None:
        """The game is one, and every file can be read."""
        mirror = self.mirror
        expect(sum(mirror.understood.values()) == len(mirror.how), "counts that are none")
        if self._folder is not None:
            mirror.close()
            for path in self._folder.rglob(f"*{SUFFIX}"):
                read(path)
            for path in self._folder.rglob(f"*{SCRIPT_SUFFIX}"):
                for line in path.read_text("utf-8").splitlines():
                    json.loads(line)

    def friend(self) -> End:
        """Return a table in the middle of a game."""
        table = TableEnd(boot=_another_boot(self.link))
        table.play(played(games()[0].turns, Random(0)))
        expect(list(table.table.game.turns) == list(games()[0].turns), "the friend plays")
        return table

    def is_well(self, friend: Any) -> bool:
        """Tell whether the mirror has its game, and the archive too."""
        mirror, turns = self.mirror, list(friend.table.game.turns)
        if mirror.needs_resync or list(mirror.game.turns) != turns:
            return False
        if self._folder is None:
            return True
        return mirror.file is not None and mirror.file.record.turns == turns


# ---- running a case


def run_end(case: Case, end: End) -> None:
    """Let the hostile peer say its case, then an honest one find everything in order."""
    peer = Peer(end)
    peer.open()
    try:
        for step in case:
            peer.do(step)
    except UserError:  # it gives up, and says why
        end.check()
        raise
    _check_size(end.link)
    end.check()
    _recover(end, peer.now_ms)
    _check_size(end.link)
    end.check()


def _recover(end: End, now_ms: int) -> None:
    """Raise Unsound unless an honest peer gets on with the end within its patience."""
    friend = end.friend()
    friend.link.open(now_ms)
    out = b"\n"
    for _ in range(_PATIENCE_MS // _SLICE_MS):
        now_ms += _SLICE_MS
        out = friend.take(end.take(out, now_ms), now_ms)
        if end.link.connected and friend.link.connected and end.is_well(friend):
            return
    expect(end.link.connected and friend.link.connected, "no session with an honest peer")
    expect(False, "what an honest peer says is lost")


def _check_size(link: Link) -> None:
    size, longest = weigh(link)
    expect(size <= MOST_LINK_BYTES, f"the link holds {size} bytes")
    expect(longest <= MOST_ENTRIES, f"the link holds {longest} things in one place")


def weigh(thing: object) -> tuple[int, int]:
    """Return the bytes that a thing holds in all, and the entries of its longest container."""
    seen = {id(thing)}
    todo = [thing]
    size = longest = 0
    while todo:
        each = todo.pop()
        size += sys.getsizeof(each)
        if isinstance(each, (list, tuple, set, dict)):
            longest = max(longest, len(each))
        for inner in gc.get_referents(each):
            if id(inner) not in seen and not isinstance(inner, type) and not callable(inner):
                seen.add(id(inner))
                todo.append(inner)
    return size, longest


def _run_bare(role: str, is_lazy: bool, case: Case) -> None:
    run_end(case, _Bare(role, is_lazy))


def _run_table(case: Case) -> None:
    files = [step for step in case if is_of_flash(step)]
    steps = [step for step in case if not is_of_flash(step)]
    run_end(steps, TableEnd(files_of(files)))


def _run_flash(case: Case) -> None:
    run_end([], TableEnd(files_of(case)))


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _run_session(case: Case) -> None:
    with _silenced():
        run_end(case, _SessionEnd(None))


def _make_typed(rng: Random) -> Case:
    words = (mutated(rng, commands()) for _ in range(rng.choice((1, 1, 12))))
    return ["\n".join(words)[:LONGEST]]


def _run_typed(case: Case) -> None:
    """Have lines typed while no table has answered."""
    end = _SessionEnd(None)
    for text in case:
        assert isinstance(text, str)
        end.type(text)
    with _silenced():
        end.take(b"", 0)


def _run_archive(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder, _silenced():
        end = _SessionEnd(Path(folder))
        try:
            run_end(case, end)
        finally:
            end.mirror.close()


_told = partial(case_between, way=TO_HOST, story=all_told)

ENDS: tuple[Target, ...] = (
    *(
        Target(
            f"{'lazy ' if is_lazy else ''}link of the {name}",
            partial(case_between, way=way, story=story),
            partial(_run_bare, role, is_lazy),
            share=16,
        )
        for role, name, way, story in (
            (TABLE, "table", TO_TABLE, nothing),
            (HOST, "PC", TO_HOST, game_told),
        )
        for is_lazy in (False, True)
    ),
    Target("table", table_case, _run_table, share=20),
    Target("flash", make_files, _run_flash, share=4),
    Target("typed", _make_typed, _run_typed, share=4),
    Target("session", _told, _run_session, (UserError,), share=16),
    Target("archive", _told, _run_archive, (UserError,), share=12),
)
"""Both ends; a case is up to 100 steps of a hostile peer."""
