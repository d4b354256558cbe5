"""A whole table and a PC with the line between them, and whether they agree.

Everything is real but the hardware: tracker, journal and link of the table, and the PC's program
from its loop down to the files of its archive. Only whoever plays knows which faults come.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from chronotable.progress import OVER, RESTORE
from chronotable.table import Table
from chronotable.wiring import Board
from chronotable_host.archive.naming import SUFFIX
from chronotable_host.archive.parsing import read
from chronotable_host.live.filing import SOURCE
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.table_state import PHASES
from chronotable_host.rules.record import Record
from tests.lab.line import Line, Pair
from tests.lab.line_pc import PcEnd
from tests.lab.line_table import TABLE_ID, TableEnd
from tests.lab.line_truth import expect, what_is_wrong

Script = list[tuple[int, tuple[int, bool] | str]]
"""What happens when: a sensor that opens or closes, or a command of the PC."""


class WholePair(Pair):
    """All of a table and of a PC's program.

    What hands do now is done by `move`, what the PC is to say by `say`. What will be done is in
    `script`, and what was done in `done`.
    """

    table: TableEnd
    pc: PcEnd

    def __init__(
        self, folder: Path, board: Board, rng: Random, records_events: bool = False
    ) -> None:
        super().__init__(Line(rng))
        self.table = TableEnd(self.line, board, rng)
        self.pc = PcEnd(self.line, folder, rng, records_events)
        self.script: Script = []
        self.done: Script = []

    def move(self, sensor: int, closed: bool) -> None:
        """Let a hand put something on a sensor, or take it away."""
        self.done.append((self.now_ms, (sensor, closed)))
        self.table.move(sensor, closed)

    def say(self, name: str) -> None:
        """Have the PC send a command."""
        self.done.append((self.now_ms, name))
        process = self.pc.process
        expect(process is not None, "no program runs that could say something")
        if process is not None:
            process.session.command(name)

    def step(self) -> None:
        """Let a round's time pass, and do what the script has for it."""
        while self.script and self.script[0][0] <= self.now_ms:
            _, what = self.script.pop(0)
            if isinstance(what, str):
                self.say(what)
            else:
                self.move(*what)
        super().step()

    # ---- what has to be true

    def problem(self) -> str:
        """Return what is not yet as it has to be, "" where all is well."""
        process = self.pc.process
        if process is None or not process.connection.is_there or not self.table.link.connected:
            return "they are not connected"
        table, mirror = self.table.table, process.mirror
        if (process.order.boot, process.order.due) != (
            self.table.boots[-1],
            self.table.link.posted + 1,
        ):
            return f"{self.table.link.posted} events were posted, {process.order.due - 1} are known"
        if mirror.wants_game or (mirror.needs_resync and mirror.table.phase != PHASES["o"]):
            return "the mirror has lost the thread"
        if table.journal.first():
            return f"game {table.journal.first()} waits in the journal"
        return self._what_was_obeyed() or self._what_differs(table, mirror) or self._what_is_filed()

    def _what_was_obeyed(self) -> str:
        """Check that no command was done twice, and each once unless program or table restarted."""
        is_sure = self.pc.programs == len(self.table.boots) == 1
        for name, sent in self.pc.sent.items():
            obeyed = self.table.obeyed[name]
            if obeyed > sent or (is_sure and obeyed < sent):
                return f"'{name}' was said {sent} times and obeyed {obeyed} times"
        return ""

    def _what_differs(self, table: Table, mirror: Mirror) -> str:
        phase = table.tracker.phase
        if mirror.table.phase != tuple(PHASES.values())[phase]:
            return f"the mirror's phase is {mirror.table.phase!r}"
        if mirror.table.leds != table.hints.told():
            return "the mirror shows other lights"
        if phase in (OVER, RESTORE) and mirror.record is None:
            return ""  # there is no game to follow
        if phase != RESTORE and mirror.game.state != table.game.state:
            return "the mirror has another position"
        if phase != RESTORE and list(mirror.game.turns) != list(table.game.turns):
            return "the mirror has other turns"
        return ""

    def _what_is_filed(self) -> str:
        """Compare the archive with the truth, game by game."""
        found: dict[str, Record] = {}
        for path in sorted(self.pc.folder.glob(f"*{SUFFIX}")):
            reading = read(path)
            source = reading.record.headers[SOURCE]
            if reading.note:
                return f"{path.name}: {reading.note}"
            if source in found:
                return f"the game {source} is filed twice"
            found[source] = reading.record
        for game_id, played in self.table.truth.items():
            source = f"{TABLE_ID}-{game_id:08x}"
            record = found.pop(source, None)
            if record is not None:
                problem = what_is_wrong(record, played)
                if problem:
                    return f"{source}: {problem}"
            elif played.turns or played.end:
                return f"the game {source} is not in the archive"
        return f"nobody played {', '.join(found)}" if found else ""

    # ---- figures

    def counts(self) -> Counter[str]:
        """Return what both ends counted, over all their lives."""
        found = Counter(self.pc.counters) + Counter(self.table.counters)
        found.update(self.table.link.counters)
        told = Counter(self.pc.told)
        process = self.pc.process
        if process is not None:
            found.update(process.session.link.counters)
            found["gaps told"] += process.order.gaps
            told.update(process.told)
        for name in ("fetched", "joined", "turn", "taken_back", "mismatch"):
            found[name] = told[name]
        return found
