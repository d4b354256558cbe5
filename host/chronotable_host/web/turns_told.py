"""Turns that are not in the list of turns yet, told in sentences as those are.

That are one in the making, one that may still be reopened, and those of an open question.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chronotable.hardware.naming import sensor_name
from chronotable_host import chapters
from chronotable_host.language import kept_by_language, names, tr
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.turn_story import TurnStory, story_of
from chronotable_host.web import looks

if TYPE_CHECKING:
    from ttykm.game import Game

_FOCUS = (
    tr("then the focus went to the past"),
    tr("then the focus went to the present"),
    tr("then the focus went to the future"),
)
_STEPS = "NESWFB"  # the actions that spaces tell
_KEPT = 16  # of a question at most three, of which each view asks again


def so_far(game: Game, actions: int) -> str:
    """Return what the packed actions of a turn in the making did, "" for none."""
    return _story(game, actions, False).says if actions & 0xFFF else ""


def whole_turn(game: Game, turn: int) -> str:
    """Return what a turn that is legal now does, and where its focus goes."""
    story = _story(game, turn, True)
    return f"{story.says}, {_FOCUS[story.focus]}"


def told_apart(game: Game, turns: Sequence[int]) -> list[str]:
    """Return what turns do, and as much more as tells each from the others.

    That is where they look then, and where they are made.
    """
    stories = [_story(game, turn, True) for turn in turns]
    is_one_focus = len({story.focus for story in stories}) == 1
    told = [
        story.says if is_one_focus else f"{story.says}, {_FOCUS[story.focus]}" for story in stories
    ]
    return [
        says if told.count(says) == 1 else f"{says} ({where_of(story.path, turn)})"
        for says, story, turn in zip(told, stories, turns, strict=True)
    ]


def where_of(path: Sequence[int], turn: int, is_era_told: bool = False) -> str:
    """Return where a turn is made, which tells it from all others that have its focus.

    That are the spaces that its copy goes over, an era only where it changes, as `past 1, 2,
    present 2`, and its actions where these do not tell them: objects, and who dies of the last.
    """
    told = []
    era = path[0] >> 4 if path and is_era_told else None
    for at, before in zip(path, (None, *path), strict=False):
        if at != before:
            place = names.place(sensor_name(at))
            told.append(place.split()[-1] if at >> 4 == era else place)
        era = at >> 4
    actions = [word for word in format_turn(turn).split()[1:] if not word.startswith(">")]
    if len(path) <= len(actions) or any(action not in _STEPS for action in actions):
        words = looks.actions(chapters.shown())
        told += (str(words.get(action, action)) for action in actions)
    return ", ".join(told)


def _story(game: Game, turn: int, is_whole: bool) -> TurnStory:
    return _kept_story(game.state.tobytes(), turn, game.options, is_whole)


@kept_by_language(_KEPT)
def _kept_story(position: bytes, turn: int, options: int, is_whole: bool) -> TurnStory:
    return story_of(array("H", position), turn, options, is_whole)
