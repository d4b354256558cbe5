"""The rules on the page: what the server tells of them, and what is a link in a message."""

from __future__ import annotations

import re

from chronotable_host import chapters
from chronotable_host.language import speaking
from chronotable_host.live.texts import table_texts
from chronotable_host.rulebook import book
from chronotable_host.rules import objections, refusals
from chronotable_host.rules.notation import parse_position
from chronotable_host.rules.reason_texts import reason_text
from chronotable_host.web.http.files import STATIC
from chronotable_host.web.position_json import examples_json
from tests.host.leaks import leaks
from tests.page.served import served
from tests.test_citations import cited
from ttykm.game import winner
from ttykm.layout import WHITE

LATER = range(objections.FIRST, objections.FIRST + len(objections.RULES_OF_MODULES))
MESSAGES = [
    *[reason_text(code) for code in (*range(1, len(refusals.RULES)), *LATER)],
    *table_texts.GUIDES.values(),
]


def test_the_server_tells_the_rules_that_are_unlocked() -> None:
    """Every time as it is then: a chapter that is unlocked meanwhile is there the next time."""
    with served(STATIC) as page:
        for count in range(chapters.COUNT + 1):
            chapters.unlock_to(count)
            answer = page.get("/api/rules")
            assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
            parts = answer.told["parts"]
            assert [part["title"] for part in parts] == [part.title for part in book.parts()]
            told = [
                book.Rule(**rule)
                for part in parts
                for section in part["sections"]
                for rule in section["rules"]
            ]
            assert told == list(book.rules().values())
            assert not leaks(str(answer.told["examples"]))
            assert bool(leaks(answer.body.decode())) is (count > 0)


def test_examples_are_of_rules_and_what_happens_there_is_told() -> None:
    """Each turn is legal there, and the last one wins, as its rule says."""
    with served(STATIC) as page:
        examples = page.get("/api/rules").told["examples"]
    assert examples.keys() <= book.rules().keys()
    assert examples["T3"]["last"] is None
    assert "squished White" in examples["T18"]["says"]
    assert "into itself" in examples["T19"]["says"]
    with speaking("de"):  # each viewer has the own language
        assert "Weiß" in examples_json()["T18"]["says"]
    assert winner(parse_position(examples["T29"]["position"]["position"])) == WHITE


def test_the_rules_are_for_those_who_were_let_in() -> None:
    with served(STATIC) as page:
        assert page.get("/api/rules", host="elsewhere.example").status == 403
        assert page.get("/api/rules", Origin="http://elsewhere.example").status == 403
        assert page.get("/api/rules/T12").status == 404


def test_what_messages_cite_is_a_link() -> None:
    """The page's own pattern, tried on every message that names a rule."""
    source = (STATIC / "cited.js").read_text("utf-8")
    group, number = (
        re.search(rf"^const {name} = /(.*)/;$", source, re.MULTILINE)
        for name in ("CITED", "NUMBER")
    )
    assert group and number

    def links(message: str) -> set[str]:
        found = re.findall(group[1], message)
        return {each for part in found for each in re.findall(number[1], part)}

    assert [message for message in MESSAGES if links(message) != cited(message)] == []
    assert sum(1 for message in MESSAGES if links(message)) >= len(LATER) + len(refusals.RULES) - 1
    assert links("B8 (squish), T12, (GP22), (white) or ()") == set()
