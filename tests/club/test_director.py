"""The director's page without a network: what it is asked for is done in its order."""

from __future__ import annotations

import json
from threading import Barrier, BrokenBarrierError, Event

from chronotable_club.director import Director

TOGETHER_S, LONG_S = 0.2, 10.0


def test_one_command_is_done_after_the_other() -> None:
    """Who pairs a round and starts it in one breath starts the one that was paired."""
    director = Director("Café Zeitsprung")
    both = Barrier(2)
    met = []

    def meets(_values: object) -> None:
        try:
            both.wait(TOGETHER_S)  # for another command that is under way
            met.append(True)
        except BrokenBarrierError:
            met.append(False)

    director.add_command("meet", {}, meets)
    woken = Event()
    viewer = director.join("here", woken.set)
    for number in (1, 2):
        director.receive(viewer, json.dumps({"id": number, "do": "meet"}))
    answers = 0
    while answers < 2:
        assert woken.wait(LONG_S)
        woken.clear()
        answers += sum('"answer"' in text for text in director.outgoing(viewer))
    assert met == [False, False]
