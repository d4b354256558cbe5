"""TIMEmiT as it comes from its box."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from chronotable_host.cases import Case
from chronotable_host.games.interface import Option, State
from chronotable_host.games.timemit.box import read_box
from chronotable_host.games.timemit.game import Timemit
from chronotable_host.games.timemit.rule_texts import rule_texts
from chronotable_host.games.timemit.vocabulary import cases_of
from chronotable_host.language import tr

_FOLDER = Path(__file__).parent


class TimemitKind:
    """The game before data is chosen."""

    name = "timemit"
    title = "TIMEmiT"
    players = range(2, 3)
    page = _FOLDER / "page"

    @property
    def about(self) -> str:
        """What it is about and how it is won."""
        return tr(
            "A duel of secret bids: whoever pulls the time ship all the way to their own year wins."
        )

    @cached_property
    def options(self) -> Sequence[Option]:
        """The data file that it is played with; there is one, an owner's takes its place."""
        return (
            Option(
                "data",
                tr("What is printed on the cards"),
                {"default": tr("as far as it is known; symbols and track are our own")},
            ),
        )

    @cached_property
    def rules(self) -> Mapping[str, str]:
        """Its rules by number, in our own words."""
        return rule_texts()

    @cached_property
    def default_data(self) -> Mapping[str, Any]:
        """The cards, as far as they are known."""
        data: Mapping[str, Any] = json.loads((_FOLDER / "default.json").read_text("utf-8"))
        return data

    def holds(self, state: State) -> bool:
        """Tell whether an object of JSON looks like a state of this game."""
        return {"ship", "triangles", "kronos"} <= state.keys()

    def game(self, data: Mapping[str, Any] | None = None) -> Timemit:
        """Return the game with its own data or another's; raises DataError."""
        data = self.default_data if data is None else data
        return Timemit(read_box(data), data)

    def cases(self, document: Mapping[str, Any]) -> Iterator[Case]:
        """Yield the cases of a vector file that only this game has."""
        return cases_of(document)


KIND = TimemitKind()
