"""Positions that are thought about for the page: what is found, and that nobody has too much."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio
import pytest

from chronotable_host.chapters import LockedError
from chronotable_host.engine.analysis import Analyst, steady
from chronotable_host.engine.evaluation import chance_of
from chronotable_host.engine.levels import LEVELS, rules_of
from chronotable_host.engine.search import SOON, Limits, Search
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import NotationError, format_position, format_turn, parse_turn
from chronotable_host.web.study import thinking
from chronotable_host.web.study.thinking import PROCESSES, Thinking, asked_question, thoughts
from tests import lanes
from tests.host.archives import random_record
from tests.page.served import WAIT_S, Served, served
from ttykm.game import Game
from ttykm.layout import WHITE

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
SEED = 11
NODES = 600


def never() -> bool:
    return False


@pytest.mark.parametrize("count", [0, 3, 8, 15])
def test_what_is_found_is_what_the_search_finds_told_as_white_sees_it(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "LEVELS", [LEVELS[-1]._replace(nodes=NODES)])
    record = random_record(SEED)
    game, played = Game(), []
    rules = rules_of(record.start, record.options)
    game.start(record.start, record.options)
    for turn in record.turns[:count]:
        played.append(rules.node(game.state))
        game.apply(turn)
    turns = ";".join(map(format_turn, record.turns[:count]))
    question = asked_question(format_position(record.start), "", turns)
    found = [*thoughts(question, never)]
    own = [*Search(rules).think(rules.node(game.state), Limits(NODES), played)]
    assert [(each["depth"], each["nodes"]) for each in found] == [
        (each.depth, each.nodes) for each in own
    ]
    steadied = [steady(*each) for each in zip(own, [None, *own], strict=False)]
    for told, thought in zip(found, steadied, strict=True):
        assert [parse_turn(each["turn"]) for each in told["line"]] == [*thought.line]
        chance = chance_of(thought.score, 0)
        assert told["chance"] == round(chance if game.mover == WHITE else 1 - chance, 4)
        white = thought.score if game.mover == WHITE else -thought.score
        if abs(white) > SOON:
            assert told["value"].startswith("#" if white > 0 else "#-")
        else:
            assert told["value"] == f"{white / 100:+.2f}"
    analyst = Analyst(record.start, record.options, LEVELS[-1])
    assert [*analyst.judge(record.turns[:count], count)] == []
    whole = [told for told in found if told["nodes"] < NODES] or found
    told = found[-1] if found[-1]["value"].startswith("#") else whole[-1]
    chance = chance_of(analyst.thought(NODES).score, 0)
    assert told["chance"] == round(chance if game.mover == WHITE else 1 - chance, 4), "a review"


def test_it_ends_when_nobody_wants_more_and_where_the_game_is_over() -> None:
    looks = iter([False, True])
    found = [*thoughts(asked_question(START), lambda: next(looks, True))]
    assert 0 < found[-1]["nodes"] <= 256
    record = random_record(SEED)
    *_, game = record.replay()
    assert [*thoughts(asked_question(format_position(game.state)), never)] == []


@pytest.mark.parametrize(
    ("position", "options", "turns", "error"),
    [
        ("", "", "", NotationError),
        ("x" * 2000, "", "", UserError),
        (START, "wrong=1", "", NotationError),
        (START, "", "1", NotationError),
        (START, "", "2 E E >past", UserError),
        (f"{START} growth seeds=5", "", "", LockedError),
        (START, "build_blocked=x", "", LockedError),
    ],
)
def test_what_cannot_be_thought_about_is_refused(
    position: str, options: str, turns: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        asked_question(position, options, turns)


# ---- through the server


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as page:
        yield page


@contextmanager
def asked(page: Served, **fields: str) -> Iterator[http.client.HTTPResponse]:
    """Ask, and have the answer as soon as it begins, until one goes away."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=3 * WAIT_S)
    with closing(connection):
        connection.request("GET", f"/api/think?{urlencode(fields)}", headers={"Host": page.own})
        with closing(connection.getresponse()) as answer:
            yield answer


@lanes.gate
def test_a_browser_hears_of_each_depth_as_it_is_found(page: Served) -> None:
    record = random_record(SEED)
    states = [format_position(game.state) for game in record.replay()]
    turns = ";".join(map(format_turn, record.turns[-9:-1]))
    with asked(page, position=states[-10], turns=turns) as answer:
        assert answer.getheader("content-type") == "application/x-ndjson"
        found = [json.loads(line) for line in answer]
    depths = [each["depth"] for each in found]
    assert depths == [*range(1, len(depths) + 1)]
    assert found[-1]["value"].startswith("#")


def test_who_goes_away_makes_room_for_others(page: Served) -> None:
    """Many more than there are processes; each looks on until the first depth, and leaves."""
    for _ in range(3 * PROCESSES):
        with asked(page, position=START) as answer:
            assert json.loads(answer.readline())["depth"] == 1


def test_a_refusal_is_one_sentence(page: Served) -> None:
    for fields, why in (
        ({}, "'position' is missing"),
        ({"position": START, "turns": "2 E E >past"}, "2 E E >past cannot be played there"),
    ):
        with asked(page, **fields) as answer:
            assert (answer.status, json.load(answer)["why"]) == (400, why)


@lanes.gate
def test_some_wait_and_too_many_are_refused(page: Served) -> None:
    with ExitStack() as all_of_them:
        for _ in range(PROCESSES):
            answer = all_of_them.enter_context(asked(page, position=START))
            assert json.loads(answer.readline())["depth"] == 1
        statuses: list[int] = []
        while 400 not in statuses and len(statuses) < 20:
            waiting = all_of_them.enter_context(asked(page, position=START))
            statuses.append(waiting.status)
        assert statuses[:8] == [200] * 8
        assert statuses[-1] == 400  # one more may have come in before the eighth began to wait
        nonsense = all_of_them.enter_context(asked(page, position="nonsense"))
        assert "looked at just now" in json.load(nonsense)["why"], "it is not read"


@lanes.gate
def test_a_process_that_was_killed_is_replaced() -> None:
    async def first(mind: Thinking) -> Any:
        stream = mind.lines(asked_question(START))
        try:
            return json.loads(await anext(stream))["depth"]
        finally:
            await stream.aclose()  # type: ignore[attr-defined]

    async def run() -> list[Any]:
        with closing(Thinking()) as mind:
            found = [await first(mind)]
            for process in mind._all:
                process._process.kill()
                process._process.join()
            return [*found, await first(mind)]

    assert anyio.run(run) == [1, 1]
