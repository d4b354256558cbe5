"""A page and who looks at it, without a server."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from chronotable_host.web.http.viewers import Viewer
from chronotable_host.web.page import ConnectionState, Page
from tests.page.evening import BOARD, Evening

ONLINE = ConnectionState("online", "a virtual table")
NEW: dict[str, Any] = {
    "white": "Ann",
    "black": "Bo",
    "handicap": [0, 2],
    "modules": "standard",
    "first": "black",
    "seats": ["", ""],
    "times": "",
}


class Looker:
    """A page and a viewer of it, without a server."""

    def __init__(self, evening: Evening, folder: Path | None = None, real: bool = False) -> None:
        self.evening = evening
        if real:  # no hand here does what is asked for
            evening.seat()
            evening.keep_time()
            evening.set_up = evening.session.set_up
            evening.undo = partial(evening.session.command, "undo")
        self.seats = evening.seats
        place = (lambda: BOARD), (lambda: ONLINE), (lambda: ("all is well",))
        evening.page = self.page = Page(evening, folder, None if real else evening.hand, *place)
        self.viewer: Viewer = self.page.hub.join("here", lambda: None)
        self._number = 0
        self.view: dict[str, Any] = {}

    def hear(self) -> list[dict[str, Any]]:
        """Return what the viewer is sent, and keep the latest view."""
        told = [json.loads(text) for text in self.page.hub.outgoing(self.viewer)]
        for message in told:
            if message["type"] == "view":
                self.view = message
        return told

    def ask(self, do: str, **values: Any) -> str:
        """Ask for something; return why it is refused, "" where it is done."""
        self._number += 1
        request = {"id": self._number, **asked(do, self.view, values)}
        self.page.hub.receive(self.viewer, json.dumps(request))
        self.evening.wait(60)
        (reply,) = (told for told in self.hear() if told["type"] == "reply")
        assert reply["id"] == self._number
        assert reply["ok"] == ("why" not in reply)
        return str(reply.get("why", ""))

    def look(self) -> dict[str, Any]:
        """Return the view of a moment later."""
        self.evening.wait(60)
        self.hear()
        return self.view


def chosen(view: dict[str, Any]) -> str:
    """Return what was chosen so far, as a view shows it."""
    return str((view.get("builder") or {}).get("text", ""))


_ANSWERED = {"agree": "asks", "decline": "asks", "withdraw": "asked"}


def asked(do: str, view: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked for by who sees a view: it says what was seen when it was pressed."""
    seen: dict[str, Any] = {}
    if do == "choose":
        seen = {"after": chosen(view)}
    elif do == "answer":
        seen = {"turns": ";".join(each["turn"] for each in view.get("question") or [])}
    elif do in _ANSWERED:
        question = view.get(_ANSWERED[do])
        seen = {"question": question["no"]} if question else {}
    return {"do": do, **seen, **values}


def told(view: dict[str, Any]) -> list[str]:
    """Return what hands are asked to do."""
    return [step["says"] for step in view["todo"]]
