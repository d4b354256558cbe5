"""The course of two logs: what fits counts, the rest is void, and the order of arrival is none.

Each case is told as what the ends say in turns of knowledge: those of one step know nothing of each
other.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

from chronotable_far import course as courses
from chronotable_far import room as rooms_of_ends
from chronotable_far.course import Course
from chronotable_far.entries import ENDS, INVITER, JOINER, LogEntry
from chronotable_far.log import Logs
from chronotable_far.room import FarRoom
from chronotable_far.room_records import record_of
from chronotable_host import chapters
from chronotable_host.errors import UserError
from chronotable_host.rules.notation import parse_position
from chronotable_host.rules.record import format_record, parse_record
from tests import lanes
from tests.far.rooms import INVITATION, Disk, turns_of
from tests.host.leaks import leaks
from ttykm import objects
from ttykm.layout import BLACK, WHITE

pytestmark = pytest.mark.usefixtures("everything_unlocked")

WINNING = "w..............b/w.............../w............... 0 2 4 4 w"
"""White wins with the next turn, whatever it is: black is in one era only."""


class Pair:
    """Both ends, which hear of each other when `meet` is called."""

    def __init__(self, **begin: Any) -> None:
        self.rooms = {
            end: FarRoom(INVITATION.of(end), Disk(INVITATION.of(end)), lambda: "2026-01-02")  # type: ignore[arg-type]
            for end in ENDS
        }
        self.said: dict[str, list[Any]] = {end: [] for end in ENDS}
        self.say(INVITER, "begin", **{"name": "Ann", "chat": True, **begin})
        self.meet()
        self.say(JOINER, "join", name="Bob", chat=True)
        self.meet()

    def say(self, end: str, kind: str, **fields: Any) -> None:
        room = self.rooms[end]
        if kind == "turn":
            turns = turns_of(room.course.state.tobytes(), room.course.options)
            fields = {"turn": turns[fields.get("choice", 0)], "at_ms": 1000, **fields}
            fields.pop("choice", None)
        room.append(kind, **fields)
        self.said[end] += [message for message in room.outgoing() if message.retain]

    def meet(self) -> Course:
        for end, room in self.rooms.items():
            for other in ENDS:
                if other != end:
                    for message in self.said[other]:
                        room.receive(message.topic, message.payload)
        for said in self.said.values():
            said.clear()
        one, two = (room.course for room in self.rooms.values())
        assert one == two
        return one

    def play(self, turns: int) -> None:
        for _ in range(turns):
            self.say(self.rooms[INVITER].course.mover, "turn")
            self.meet()

    @property
    def chains(self) -> dict[str, list[LogEntry]]:
        return self.rooms[INVITER]._logs.chains


def entries_of(pair: Pair) -> list[LogEntry]:
    return [*pair.chains[INVITER], *pair.chains[JOINER]]


SAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "turn": ("turn", {}),
    "take_back": ("take_back", {"to": 1}),
    "take_back_2": ("take_back", {"to": 0}),
    "draw": ("draw", {}),
    "yes": ("yes", {}),
    "no": ("no", {}),
    "resign": ("resign", {}),
    "say": ("say", {"text": "hello"}),
    "again": ("again", {}),
}

BEFORE = {
    "two turns": [],
    "an offer": [(INVITER, "draw")],
    "an offer of the joiner": [(JOINER, "draw")],
    "an undo": [(INVITER, "take_back")],
    "an undo of the joiner": [(JOINER, "take_back_2")],
    "over": [(JOINER, "resign")],
    "over and again": [(JOINER, "resign"), (JOINER, "again")],
}


@lanes.gate
@pytest.mark.parametrize("before", BEFORE)
def test_in_whatever_order_they_arrive(before: str) -> None:
    """One or two entries of each end that know nothing of the other's: each pair of kinds."""
    for one, two in itertools.product(SAYS, repeat=2):
        pair = Pair()
        pair.play(2)
        for end, what in BEFORE[before]:
            kind, fields = SAYS[what]
            pair.say(end, kind, **fields)
            pair.meet()
        taken = 0
        for end, what in ((INVITER, one), (JOINER, two), (INVITER, "say"), (JOINER, two)):
            kind, fields = SAYS[what]
            try:
                pair.say(end, kind, **fields)
                taken += 1
            except UserError:
                pass
        course = pair.meet()
        assert not course.problem
        assert course == courses.fold(pair.chains)
        _check_any_order(pair, course, Random(f"{one} {two}"))


