"""What a table has that carries out commands: the shape of it, for type checkers only."""

if False:
    from collections.abc import Callable
    from typing import Protocol

    from chronotable.core.chapters import Chapters
    from chronotable.core.surface import Surface
    from chronotable.core.tracker import Tracker
    from chronotable.journal.journal import Journal
    from chronotable.lights.hints import Hints
    from chronotable.lights.light import Light
    from chronotable.link.link import Link
    from chronotable.link.outbox import Outbox
    from chronotable.player.seats import Seats
    from ttykm.game import Game

    class Commanded(Protocol):
        """Does what commands.py asks of it; that is `Table` (table.py), which says more of each."""

        game: Game
        tracker: Tracker
        hints: Hints
        chapters: Chapters
        journal: Journal
        light: Light
        link: Link
        outbox: Outbox
        surface: Surface | None
        entropy: Callable[[], int]
        now_ms: int
        seed: int
        laid_objects: str
        lacks_room: bool
        turn_ended: bool
        snapshot_due: bool
        wants_doctor: bool

        def press(self, button: int) -> None: ...
        def load_seats(self) -> Seats: ...
        def make_room(self) -> None: ...
        def is_resting(self) -> bool: ...
        def show_notice(self, leds: int) -> None: ...
        def end_surface(self) -> None: ...
        def write_journal(self) -> None: ...
