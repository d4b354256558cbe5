"""A hint on the page: what it says takes the quiet line, and the boards show its copy or turn."""

from __future__ import annotations

from typing import Any

from chronotable.lights.meanings import COPY, OFF


def with_hint(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view with the hint that it has, as `Hinter.view` tells it, in the place of others.

    That is in the place of the note under the headline, and of the marks of the last turn; of the
    copies to choose only that of the hint is lit.
    """
    hint = view["hint"]
    if hint is None or not hint["step"]:
        return view
    shown = {**view, "note": hint["says"]}
    builder = view["builder"]
    if builder is not None and builder["due"] == "copy":
        shown["leds"] = [
            OFF if says == COPY and at != hint["copy"] else says
            for at, says in enumerate(view["leds"])
        ]
    if hint["marks"] is not None and not (builder and builder["text"]):
        game = view["game"]
        shown["game"] = {**game, "last": {"player": game["mover"], **hint["marks"]}}
    return shown
