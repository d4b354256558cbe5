"""What an analysis says of the turns of a game, as the page gets it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from chronotable_host.engine.analysis import white_chance
from chronotable_host.rules.annotations import ANNOTATOR, Annotation, read_annotations
from chronotable_host.rules.notation import ERAS, format_turn
from chronotable_host.rules.record import Record
from chronotable_host.rules.turn_story import plan_of, story_of
from chronotable_host.web.view import marks_of
from ttykm import objects
from ttykm.game import Game


def judged_turns(record: Record, states: Sequence[array[int]]) -> Iterator[dict[str, Any] | None]:
    """Yield what is said of each turn of a record, None where that was not analysed.

    `states` are the position at the start and those after every turn. Chances are White's, 0 to 1;
    `mark` is one of `annotations.MARKS`. Where there was a better turn: its `best_value` and
    `best_chance`, `best` as it would have gone on, and of its first turn `best_plan`, what is to be
    done, the era `best_focus` that the focus goes to, `best_path` and `best_died`, as stories have
    them.
    """
    said = read_annotations(record.comments) if ANNOTATOR in record.headers else []
    modules = objects.modules_of(record.start)
    for state, each in zip(states, said, strict=False):
        told = {
            "value": each.value,
            "chance": white_chance(each.value, modules),
            "mark": each.mark,
        }
        yield {**told, **_better(state, each, record.options, modules)}
    for _ in record.turns[len(said) :]:
        yield None


def _better(state: array[int], said: Annotation, options: int, modules: int) -> dict[str, Any]:
    """Return what is told of the better turn, nothing where there is none that is legal."""
    if not said.best or not _is_legal(state, said.best[0], options):
        return {}
    story = story_of(state, said.best[0], options)
    marks = {f"best_{name}": places for name, places in marks_of(story).items()}
    return {
        "best_value": said.best_value,
        "best_chance": white_chance(said.best_value, modules),
        "best": [format_turn(turn) for turn in said.best],
        "best_plan": plan_of(state, said.best[0], options),
        "best_focus": ERAS[story.focus],
        **marks,
    }


def _is_legal(state: array[int], turn: int, options: int) -> bool:
    """Tell whether a turn that somebody wrote into a record can be played there."""
    game = Game()
    game.start(state, options)
    return bool(game.after(turn, array("H", state)))
