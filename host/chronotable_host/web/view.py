"""The view: what the page shows of a table and its game, as a dict that every viewer gets as JSON.

It is made of what the mirror knows and of the happenings since. One rule: each view is complete, so
that a viewer who missed one has lost nothing; only of the log it has just the last lines.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from chronotable.hardware.naming import sensor_name
from chronotable_host.errors import without_folders
from chronotable_host.hardware.drawings.glyphs import looks_of
from chronotable_host.language import (
    LANGUAGE,
    LANGUAGES,
    kept_by_language,
    names,
    speaking,
    spoken,
    tr,
)
from chronotable_host.live.happenings import (
    NEW_POSITION,
    GameOver,
    Guide,
    Happening,
    Joined,
    Started,
    TakenBack,
    Turn,
)
from chronotable_host.live.texts.happening_texts import ending, sentences, why_over
from chronotable_host.rules.notation import (
    ERAS,
    PLAYERS,
    format_modules,
    format_position,
    format_turn,
)
from chronotable_host.rules.object_texts import supplies
from chronotable_host.rules.turn_story import Stories, TurnStory, beats_of, story_of
from chronotable_host.web import headline
from chronotable_host.web.todo import asked_by
from chronotable_host.web.turns_told import so_far, told_apart
from ttykm import layout, objects

if TYPE_CHECKING:
    from chronotable_host.live.mirror import Mirror
    from chronotable_host.live.players.turn_preview import TurnPreview
    from ttykm.game import Game

View = dict[str, Any]

_LINES = 40
_COPIES = layout.SUPPLY + len(ERAS)  # of each player (T2)


class HappeningLog:
    """What the view needs of earlier happenings: the log, the table's guide, how the game ended."""

    def __init__(self) -> None:
        self.guide: Guide | None = None
        self.is_taken_back = False  # the last turn, and its pieces are still to be put back
        self._is_lit = False  # what the guide asks for
        self._over: tuple[GameOver, Game] | None = None
        self.pieces: tuple[int, int] | None = None  # copies of each player at the start, if known
        self._log: deque[dict[str, Any]] = deque(maxlen=_LINES)
        self._number = 0

    def hear(self, happening: Happening, game: Game) -> None:
        """Take a happening that a mirror told; `game` is its game."""
        told = {}  # the game goes on: what it was is said now, in all languages
        for language in {LANGUAGE, *LANGUAGES}:
            with speaking(language):
                told[language] = list(sentences(happening, game))
        for at, (kind, _) in enumerate(told[LANGUAGE]):
            self._number += 1
            texts = {each: without_folders(told[each][at][1].strip()) for each in told}
            line = {"no": self._number, "t_ms": happening.t_ms, "kind": kind, "text": texts}
            self._log.append(line)
        if isinstance(happening, Guide):
            self.guide, self._is_lit = happening, False
        elif isinstance(happening, GameOver):
            self.guide = None
            self._over = happening, game
        elif isinstance(happening, NEW_POSITION):
            self.guide = None
            self.is_taken_back = isinstance(happening, TakenBack)
            if not isinstance(happening, Turn):
                self._over = None
            if isinstance(happening, Started):
                self.pieces = count_copies((game.past or game.state)[: len(game.state)])
            elif isinstance(happening, Joined):
                self.pieces = None

    @property
    def log(self) -> list[dict[str, Any]]:
        """The last lines, in the language that is spoken."""
        return [{**line, "text": line["text"][spoken()]} for line in self._log]

    def over(self, called: tuple[str, str] = names.PLAYERS) -> dict[str, str] | None:
        """Return how the game ended, None while it goes on; `called` is what both players are."""
        if self._over is None:
            return None
        happening, game = self._over
        winner, by = happening.game_over, happening.by
        return {
            "winner": winner,
            "says": ending(winner, by, called),
            "why": why_over(winner, by, game, called),
        }

    def reason(self, asked: Collection[int]) -> Guide | None:
        """Return why the lights ask for something on these sensors, as far as the table said.

        A reason that was given for other places is none, and it ends with what it asked for.
        """
        guide = self.guide
        if guide is None or (not asked and self._is_lit):
            self.guide, self._is_lit = None, False
            return None
        named = {*guide.take, *guide.put}
        if not asked or (named and named.isdisjoint(map(sensor_name, asked))):
            return None
        self._is_lit = True
        return guide


def count_copies(state: array[int]) -> tuple[int, int]:
    """Return how many copies each player has, on the boards and in the supply."""
    counts = [
        layout.supply(state, player)
        + sum(map(int.bit_count, state[3 * player : 3 * player + len(ERAS)]))
        for player in range(len(PLAYERS))
    ]
    return counts[0], counts[1]


def game_view(mirror: Mirror, log: HappeningLog, kept: Stories) -> View:
    """Return the part of the view that is the game; `kept` has the stories of its turns."""
    game = mirror.game
    state = game.state
    count = len(game.turns)
    stories = kept.of(game)
    begun = log.pieces or (_COPIES, _COPIES)
    headers = {} if mirror.record is None else mirror.record.headers
    return {
        "id": None if mirror.file is None else mirror.file.id,
        "white": headers.get("White", "?"),
        "black": headers.get("Black", "?"),
        "modules": format_modules(objects.modules_of(state)),
        "mover": PLAYERS[game.mover],
        "turn_no": count,
        "position": format_position(state),
        "supply": [layout.supply(state, player) for player in range(2)],
        "captured": [
            max(0, had - has) for had, has in zip(begun, count_copies(state), strict=True)
        ],
        "focus": [ERAS[layout.focus(state, player)] for player in range(2)],
        "extra": supplies(state),
        "turns": [
            {
                "no": number + 1,
                "player": PLAYERS[game.mover ^ (count - number) & 1],
                "turn": format_turn(turn),
                "understood": mirror.how[number] if number < len(mirror.how) else "certain",
                "says": story.says,
                "focus": ERAS[story.focus],
            }
            for number, (turn, story) in enumerate(zip(game.turns, stories, strict=True))
        ],
        "last": last_of(game) if count else None,
        "goes_on": not count and not _is_start(state),
        "over": log.over(headline.called_in(mirror)),
    }