def _check_any_order(pair: Pair, course: Course, random: Random) -> None:
    """Check that entries taken up in any order give the same course."""
    entries = entries_of(pair)
    for _ in range(3):
        random.shuffle(entries)
        logs, fold = Logs(), courses.Fold()
        for entry in entries:
            assert logs.offer(entry)
            while logs.ready():
                logs.take_up()
                if random.random() < 0.5:
                    fold.follow(logs.chains)
        fold.follow(logs.chains)
        assert fold.course == course


def said_at_once(one: str, two: str, *before: tuple[str, str]) -> Course:
    """Return the course after the inviter has said one thing and the joiner another."""
    pair = Pair()
    pair.play(2)  # the inviter, who is white, is due
    for end, what in before:
        pair.say(end, SAYS[what][0], **SAYS[what][1])
        pair.meet()
    for end, what in ((INVITER, one), (JOINER, two)):
        pair.say(end, SAYS[what][0], **SAYS[what][1])
    return pair.meet()


def test_an_undo_that_the_game_has_passed_by_is_void() -> None:
    course = said_at_once("turn", "take_back")
    assert (len(course.line), course.question, course.void) == (3, None, 1)


def test_a_draw_is_agreed_by_both_offering_it_or_by_a_yes() -> None:
    assert said_at_once("draw", "draw").result == ("1/2-1/2", "agreed")
    assert said_at_once("say", "yes", (INVITER, "draw")).result == ("1/2-1/2", "agreed")
    course = said_at_once("turn", "yes", (INVITER, "draw"))
    assert (course.result, len(course.line)) == (("1/2-1/2", "agreed"), 2)


def test_an_offer_falls_with_the_next_turn_of_its_maker() -> None:
    pair = Pair()
    pair.play(2)
    pair.say(JOINER, "draw")
    pair.meet()
    pair.say(INVITER, "turn")
    course = pair.meet()
    assert course.question is not None and course.question.by == JOINER
    pair.say(JOINER, "turn")
    assert pair.meet().question is None
    with pytest.raises(UserError, match="nothing to answer"):
        pair.say(INVITER, "yes")


def test_an_undo_is_answered_by_the_other_end() -> None:
    pair = Pair()
    pair.play(2)
    pair.say(INVITER, "take_back", to=0)
    with pytest.raises(UserError, match="nothing to answer"):
        pair.say(INVITER, "yes")
    pair.meet()
    pair.say(JOINER, "yes")
    course = pair.meet()
    assert (course.line, len(course.part.history), course.mover) == ((), 4, INVITER)
    pair.play(1)
    pair.say(JOINER, "take_back", to=0)
    pair.meet()
    pair.say(INVITER, "no")
    course = pair.meet()
    assert (len(course.line), course.question) == (1, None)


def test_an_own_question_is_withdrawn() -> None:
    pair = Pair()
    pair.play(2)
    pair.say(INVITER, "take_back", to=0)
    pair.say(INVITER, "no")
    assert pair.meet().question is None


def test_a_resignation_counts_unless_the_game_is_over() -> None:
    for one in ("turn", "take_back", "draw", "say"):
        assert said_at_once(one, "resign").result == ("1-0", "resigned")
    assert said_at_once("resign", "resign").result == ("0-1", "resigned")
    assert said_at_once("resign", "yes", (INVITER, "draw")).result == ("1/2-1/2", "agreed")
    assert len(said_at_once("turn", "resign").line) == 3


def test_a_turn_that_wins_stands_in_front_of_a_resignation() -> None:
    pair = Pair(start=parse_position(WINNING))
    pair.say(INVITER, "turn")
    pair.say(JOINER, "resign")
    course = pair.meet()
    assert (course.result, course.void) == (("1-0", "normal"), 1)
    pair.say(INVITER, "take_back", to=0)
    pair.meet()
    pair.say(JOINER, "yes")
    assert pair.meet().result is None


def test_another_game_is_played_with_colours_exchanged() -> None:
    pair = Pair(colour=BLACK)
    assert pair.rooms[INVITER].course.sides == {INVITER: BLACK, JOINER: WHITE}
    with pytest.raises(UserError, match="not over yet"):
        pair.say(INVITER, "again")
    pair.play(2)
    pair.say(INVITER, "resign")
    pair.meet()
    pair.say(INVITER, "again")
    pair.say(JOINER, "again", date="2026-02-03")
    course = pair.meet()
    assert (course.games, course.line, course.result) == (1, (), None)
    assert course.sides == {INVITER: WHITE, JOINER: BLACK}
    pair.play(1)
    first, second = record_of(pair.meet(), 1), record_of(pair.meet())
    assert (first.headers["White"], second.headers["White"]) == ("Bob", "Ann")
    assert (len(first.turns), len(second.turns)) == (2, 1)
    assert first.headers["Result"] == "1-0"
    assert first.headers["Source"][:-1] == second.headers["Source"][:-1]
    assert second.headers["Date"] in ("2026-01-02", "2026-02-03")


