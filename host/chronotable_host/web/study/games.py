"""The archive for the page: the list, a game to step through, its record, pictures of positions.

Each answer asks the index for no more than it shows, and then reads the game's file. What needs a
chapter that is locked here is refused, and no answer names anything of such a chapter.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronotable_host import chapters
from chronotable_host.archive.comments import (
    count_understood,
    hint_in,
    how_understood,
    said_by_people,
    seconds_of,
)
from chronotable_host.archive.files import GameFile
from chronotable_host.archive.nights import GameRecord
from chronotable_host.archive.nights import format_record as format_night
from chronotable_host.archive.parsing import ParsedRecord
from chronotable_host.archive.shared import SharedArchive
from chronotable_host.archive.store import Archive, GameFilter
from chronotable_host.engine.analysis import scores, white_chance
from chronotable_host.errors import UserError, one_line, printable, printable_json, without_folders
from chronotable_host.hardware import boards
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.hardware.drawings.table import board_svg
from chronotable_host.language import names, tr
from chronotable_host.live.players.hinter import why_focus, why_wrong
from chronotable_host.live.players.seats import CANDIDATES
from chronotable_host.live.texts.happening_texts import ending
from chronotable_host.packages import nights
from chronotable_host.rules.annotations import ANNOTATOR, ERRORS, Annotation, read_annotations
from chronotable_host.rules.line import ways
from chronotable_host.rules.notation import (
    ERAS,
    PLAYERS,
    format_options,
    format_position,
    format_turn,
    parse_modules,
)
from chronotable_host.rules.object_texts import supplies
from chronotable_host.rules.record import RESULTS, Record, format_record
from chronotable_host.rules.turn_story import plan_of, story_of
from chronotable_host.statistics import LOCKED, nights_of, opening_of, statistics_of
from chronotable_host.web import looks, sharing
from chronotable_host.web.http.json_text import JsonText, json_text, with_member
from chronotable_host.web.position_json import asked_state, opening_json, position_json
from chronotable_host.web.study.puzzles import Puzzles
from chronotable_host.web.study.thinking import asked_question
from chronotable_host.web.turns_told import where_of
from chronotable_host.web.view import count_copies, marks_of
from ttykm import layout, objects
from ttykm.game import Game

if TYPE_CHECKING:
    from chronotable_host.archive.index import Entry


def vary(folder: Path | None, name: str, number: int, line: str, is_kept: bool) -> None:
    """Keep turns that could have been played from turn `number` of a game on, or forget them.

    `line` has them as texts, parted by semicolons. Raises UserError where the game is not over or
    they are not legal there, or where the game cannot be read or written, and NotationError.
    """
    try:
        _vary(folder, name, number, line, is_kept)
    except OSError as error:
        raise UserError(without_folders(one_line(error) or "")) from error


def _vary(folder: Path | None, name: str, number: int, line: str, is_kept: bool) -> None:
    with Archive(folder) as archive:
        entry = archive.get(name)
        with GameFile.resume(archive.path(entry)) as file:
            record = file.record
            if record.headers["Result"] == "*":
                raise UserError(tr("this game is not over; variations are kept when it is"))
            positions = [format_position(game.state) for game in record.replay()]
            if not 1 <= number < len(positions):
                raise UserError(
                    tr("the game has no turn {number} that this could stand for", number=number)
                )
            question = asked_question(positions[number - 1], format_options(record.options), line)
            file.vary(number, question.turns, is_kept)


def judged_turns(record: Record, states: Sequence[array[int]]) -> Iterator[dict[str, Any] | None]:
    """Yield what is said of each turn of a record, None where that was not analysed.

    `states` are the position at the start and those after every turn. Chances are White's, 0 to 1;
    `mark` is one of `annotations.MARKS`; of ERRORS, `where` says where the turn was made and `why`
    what was wrong with it. Where there was a better one: its `best_value` and `best_chance`, `best`
    as it would have gone on, and of its first turn `best_plan`, what is to be done, `best_where`,
    the era `best_focus` that the focus goes to, `best_why`, `best_path` and `best_died`, as stories
    have them.
    """
    said = read_annotations(record.comments) if ANNOTATOR in record.headers else []
    modules = objects.modules_of(record.start)
    answers = [
        each.best[0] if each.best else turn for each, turn in zip(said, record.turns, strict=False)
    ]
    for at, (state, each) in enumerate(zip(states, said, strict=False)):
        game = Game()
        game.start(state, record.options)
        told = {"value": each.value, "chance": white_chance(each.value, modules), "mark": each.mark}
        if each.mark in ERRORS:
            turn, answer = record.turns[at], next(iter(answers[at + 1 :]), None)
            told["where"] = where_of(story_of(state, turn, record.options).path, turn)
            told["why"] = why_wrong(game, turn, answer)
        yield {**told, **_better(game, each, modules)}
    for _ in record.turns[len(said) :]:
        yield None


def _better(game: Game, said: Annotation, modules: int) -> dict[str, Any]:
    """Return what is told of the better turn, nothing where there is none that is legal."""
    # somebody may have written it into a record
    if not said.best or not game.after(said.best[0], array("H", game.state)):
        return {}
    turn = said.best[0]
    story = story_of(game.state, turn, game.options)
    marks = {f"best_{name}": places for name, places in marks_of(story).items()}
    return {
        "best_value": said.best_value,
        "best_chance": white_chance(said.best_value, modules),
        "best": [format_turn(each) for each in said.best],
        "best_plan": plan_of(game.state, turn, game.options),
        "best_where": where_of(story.path, turn, True),
        "best_focus": ERAS[story.focus],
        "best_why": why_focus(game, turn),
        **marks,
    }


MOST = 500
"""Games in one answer."""
MISTAKES = "mistakes"
"""The order of a list in which the game with the most mistakes comes first."""
BOARD = "reference"
"""The board that pictures of positions are drawn on."""

_PLAYED = 1  # turn, so that a game was played
_TOLD_PROBLEMS = 20
_WINNERS = dict(zip(RESULTS, (*PLAYERS, "draw"), strict=False))


class NoSuchGame(UserError):  # noqa: N818 - a name for what it is, as the server knows it
    """The archive has no game of that id, or none that can be read."""


class Games:
    """The games of a folder, or of the user's own, in the index at `url` or in the folder's own.

    The index stays open until `close`.
    """

    def __init__(self, archive_folder: Path | None, url: str | None = None) -> None:
        self._shared = SharedArchive(archive_folder, url)
        self._puzzles = Puzzles(archive_folder)

    def open(self) -> None:
        """Open the index now; what is wrong with it is told to whoever asks."""
        with contextlib.suppress(UserError):
            self._shared.ask(lambda _archive: None)

    def close(self) -> None:
        """Let go of the index."""
        self._shared.close()

    def refresh(self, files: Sequence[str] | None = None) -> int:
        """Bring the index up to date, as `Archive.refresh` does; raises UserError."""
        return self._shared.ask(lambda archive: archive.refresh(files))

    def list(
        self, player: str, result: str, limit: int, offset: int, order: str = ""
    ) -> dict[str, Any]:
        """Return `games` in which a turn was played, the newest first, and `total`, their number.

        `player` is a part of a name, as records or as the page have it, `result` one of a record's;
        "" for any. With the `order` MISTAKES they are those that were analysed, the one with the
        most mistakes first. At most MOST are returned. Those of a night are among them, each as
        `packages.Nights` has it.
        `unreadable` says which files are no games, and why, for the first of them; a game of a
        locked chapter has no `modules`. Raises UserError.
        """
        if result and result not in RESULTS:
            raise UserError(tr("a result is one of {results}", results=" ".join(RESULTS)))
        if order not in ("", MISTAKES):
            raise UserError(tr("games are ordered by {order}, or by nothing", order=MISTAKES))
        first = max(0, offset)
        most = min(max(1, limit), MOST)
        by_errors = order == MISTAKES
        named = player.strip().casefold()
        seats = tuple(each.seat for each in CANDIDATES if named in str(each.name).casefold())
        wanted = GameFilter(named or None, result or None, _PLAYED, by_errors, True, seats)
        found = self._shared.current(lambda archive: archive.games(wanted, most, first))
        total, bad, problems = self._shared.ask(
            lambda archive: (
                archive.count(wanted),
                archive.count_problems(),
                archive.problems(_TOLD_PROBLEMS),
            )
        )
        return {
            "games": [_list_entry(entry) for entry in found],
            "total": total,
            "unreadable": {
                "total": bad,
                "files": [
                    {"file": printable(entry.file), "why": _discreet(entry.problem)}
                    for entry in problems
                ],
            },
        }

    def game(self, id: str) -> JsonText:  # noqa: A002 - what the page calls it
        """Return a game with its turns, positions and variations, as JSON.

        `positions` has one more than `turns`: the start comes first. The last `own` turns of a
        variation are its own. `seconds` of a turn are those since the turn before, None where they
        are not known, and `said` is what an analysis says of it, as `judgements.judged_turns` tells
        it. `looks` are what may lie there, as in `looks.pieces`.
        Raises NoSuchGame and LockedError.
        """
        entry, reading = self._read(id)
        states = reading.states
        begun = count_copies(states[0])
        return with_member(
            json_text({"id": entry.id, "file": printable(entry.file), **_game(reading)}),
            "positions",
            f"[{','.join([position_json(state, begun) for state in states])}]",
        )

    def stories(self, id: str) -> dict[str, Any]:  # noqa: A002
        """Return what happened in each of the `turns` of a game; raises as `game` does.

        In words, `says`, and as marks on places 0..47: `path` of the copy that acted, and who
        `died` where. `focus` is the era that the focus went to.
        """
        entry, reading = self._read(id)
        record = reading.record
        stories = [
            story_of(state, turn, record.options)
            for state, turn in zip(reading.states, record.turns, strict=False)  # the end is no turn
        ]
        return {
            "id": entry.id,
            "turns": [
                {"says": story.says, "focus": ERAS[story.focus], **marks_of(story)}
                for story in stories
            ],
        }

    def night(self, id: str, seat: int) -> dict[str, Any]:  # noqa: A002
        """Return a game of a night as a seat saw it, or who has none; see `packages.Nights`.

        Raises NoSuchGame, and UserError.
        """
        entry = self._entry_of(id)
        if not entry.night:
            raise NoSuchGame(tr("There is no game of that id in the archive."))
        return nights().replay(entry, self._night(entry), seat)

    def record(self, id: str) -> tuple[str, str]:  # noqa: A002
        """Return a name for the file of a game, and its canonical text; raises as `game` does."""
        entry = self._entry_of(id)
        if entry.night:
            text = format_night(self._night(entry))
        else:
            text = format_record(self._reading(entry).record)
        return Path(printable(entry.file)).name, text

    def share(self, id: str, kind: str, turn: int) -> str:  # noqa: A002
        """Return a game to share, of a kind of `sharing.KINDS`, after a turn; raises as `game`."""
        return sharing.text_of(self._read(id)[1], kind, turn)

    def statistics(self, player: str, modules: str, after: str) -> dict[str, Any]:
        """Return tables of all games, or of a player's where `player` is not "".

        See `statistics.Statistics`. `opening` is how games of the modules went on `after` some
        turns, as records write them: the `position` there, how it was reached (`says`, `path`,
        `died`) and the `next` turns, each with its results for White. Raises UserError,
        NotationError and LockedError.
        """
        bits = parse_modules(modules)
        facts = self._shared.ask(lambda archive: archive.facts(player.strip() or None))
        found = statistics_of(facts, player.strip() or None).as_dict()
        entries = self._shared.ask(lambda archive: archive.nights(player.strip() or None))
        found["nights"] = [
            {**row, "called": nights().title_of(row["name"])}
            for row in nights_of(entries, player.strip() or None)
        ]
        for row in found["modules"]:
            row["called"] = names.modules(row["name"]) if row["name"] != LOCKED else None
        return {**found, "opening": opening_json(opening_of(facts, bits, after))}

    def puzzles(self, player: str) -> dict[str, Any]:
        """Return the list of puzzles; raises as `Puzzles.list` does."""
        return self._puzzles.list(player)

    def puzzle(self, number: int, turns: str, asked: str) -> JsonText:
        """Return a puzzle after some turns; raises as `Puzzles.puzzle` does."""
        return self._puzzles.puzzle(number, turns, asked)

    def position(self, text: str) -> JsonText:
        """Return what a position text says, and how it is drawn, as JSON.

        `captured` is None: a position does not tell how many there were. Raises NotationError,
        UserError where it is too long, and LockedError.
        """
        state = asked_state(text)
        shown = json_text(looks.pieces(chapters.shown()))
        return with_member(position_json(state, None), "looks", shown)

    def picture(self, position: str) -> str:
        """Return a position as SVG, a whole document; raises as `position` does."""
        state = asked_state(position)
        return board_svg(boards.read_data(BOARD), looks_of(state), _caption(state))

    def _read(self, id: str) -> tuple[Entry, ParsedRecord]:  # noqa: A002
        """Return a game of the table; raises NoSuchGame and LockedError."""
        entry = self._entry_of(id)
        if entry.night:
            raise NoSuchGame(tr("This is a game of a night; the list of games leads to it."))
        return entry, self._reading(entry)

    def _entry_of(self, id: str) -> Entry:  # noqa: A002
        """Return what the index has of a game; raises NoSuchGame."""
        entry = self._shared.find(lambda archive: _readable(archive, id))
        if entry is None:
            raise self._shared.ask(lambda archive: _why_not(archive, id))
        return entry

    def _reading(self, entry: Entry) -> ParsedRecord:
        with _explained(entry):
            reading = self._shared.archive.read(entry)
        record = reading.record
        chapters.require(objects.modules_of(record.start), record.options)
        return reading

    def _night(self, entry: Entry) -> GameRecord:
        with _explained(entry):
            return self._shared.archive.read_night(entry)


@contextlib.contextmanager
def _explained(entry: Entry) -> Iterator[None]:
    """Raise NoSuchGame for a file that has changed since it was listed, and cannot be read."""
    try:
        yield
    except (UserError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        name = Path(entry.file).name
        why = without_folders(why or "").removeprefix(f"{name}: ")
        raise _unreadable(entry, why) from error


def _find_games(archive: Archive, wanted: str) -> list[Entry]:
    """Return what has an id, short or long, the newest first."""
    return [it for it in archive.find(wanted) if wanted in (it.id, Path(it.file).stem)]


def _readable(archive: Archive, wanted: str) -> Entry | None:
    return next((entry for entry in _find_games(archive, wanted) if not entry.problem), None)


def _why_not(archive: Archive, wanted: str) -> NoSuchGame:
    """Return why no game of an id can be read."""
    for entry in _find_games(archive, wanted):
        return _unreadable(entry, entry.problem)
    return NoSuchGame(tr("There is no game of that id in the archive."))


def _unreadable(entry: Entry, why: str) -> NoSuchGame:
    file, reason = printable(entry.file), _discreet(why)
    return NoSuchGame(tr("The file {file} cannot be read: {reason}", file=file, reason=reason))


def _discreet(problem: str) -> str:
    """Return why a file cannot be read; nobody here has typed what it holds."""
    return chapters.discreet(printable(problem))


def _list_entry(entry: Entry) -> dict[str, Any]:
    """Return what the list tells of a game; of a locked one nothing that tells its rules."""
    if entry.night:
        return nights().list_entry(entry)
    modules = chapters.told_modules(entry.modules, entry.start, entry.options)
    return {
        "id": entry.id,
        "file": entry.file,
        "date": entry.date,
        "white": entry.white,
        "black": entry.black,
        "result": entry.result,
        "says": _says(entry.result, entry.termination, names.both(entry.white, entry.black)),
        "turns": entry.turns,
        "copies": entry.copies,
        "modules": modules,
        "called": modules and names.modules(modules),
        "imported": entry.imported,
        "analysed": entry.analysed,
        "errors": [entry.white_errors, entry.black_errors],
    }


def _says(result: str, termination: str, called: tuple[str, str]) -> str:
    """Return in a sentence how a game ended."""
    winner = _WINNERS.get(result)
    return tr("In progress.") if winner is None else ending(winner, termination, called)


def _game(reading: ParsedRecord) -> dict[str, Any]:
    record = reading.record
    headers = printable_json(record.headers)
    return {
        "note": reading.note,
        "headers": headers,
        "starting_comment": printable(record.starting_comment),
        "turns": list(_turns(reading)),
        "variations": [
            {
                "no": way.number,
                "turns": [format_turn(turn) for turn in way.turns],
                "own": way.own,
                "starting_comment": printable(way.starting_comment),
            }
            for way in ways(record)
        ],
        "looks": looks.pieces(chapters.shown()),
        "scores": scores(record),
        "understood": count_understood(record),
        "result": headers["Result"],
        "says": _says(
            headers["Result"],
            headers["Termination"],
            names.both(headers["White"], headers["Black"]),
        ),
    }


def _turns(reading: ParsedRecord) -> Iterator[dict[str, Any]]:
    record = reading.record
    before: float | None = None
    first = layout.mover(record.start)
    judged = judged_turns(record, reading.states)
    turns = zip(record.turns, record.comments, judged, strict=True)
    for at, (turn, comment, said) in enumerate(turns):
        now = seconds_of(comment)
        passed = None if before is None or now is None else round(now - before, 2)
        yield {
            "no": at + 1,
            "player": PLAYERS[(first + at) % 2],
            "turn": format_turn(turn),
            "understood": how_understood(comment),
            "seconds": None if passed is None or passed < 0 else passed,  # a table starts anew
            "comment": printable(said_by_people(comment)),
            "said": said,
            "hint": hint_in(comment),
        }
        before = now


def _caption(state: array[int]) -> str:
    """Return in one line what the boards do not show."""
    supply = ", ".join(
        f"{name} {layout.supply(state, at)}" for at, name in enumerate(names.PLAYERS)
    )
    told = [
        tr("{player} to move", player=names.PLAYERS[layout.mover(state)]),
        tr("supply: {supply}", supply=supply),
    ]
    return " · ".join(told + supplies(state).split("   ")).removesuffix(" · ")
