"""Both ends of a game far apart at pages of virtual tables, in table time, in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from chronotable_far.entries import INVITER, JOINER
from chronotable_far.invitation import Invitation, new_invitation
from chronotable_far.page import FarPage, Meeting
from chronotable_far.room import FarRoom
from chronotable_far.room_records import TableGames
from chronotable_far.store import Store
from chronotable_far.table import Here
from chronotable_host.archive.store import Archive
from chronotable_host.virtual.chance import seeded
from chronotable_host.web.http.requests import parse_request
from chronotable_host.web.service import COMMANDS
from tests.far.memory import MemoryBroker, MemoryLine
from tests.page.looker import asked
from ttykm.layout import WHITE

ROUND_MS = 20
LONG_MS = 60_000
_NAMES = {INVITER: "Ada", JOINER: "Bo"}


class PageEnd:
    """One end at a page; `ask` is what its viewer asks for, `look` what is shown."""

    def __init__(
        self,
        invitation: Invitation,
        folder: Path,
        client: MemoryLine,
        seed: int,
        begin: dict[str, Any] | None,
        name: str,
    ) -> None:
        self.folder = folder
        self.archive = Archive(folder)
        self.store = Store.open(folder, invitation)
        self.room = FarRoom(invitation, self.store, today=lambda: "2024-05-01")
        self.client = client
        here = Here(name, True)
        if begin is not None:
            self.room.append("begin", name=here.name, chat=here.chats, **begin)
        link = invitation.of(JOINER).link if begin is not None else ""
        meeting = Meeting(self.room, client, self.archive, TableGames(), here, link)
        chances = seeded(f"{seed} {invitation.end}")
        self.at = FarPage(meeting, "reference", {}, Random(seed), chance=chances)

    @property
    def game(self) -> Any:
        """The table's game."""
        return self.at.mirror.game

    def look(self) -> dict[str, Any]:
        """Return what the page shows."""
        return self.at.page.view()

    def ask(self, do: str, **values: Any) -> str:
        """Ask for something; return why it was refused, "" where it was not."""
        import json  # noqa: PLC0415

        request = parse_request(json.dumps({"id": 1, **asked(do, self.look(), values)}), COMMANDS)
        answers: list[str | None] = []
        request.sent_by("somebody", lambda _request, why: answers.append(why))
        self.at.page.service.obey(request)
        (why,) = answers
        return why or ""

    def close(self) -> None:
        """End the program."""
        self.at.close()
        self.store.close()
        self.archive.close()


class Pages:
    """An inviter and a joiner, each at a page."""

    def __init__(self, folder: Path, seed: int = 0, **begin: Any) -> None:
        self.rng = Random(seed)
        self.broker = MemoryBroker()
        invitation = new_invitation("mqtt://memory", self.rng.choice)
        self.ends: dict[str, PageEnd] = {}
        self._folder, self._invitation, self._seed = folder, invitation, seed
        self._begin = {"colour": WHITE, **begin}

    def open(self, end: str, another: str = "") -> PageEnd:
        """Have an end come; `another` is what somebody is called who has the link elsewhere."""
        made = self.ends[end] = PageEnd(
            self._invitation.of(end),
            self._folder / (another or end),
            MemoryLine(self.broker, self.rng),
            self._seed,
            self._begin if end == INVITER else None,
            another or _NAMES[end],
        )
        return made

    def wait(self, duration_ms: float) -> None:
        """Let time pass at both."""
        for _ in range(int(duration_ms // ROUND_MS)):
            for end in self.ends.values():
                end.at.run_until(end.at.table.now_ms + ROUND_MS)

    def wait_until(self, is_so: Callable[[], Any], most_ms: float = LONG_MS) -> None:
        """Let time pass until something is so."""
        for _ in range(int(most_ms // ROUND_MS)):
            if is_so():
                return
            self.wait(ROUND_MS)
        raise AssertionError({name: end.look()["says"] for name, end in self.ends.items()})

    def play(self, end: PageEnd, turn: str) -> None:
        """Choose a turn at a page, and wait until it lies on both tables."""
        self.wait_until(lambda: end.look()["builder"])
        count = len(end.game.turns)
        for text in turn.split():
            assert end.ask("choose", text=text) == ""
        self.wait_until(lambda: all(len(each.game.turns) > count for each in self.ends.values()))


@contextmanager
def pages(folder: Path, both: bool = True, **begin: Any) -> Iterator[Pages]:
    """Open one end, or both, and close them whatever happens."""
    made = Pages(folder, **begin)
    made.open(INVITER)
    if both:
        made.open(JOINER)
    try:
        yield made
    finally:
        for end in made.ends.values():
            end.close()