def _is_start(state: array[int]) -> bool:
    """Tell whether a game begins like this, and not in the middle of another one."""
    short = (layout.SUPPLY - layout.supply(state, player) for player in range(len(PLAYERS)))
    return state == objects.new_state(objects.modules_of(state), layout.mover(state), *short)


def last_of(game: Game) -> View:
    """Return what the boards show of the last turn of a game that has one."""
    words = len(game.state)
    before = game.past[-words:].tobytes()
    return {"no": len(game.turns), **_shown_turn(before, game.turns[-1], game.options)}


def under_way(game: Game, turn: int, after: array[int]) -> View:
    """Return what boards show of a turn that is played just now, in the place of the last one.

    `after` is the position that it leads to.
    """
    shown = _shown_turn(game.state.tobytes(), turn, game.options)
    focus = [ERAS[layout.focus(game.state, player)] for player in range(2)]
    focus[game.mover] = ERAS[layout.turn_focus(turn)]
    return {
        "last": {"no": len(game.turns) + 1, **shown},
        "focus": focus,
        "supply": [layout.supply(after, player) for player in range(len(PLAYERS))],
        "moving": True,
    }


@kept_by_language(8)
def _shown_turn(position: bytes, turn: int, options: int) -> View:
    """Return whose turn it was, its marks, and beat by beat what it did."""
    state = array("H", position)
    mover = layout.mover(state)
    beats = [
        {"says": beat.says, "pieces": pieces_view(beat.state), "died": _dead(beat.died)}
        for beat in beats_of(state, turn, options)
    ]
    return {
        "player": PLAYERS[mover],
        **marks_of(story_of(state, turn, options)),
        "focus": ERAS[layout.turn_focus(turn)],
        "before": {"focus": ERAS[layout.focus(state, mover)], "pieces": pieces_view(state)},
        "beats": beats,
    }


def marks_of(story: TurnStory) -> View:
    """Return what the boards show of a turn: where its copy was, and which copies died where."""
    return {"path": list(story.path), "died": _dead(story.died)}


def _dead(died: Iterable[tuple[int, int]]) -> list[View]:
    return [{"at": at, "look": PLAYERS[player]} for at, player in died]


def table_view(mirror: Mirror, log: HappeningLog, making: TurnPreview, thinking: str) -> View:
    """Return the part of the view that is the table: lights, doubts, and what is to be done.

    `making` is what was done of the turn so far, `thinking` who thinks about one.
    """
    leds = mirror.table.leds
    asked = asked_by(leds)
    reason = log.reason(asked)
    guide = reason.why if reason else ""
    why = guide if mirror.game.turns else ""
    set_up = headline.of_set_up(asked.values(), why, log.is_taken_back)
    making_says = so_far(mirror.game, making.actions)
    says = headline.of_table(
        mirror, making_says, thinking, guide, log.over(headline.called_in(mirror)), set_up
    )
    return {
        "phase": mirror.table.phase,
        **says._asdict(),
        "leds": list(leds),
        "making": making.text,
        "provisional": None if mirror.provisional is None else format_turn(mirror.provisional),
        "question": question_of(mirror),
        "sounded": list(mirror.sounded),
        "guide": reason.line()["guide"] if reason else None,
    }


def last_turn(view: Mapping[str, Any]) -> str:
    """Return what happened in the last turn of a page's view, as a sentence, "" for none."""
    turns = view["game"]["turns"]
    if not turns:
        return ""
    says: str = turns[-1]["says"]
    called = names.both(view["game"]["white"], view["game"]["black"])
    player = called[PLAYERS.index(turns[-1]["player"])]
    return tr("{player} {did}.", player=player, did=names.within(says))


def question_of(mirror: Mirror) -> list[dict[str, str]] | None:
    """Return the open question: of each choice a letter, the turn, and what it does."""
    choices = zip("abc", mirror.choices, told_apart(mirror.game, mirror.choices), strict=False)
    return [
        {"letter": name, "turn": format_turn(turn), "says": says} for name, turn, says in choices
    ] or None


def told_thought(info: str) -> str:
    """Return in words what an engine's `info` says: how far it looked, and what it expects."""
    facts, _, line = info.partition(" pv ")
    words = facts.split()
    known = dict(zip(words[::2], words[1::2], strict=False))
    told = []
    if "depth" in known:
        told.append(tr("depth {depth}", depth=known["depth"]))
    if known.get("nodes", "").isdecimal():
        told.append(tr("{count} positions", count=names.number(int(known["nodes"]))))
    return ", ".join(told) + (f": {line}" if line else "")


def pieces_view(state: array[int]) -> list[View]:
    """Return what lies on the table in a position."""
    return [_piece_view(sensor, look) for sensor, look in looks_of(state)]


@cache
def _piece_view(sensor: int, look: str) -> View:
    return {"at": sensor, "look": look}
