"""Both ends of the link alone over a line that fails: what they say by chance, and what came of it.

An event comes once and in order, or is told as lost; the PC has the latest states; a command is
obeyed once, or given back; what is asked for page by page comes whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from chronotable.link.frames import LocalLinkError
from chronotable.link.happenings import Connected, Message
from chronotable.link.identity import TABLE, Identity
from chronotable.link.link import Link
from chronotable.link.messages import encode
from chronotable_host.link.pc_link import CommandLost, PcLink
from chronotable_host.live.line.port import PortError
from tests.lab.hostile.case import expect
from tests.lab.line import REPEATED, InOrder, Line, LinePort, Outcome, Pair
from tests.lab.line_troubles import NONE, REBOOTS, LineTroubles
from tests.lab.troubles import Trouble

PAGES = 40
TABLE_STALLS = "stalls of the table"

_CLOCK = 1 << 30  # ms: the table's clock begins anew
_ROUNDS = (1000, 4000)
_TABLE_STALLS_MS = (100, 4000)


def pages(count: int) -> Callable[[], str]:
    """Return what gives so many pages, one by one."""
    lines = [encode("page", index=at, units=f"{at:048x}") for at in range(count)]
    return lambda: lines.pop(0) if lines else ""


class BareTable:
    """A table's link, and the truth: what was posted in each boot, is shown, and was obeyed."""

    def __init__(self, line: Line, rng: Random, clock_ms: int) -> None:
        self.boots: list[int] = []
        self.posted: dict[int, list[tuple[str, dict[str, Any]]]] = {}
        self.states: dict[str, dict[str, Any]] = {}
        self.obeyed: list[int] = []
        self.heard: list[object] = []
        self.counters: Counter[str] = Counter()
        self.period_ms = rng.choice((5, 10, 25))
        self.pages = PAGES
        self.stalled_until_ms = 0
        self._line = line
        self._rng = rng
        self._clock_ms = clock_ms
        self.link: Link
        self.power_on()

    @property
    def now_ms(self) -> int:
        """The time as the table has it."""
        return (self._line.now_ms + self._clock_ms) % _CLOCK

    def power_on(self) -> None:
        """Start, or start anew: its memory is gone."""
        if self.boots:
            self.counters.update(self.link.counters)
        boot = self._rng.choice([each for each in range(1, 999) if each not in self.boots])
        self.boots.append(boot)
        self.posted[boot], self.states = [], {}
        self.link = Link(TABLE, Identity("test", 0xDEADBEEF, "e66038b713", boot=boot))
        self.link.open(self.now_ms)
        self._line.restart()

    def stall(self) -> float:
        for_ms = self._rng.randint(*_TABLE_STALLS_MS)
        self.stalled_until_ms = self._line.now_ms + for_ms
        return for_ms / 1000

    def post(self, name: str, **values: Any) -> None:
        number = self.link.post_event(name, self.now_ms, **values)
        values |= {"number": number, "time_ms": self.now_ms}
        self.posted[self.boots[-1]].append((name, values))

    def show(self, name: str, **values: Any) -> None:
        self.link.send(name, **values)
        self.states[name] = values

    def round(self) -> None:
        now_ms, link = self._line.now_ms, self.link
        if now_ms < self.stalled_until_ms or now_ms % self.period_ms:
            return
        link.receive(self._line.read(), self.now_ms)
        while (event := link.next_event()) is not None:
            self.heard.append(event)
            if isinstance(event, Message) and event.name == "set":
                self.obeyed.append(int(event.values["value"] or 0))
            elif isinstance(event, Message) and event.name == "fetch":
                link.serve(pages(self.pages))
        link.tick(self.now_ms)
        while line := link.data_to_send(1):
            self._line.write(line)


