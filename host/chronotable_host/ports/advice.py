"""One piece of advice about ports, and how a board is named in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chronotable_host.language import tr
from chronotable_host.live.port_search import PortCandidate
from chronotable_host.ports.facts import PortFacts

REPLUG = tr("Pull the table's cable and plug it in again.")
THEN_REPLUG = tr("Then pull the table's cable and plug it in again.")
PLUG_TABLE = tr("Plug in the table's own Pico, too, with a cable of its own.")


class Advice(NamedTuple):
    """What is wrong, and what to do."""

    problem: str
    """One sentence."""
    remedies: list[str]
    """Each one sentence, which begins with a capital, or a command or option to copy."""
    files: Mapping[str, str] = {}
    """Texts of files that a remedy writes, by path."""
    cause: str = ""
    """A word for programs, from CAUSES."""


def choices(facts: PortFacts) -> list[str]:
    """Return how to name the boards that may be meant."""
    return [tr("Name it so:"), *names(facts, facts.wanted)] if facts.wanted else []


def names(facts: PortFacts, boards: list[PortCandidate]) -> list[str]:
    """Return an option for each board that means it also when it is plugged in elsewhere."""
    options = []
    for board in boards:
        port = facts.port_of(board)
        name = (port.stable if port else "") or board.device
        options.append(f"--table {board.table_id}" if board.table_id else f"--port {name}")
    return options
