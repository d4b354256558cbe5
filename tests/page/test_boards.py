"""The page shows any board: the same views of the same evening, a picture with every sensor."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from contextlib import closing
from typing import Any

import pytest

from chronotable.hardware.sensors import INPUTS
from chronotable_host.hardware import boards
from chronotable_host.web.page import ConnectionState, Page
from tests.page.evening import EAST_AND_FORWARD, Evening

ONLINE = ConnectionState("online", "a virtual table")


def page_of(evening: Evening, name: str) -> Page:
    place = (lambda: name), (lambda: ONLINE), (lambda: ("all is well",))
    return Page(evening, None, evening.hand, *place)


def views_of(name: str) -> list[dict[str, Any]]:
    """What viewers are sent in an evening with one turn."""
    with closing(Evening(board=name)) as evening:
        page = evening.page = page_of(evening, name)
        viewer = page.hub.join("here", lambda: None)
        evening.do(*EAST_AND_FORWARD)
        evening.wait_until(lambda: evening.heard("turn"))
        views = [json.loads(text) for text in page.hub.outgoing(viewer)]
    for view in views:
        for line in view.get("log", ()):
            del line["t_ms"]  # Hall switches tell the same, a little later
    greeting = views[0]
    assert greeting.pop("board") == name
    greeting.pop("server")  # a random number
    return views


def test_every_board_gives_the_same_views() -> None:
    reference = views_of("reference")
    assert any("1 E F >future" in json.dumps(view) for view in reference)
    for name in boards.names():
        assert views_of(name) == reference, name


@pytest.mark.parametrize("name", boards.names())
def test_the_picture_has_every_sensor_once(name: str) -> None:
    with closing(Evening(board=name)) as evening:
        svg = page_of(evening, name).board_svg()
    sensors = [
        int(element.attrib["data-sensor"])
        for element in ET.fromstring(svg).iter()
        if "data-sensor" in element.attrib
    ]
    assert sorted(sensors) == list(range(INPUTS))
