"""How a turn comes to be wanted: it is legal, and hands are at a turn of theirs."""

from chronotable.core.progress import TURN
from chronotable.core.wanted import WantedTurn
from ttykm import layout
from ttykm.layout import PARENT, RECORD_WORDS

if False:
    from chronotable.core.tracker import Tracker


def want(track: "Tracker", turn: int) -> bool:
    """Have the hands carry out a packed turn; `Tracker.want_nothing` ends that.

    Returns False where it is not legal, or the hands are not at a turn: the position is still to be
    set up, or a question is open, or the game is over.
    """
    if track.wanted is not None and turn == track.wanted.turn:
        return True
    game, matcher = track.game, track.matcher
    if track.phase != TURN or turn >> 16 in (layout.focus(game.state, game.mover), 3):
        return False
    if matcher.declared:  # hands have tried out an action of their own
        matcher.begin()
    matcher.make_room()
    tree = game.turn_tree
    record = tree.find(turn & 0xFFFF)
    if record < 0:
        return False
    track.want_nothing()
    track.turn.reset()
    if track.chooser is not None:
        track.chooser.close()
    matcher.note_magnets()  # of second actions that were looked up
    records: list[int] = []
    while record >= tree.firsts:
        records.insert(0, record)
        record = tree.records[record * RECORD_WORDS + PARENT]
    track.wanted = WantedTurn(matcher, track.recovery, turn, records)
    track.wanted.look()
    return True
