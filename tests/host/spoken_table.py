"""A table made of words: what a test wants a mirror to have been told, without line or firmware."""

from __future__ import annotations

from array import array
from typing import Any

from chronotable.journal.journal import Journal
from chronotable.journal.pages import Pages
from chronotable.link.happenings import Connected, Message
from chronotable.link.identity import Identity
from chronotable.link.messages import TO_HOST, decode_fields, row_for
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.archive.store import Archive
from chronotable_host.link.pc_link import LostEvents
from chronotable_host.live.mirror import Mirror
from chronotable_host.live.session import JournalCollector
from chronotable_host.rules.notation import parse_turn
from tests.lab.store import MemoryStore
from ttykm import layout
from ttykm.game import Game, digest

NAME = "reference"


class SpokenTable:
    """A table that tells a mirror its events; it keeps all of them, as a real one's ring does.

    It has a journal, too, and answers what a mirror wants of it.
    """

    def __init__(
        self,
        game_id: int = 1,
        boot: int = 3,
        begins: bool = True,
        room: int = 1 << 20,
        start: array[int] | None = None,
        begun_ms: int = 0,
    ) -> None:
        self.begun_ms = begun_ms
        self.start = layout.new_state() if start is None else start
        self.identity = Identity(NAME, unique_id="e6", boot=boot)
        self.game = Game()
        self.game_id = game_id
        self.number = 0
        self.events: list[Message] = []
        self.is_over = False
        self.played: dict[int, list[int]] = {}  # the turns of each game
        self.journal = Journal(MemoryStore(room), boot)
        self.journal.open(Game())
        if begins:
            self.begin()

    @property
    def _now_ms(self) -> int:
        return self.begun_ms + 100 * self.number

    def begin(self) -> None:
        self.game.start(self.start)
        position = pack_position(self.start)
        things = pack_objects(self.start, position)
        self.is_over = False
        self.journal.begin(position, 0, self.game_id, self._now_ms, things)
        self.note("game", position=position, options=0, game_id=self.game_id)

    def new_game(self) -> None:
        self.game_id += 1
        self.begin()

    def turn(self, *texts: str) -> None:
        for text in texts:
            self.game.apply(parse_turn(text))
            self.journal.turn(self.game.turns[-1], 0, self._now_ms)
            self.note(
                "turn",
                turn_no=len(self.game.turns),
                turn=self.game.turns[-1],
                digest=digest(self.game.state),
                understood="c",
            )

    def take_back(self) -> None:
        turn = self.game.undo()
        self.is_over = False
        self.journal.taken_back(turn, self._now_ms)
        self.note("taken_back", turn_no=len(self.game.turns) + 1)

    def resigned(self) -> None:
        self.is_over = True
        self.journal.over("w", "r", self._now_ms)
        self.note("over", winner="w", by="r")

    def edges(self, *edges: tuple[bool, int]) -> None:
        for closed, sensor in edges:
            self.note("edge", sensor=sensor, closed=int(closed))

    def note(self, name: str, **fields: Any) -> None:
        """Have an event, 100 ms after the one before."""
        self.played[self.game_id] = list(self.game.turns)
        self.number += 1
        at_ms = self._now_ms & 0xFFFFFFFF
        self.events.append(Message(name, {"number": self.number, "time_ms": at_ms, **fields}))

    def objects(self) -> Message:
        """Return the objects of the snapshot, none where its position tells enough."""
        state = self.game.state
        return Message("objects", {"objects": pack_objects(state, pack_position(state))})

    def snapshot(self) -> Message:
        state = self.game.state
        return Message(
            "snapshot",
            {
                "position": pack_position(state),
                "turn_no": len(self.game.turns),
                "digest": digest(state),
                "phase": "o" if self.is_over else "t",
                "settings": 0,
                "game_id": self.journal.game_id,
            },
        )

    def tell(self, archive: Archive, lost: int = 0) -> Mirror:
        """Tell everything to a program that was just started."""
        mirror = Mirror(lambda _happening: None, archive, resumes=True)
        mirror.hear(Connected(self.identity, True), 0)
        if lost:
            mirror.hear(LostEvents(1, lost), 0)
        self.hear(mirror, lost)
        self.answer(mirror)
        return mirror

    def answer(self, mirror: Mirror) -> None:
        """Send the snapshot, and what the mirror then wants of the journal."""
        asked: list[tuple[str, dict[str, int]]] = []
        collector = JournalCollector(mirror, lambda name, **fields: asked.append((name, fields)))
        journal = self.journal
        waiting: dict[str, int | str | None] = {"first": journal.first()}
        mirror.hear(self.objects(), 0)
        mirror.hear(self.snapshot(), 0)
        collector.hear(Message("journal", waiting), 0)
        collector.ask()
        while asked:
            name, fields = asked.pop(0)
            if name == "forget":
                assert journal.forget(
                    **{{"game": "number"}.get(k, k): v for k, v in fields.items()}
                )
                collector.ask()
                continue
            for line in self.pages(fields["game"]):
                collector.hear(line, 0)
            collector.ask()

    def pages(self, number: int) -> list[Message]:
        """Return what the table answers when it is asked for a game."""
        found = []
        answer = Pages(self.journal, number)
        while line := answer.next_line():
            row = row_for(line[0], TO_HOST)
            assert row is not None
            found.append(Message(row[1], decode_fields(row, line[1:])))
        return found

    def hear(self, mirror: Mirror, told: int) -> None:
        """Tell a program what it was not told yet."""
        for event in self.events[told:]:
            mirror.hear(event, 0)
