"""What a pressed button means, which depends on what the game waits for."""

from chronotable.core.progress import MOVING, PROVISIONAL, TURN
from chronotable.core.tracker import NONE_OF_THESE, Tracker
from chronotable.hardware.sensors import BUTTONS


def press(track: Tracker, number: int, now_ms: int) -> bool:
    """Take a pressed button, numbered from 0 as in BUTTONS; False if nothing waits for it."""
    track.now_ms = now_ms
    name, side = BUTTONS[number]
    if name in ("a", "b", "c"):
        return track.answer("abc".find(name), now_ms)
    if name == "action":
        return _press_action(track, side)
    if name == "undo":
        return track.undo(side)
    if name == "resign":
        return track.resign(side)
    return track.offer_draw(side)


def _press_action(track: Tracker, side: int) -> bool:
    """Say that none of the choices was meant, or choose an action that reeds cannot see."""
    game = track.game
    if track.phase == PROVISIONAL and side != game.mover and game.turn_tree.has_modules:
        track.finalise()  # the next player begins
    may_choose = track.phase == TURN and side == game.mover and track.wanted is None
    chooser = track.chooser if may_choose else None
    if chooser is None or not chooser.press():
        return track.answer(NONE_OF_THESE, track.now_ms)
    track.turn.is_stale = True
    track.turn.stage = MOVING
    return True