def test_who_is_not_due_and_what_is_not_legal() -> None:
    pair = Pair()
    with pytest.raises(UserError, match="not this side's turn"):
        pair.say(JOINER, "turn")
    with pytest.raises(UserError, match="cannot be played"):
        pair.say(INVITER, "turn", turn=(2 << 16) | (9 << 12) | 65)
    with pytest.raises(UserError, match="cannot be played"):
        pair.say(INVITER, "turn", digest=7)
    with pytest.raises(UserError, match="gone on meanwhile"):
        pair.say(INVITER, "turn", number=2)
    with pytest.raises(UserError, match="gone on meanwhile"):
        pair.say(INVITER, "take_back", to=0)
    assert pair.meet().void == 0 and not pair.meet().line


def test_a_chat_is_one_that_both_want() -> None:
    pair = Pair(chat=False)
    with pytest.raises(UserError, match="only where both want one"):
        pair.say(INVITER, "say", text="hello")


def test_other_rules_end_the_room_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair()
    pair.play(1)
    logs = pair.chains
    turn = logs[INVITER][1]
    for fields in ({"digest": 7}, {"text": "9 N N >past"}, {"text": "nonsense"}):
        other = turn._replace(fields={**turn.fields, **fields})
        course = courses.fold({INVITER: [logs[INVITER][0], other], JOINER: logs[JOINER]})
        assert "do not have the same rules" in course.problem
        assert not course.line
    join = logs[JOINER][0]
    other = join._replace(fields={**join.fields, "rules": 2})
    course = courses.fold({INVITER: logs[INVITER][:1], JOINER: [other]})
    assert "different rules" in course.problem


def test_a_locked_room_is_not_joined(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(start=objects.new_state(7))
    monkeypatch.setenv("CHRONOTABLE_HOME", str(tmp_path / "locked"))
    disk = Disk(INVITATION.of(JOINER))
    room = FarRoom(INVITATION.of(JOINER), disk)  # type: ignore[arg-type]
    inviter = pair.rooms[INVITER]
    for entry in inviter._logs.chains[INVITER]:
        inviter._publish(entry)
    for message in inviter.outgoing():
        room.receive(message.topic, message.payload)
    assert room.stopped == chapters.LOCKED
    with pytest.raises(UserError, match="not unlocked here"):
        room.append("join", name="Bob")
    assert [entry.kind for entry in disk.entries] == ["begin"]
    with pytest.raises(UserError, match="not unlocked here"):
        FarRoom(INVITATION, Disk(INVITATION)).append("begin", start=objects.new_state(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("modules", range(8))
def test_records_say_all_of_a_game(modules: int) -> None:
    pair = Pair(start=objects.new_state(modules), clock="300+3")
    pair.play(1)
    pair.say(INVITER, "take_back", to=0)
    pair.meet()
    pair.say(JOINER, "yes")
    pair.meet()
    pair.say(INVITER, "turn", at_ms=12_340, left_s=3_725, how="asked", choice=1)
    pair.meet()
    pair.play(3)
    pair.say(JOINER, "resign")
    texts = {format_record(record_of(room.course)) for room in pair.rooms.values()}
    pair.meet()
    texts = {format_record(record_of(room.course)) for room in pair.rooms.values()}
    (text,) = texts
    record = parse_record(text)
    assert format_record(record) == text
    assert record.headers["TimeControl"] == "300+3"
    assert record.headers["Termination"] == "resigned"
    assert record.comments[0].startswith("took back ")
    assert record.comments[0].endswith("; 12.34 s, asked; [%clk 1:02:05]")


def test_a_draw_of_modules_is_said_where_it_is_true() -> None:
    seed = next(seed for seed in range(99) if objects.convergence(seed) == 5)
    for draw, is_said in ((f"convergence {seed}", True), ("convergence x", False), ("", False)):
        pair = Pair(start=objects.new_state(5), draw=draw)
        record = record_of(pair.meet())
        assert ("Draw" in record.headers) == is_said
        parse_record(format_record(record))


def test_no_sentence_names_what_is_in_a_chapter() -> None:
    sentences = [*courses.VOID.values(), *courses._PROBLEMS.values()]
    sentences += [
        getattr(rooms_of_ends, name) for name in ("_TORN", "_FULL", "_BEHIND", "_ILLEGAL")
    ]
    assert [said for said in sentences if leaks(said)] == []