class BarePc:
    """A PC's link, the port, and what it heard and sent; a program that is killed forgets all."""

    def __init__(self, line: Line, table: BareTable, rng: Random) -> None:
        self.starts_ms = 0
        self.heard: list[object] = []
        self.sent: list[int] = []
        self.forgotten: list[int] = []  # sent by programs that were killed
        self.given_back: list[int] = []
        self.counters: Counter[str] = Counter()
        self.fetches = True
        self._line = line
        self._table = table
        self._rng = rng
        self._begin()

    def _begin(self) -> None:
        mine = Identity(unique_id="c0ffee", session=self._rng.getrandbits(16))
        self.link: PcLink | None = PcLink(mine, max_events=64)
        self.order = InOrder()
        self.shown: dict[str, dict[str, Any]] = {}
        self.pages = 0
        self._wants_pages = False
        self._port: LinePort | None = None

    def kill(self, for_ms: int) -> None:
        self.starts_ms = self._line.now_ms + for_ms
        if self.link is not None:
            self.counters.update(self.link.counters)
            self.forgotten += self.sent
            self.sent, self.link = [], None
            self._line.hang_up()

    def command(self) -> None:
        """Send a command, unless too many wait; they are told apart by their value."""
        number = len(self.sent) + len(self.forgotten)
        if self.link is not None:
            with suppress(LocalLinkError):
                self.link.send("set", setting=1, value=number)
                self.sent.append(number)

    def run(self) -> None:
        now_ms = self._line.now_ms
        if self.link is None and now_ms >= self.starts_ms:
            self._begin()
        if self.link is None:
            return
        try:
            if self._port is None:
                self._port = self._line.open("line")
                self.link.open(now_ms)
            data = self._port.read()
            cut = self._rng.randint(0, len(data))
            for piece in (data[:cut], data[cut:]):
                self.link.receive(piece, now_ms)
            while (event := self.link.next_event()) is not None:
                self.heard.append(event)
                self._hear(event)
            if self._wants_pages and self.fetches:
                with suppress(LocalLinkError):
                    self.link.send("fetch", game=1)
                    self._wants_pages = False
            self.link.tick(now_ms)
            self._port.write(self.link.data_to_send())
        except PortError:
            self._port = None
            self.link.close()

    def _hear(self, event: object) -> None:
        self.order.hear(event)
        if isinstance(event, Connected) and event.fresh:
            self.shown, self.pages, self._wants_pages = {}, 0, True
        elif isinstance(event, CommandLost) and event.name == "fetch":
            self._wants_pages = True
        elif isinstance(event, CommandLost):
            self.given_back.append(int(event.values["value"] or 0))
        elif isinstance(event, Message) and event.name == "page":
            self.pages = self.pages if event.values["index"] else 0
            expect(event.values["index"] == self.pages, "a page is missing")
            self.pages += 1
        elif isinstance(event, Message) and "number" in event.values:
            posted = self._table.posted[self.order.boot][self.order.due - 2]
            expect((event.name, event.values) == posted, f"{posted} was posted")
        elif isinstance(event, Message):
            self.shown[event.name] = dict(event.values)


class LinkPair(Pair):
    """A table and a PC that have nothing but their links."""

    table: BareTable
    pc: BarePc

    def __init__(self, rng: Random, clock_ms: int = 0) -> None:
        super().__init__(Line(rng))
        self.table = BareTable(self.line, rng, clock_ms)
        self.pc = BarePc(self.line, self.table, rng)
        self._rng = rng

    def chat(self) -> None:
        """Have either end say something, now and then, or a burst of it."""
        rng, table = self._rng, self.table
        dice = rng.random()
        if dice < 0.04:
            for _ in range(rng.choice((1, 1, 2, 10))):
                table.post("edge", sensor=rng.randrange(54), closed=rng.randrange(2))
        elif dice < 0.05:
            table.post("turn", turn_no=1, turn=rng.randrange(2**20), digest=3, understood="a")
        elif dice < 0.06:
            table.post("guide", take="0" * 14, put="f" * 14, why=rng.randrange(256))
        elif dice < 0.08:
            table.show("leds", leds=rng.choice("0abc-") * 45)
        elif dice < 0.09:
            table.show("about", firmware=str(rng.random()), micropython="1")
        elif dice < 0.1:
            self.pc.command()

    def problem(self) -> str:
        table, pc = self.table, self.pc
        if pc.link is None or not (pc.link.connected and table.link.connected):
            return "they are not connected"
        posted = len(table.posted[table.boots[-1]])
        if (pc.order.boot, pc.order.due) != (table.boots[-1], posted + 1):
            return f"{posted} events were posted, {pc.order.due - 1} are known"
        if pc.shown != table.states:
            return "the PC has other states"
        obeyed, sent = set(table.obeyed), set(pc.sent)
        if table.obeyed != sorted(obeyed):
            return "commands were obeyed twice, or not in order"
        if sent - obeyed - set(pc.given_back) or obeyed - sent - set(pc.forgotten):
            return "commands are lost"
        if len(table.boots) == 1 and pc.given_back:
            return "commands were given back by a table that had not restarted"
        if pc.fetches and pc.pages != table.pages:
            return f"{pc.pages} pages came"
        return ""

    def counts(self) -> Counter[str]:
        found = self.table.counters + self.pc.counters
        for link in (self.table.link, self.pc.link):
            found.update(link.counters if link is not None else {})
        return found


def play(kind: str, seed: int) -> Outcome:
    """Let both ends talk while this kind of things happens, with an odd seed ten times as often.

    With every third seed the table's clock begins anew meanwhile.
    """
    rng = Random(f"{kind} {seed}")
    pair = LinkPair(rng, clock_ms=seed if seed % 3 else _CLOCK - 5000)
    table = pair.table
    troubles = LineTroubles(
        pair,
        kind,
        rng,
        Trouble(REBOOTS, table.power_on, share=3),
        Trouble(TABLE_STALLS, table.stall, share=3),
        often=10 if seed % 2 else 1,
    )

    def course() -> int:
        for _ in range(rng.randint(*_ROUNDS)):
            pair.step()
            pair.chat()
            troubles.step(pair.now_ms / 1000)
        troubles.end()
        table.stalled_until_ms = 0
        took_ms = pair.settle()
        pair.never("violations", "unsupported")
        if kind == NONE:
            pair.never(*REPEATED, "log_lines", "overlong", "rx_overflow")
        return took_ms

    return pair.outcome(f"{kind} {seed}", course)
