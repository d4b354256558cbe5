"""Turns that are tried in a browser, at any position and in the place of both players.

One rule: nothing is kept. Who asks sends the position and what was chosen so far, and is told what
can be chosen next, or what the turn did.
"""

from typing import Any

from chronotable.hardware.sensors import SENSORS
from chronotable.lights import meanings
from chronotable_host.rules.notation import ERAS, PLAYERS, format_turn, with_box_pieces
from chronotable_host.rules.turn_builder import TurnBuilder
from chronotable_host.rules.turn_story import story_of
from chronotable_host.web.building import turn_view
from chronotable_host.web.http.json_text import JsonText, json_text, with_member
from chronotable_host.web.position_json import asked_options, asked_state, position_json
from chronotable_host.web.view import marks_of
from ttykm.game import Game, winner
from ttykm.layout import NOBODY

_BETWEEN = ";"


def try_turn(position: str, options: str = "", choices: str = "") -> JsonText:
    """Return what a turn has become by some choices, and what can be chosen next, as JSON.

    `choices` are texts of `TurnBuilder`, parted by semicolons. The answer has `says`, `note`,
    `leds` and `builder` as the live view has them, and `side`, who makes the turn. `position` is
    that after what was chosen. Once the turn is whole, `turn` is its text and `story` what it did,
    as a game's `stories` have it; there is no `builder` then, nor where the game is over: `over`
    names the winner. Raises NotationError, LockedError, and UserError for what cannot be chosen.
    """
    game = Game()
    game.start(with_box_pieces(asked_state(position)), asked_options(options))
    answer: dict[str, Any] = {
        "side": PLAYERS[game.mover],
        "says": "",
        "note": "",
        "leds": [meanings.OFF] * SENSORS,
        "builder": None,
        "turn": None,
        "story": None,
        "over": None,
    }
    if winner(game.state) == NOBODY:
        builder = TurnBuilder(game)
        for choice in filter(None, choices.split(_BETWEEN)):
            builder.choose(choice)
        shown = turn_view(builder, game.mover, "")
        answer |= {name: shown[name] for name in answer if name in shown}
        if builder.turn is None:
            return with_member(json_text(answer), "position", position_json(builder.state, None))
        answer |= _play(game, builder.turn)
    won = winner(game.state)  # also where the game is only told to begin there
    if won != NOBODY:
        answer["over"] = PLAYERS[won]
    return with_member(json_text(answer), "position", position_json(game.state, None))


def _play(game: Game, turn: int) -> dict[str, Any]:
    """Play a turn, and return its text and what it did."""
    story = story_of(game.state, turn, game.options)
    side = PLAYERS[game.mover]
    game.apply(turn)
    told = {"player": side, "says": story.says, "focus": ERAS[story.focus], **marks_of(story)}
    return {"turn": format_turn(turn), "story": told}
