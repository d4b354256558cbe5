"""A tournament's log that is being written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chronotable_club.tournament.events import TournamentEvent, event
from chronotable_club.tournament.state import Tournament


class TournamentLog:
    """The events of a tournament, and what they come to."""

    def __init__(self, tournament: str, entries: Iterable[TournamentEvent] = ()) -> None:
        """Begin with events that are there already; raises UserError where they do not fit."""
        self.state = Tournament(tournament)
        self.entries: list[TournamentEvent] = []
        for entry in entries:
            self.take(entry)

    def take(self, entry: TournamentEvent) -> None:
        """Go on with an event; raises UserError where it does not fit, and changes nothing."""
        self.state = self.state.after(entry)
        self.entries.append(entry)

    def append(self, at: str, by: str, kind: str, **fields: Any) -> TournamentEvent:
        """Make the next event and go on with it; raises UserError where it does not fit."""
        entry = event(self.state.last + 1, at, by, kind, **fields)
        self.take(entry)
        return entry
