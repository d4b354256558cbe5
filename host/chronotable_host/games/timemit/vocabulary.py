"""Checking what the grammar of effects takes, and what not, against a vector file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from chronotable_host.cases import Case, DifferentError
from chronotable_host.games.timemit.effects import read_bid, read_effect


def cases_of(document: Mapping[str, Any]) -> Iterator[Case]:
    """Yield a case for each text of the document's `vocabulary`."""
    for number, entry in enumerate(document.get("vocabulary", ()), 1):
        yield Case(f"vocabulary {number}", partial(_check, entry))


def _check(entry: Mapping[str, Any]) -> None:
    slot, text = entry["slot"], entry["text"]
    try:
        if slot == "bid":
            read_bid(text)
        else:
            read_effect(text, slot)
    except ValueError:
        understood = False
    else:
        understood = True
    if understood != entry["valid"]:
        raise DifferentError(None, f"{slot} {text!r}: {entry['valid']}", str(understood))
