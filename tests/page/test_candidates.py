"""Who can be chosen to play: one list, with a face and words for everybody."""

from __future__ import annotations

import json

from chronotable_host.engine.candidates import CANDIDATES
from chronotable_host.engine.seats import LEVEL_NAMES
from chronotable_host.web.requests import parse_request
from chronotable_host.web.service import COMMANDS
from tests.host.test_secrets import leaks


def test_everybody_who_can_be_chosen_can_be_seated() -> None:
    for each in CANDIDATES:
        message = {"id": 1, "do": "sit", "side": "black", "who": each.seat}
        assert parse_request(json.dumps(message), COMMANDS).values["who"] == each.seat


def test_every_level_has_a_face_and_words_of_its_own() -> None:
    levels = [each for each in CANDIDATES if each.seat in LEVEL_NAMES]
    assert [each.seat for each in levels] == list(LEVEL_NAMES)
    assert [each.face for each in levels] == [str(number) for number in range(1, 9)]
    assert len({each.name for each in levels}) == len({each.words for each in levels}) == 8
    assert (levels[0].name, levels[0].words) == ("easy", "for a first game")


def test_no_word_of_them_tells_of_a_chapter() -> None:
    told = [each._asdict() for each in CANDIDATES]
    assert leaks(json.dumps(told)) == []
