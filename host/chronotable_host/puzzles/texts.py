"""What is said about a puzzle: how a turn was answered, where the win begins, how one does."""

from __future__ import annotations

from chronotable_host.language import names, tr
from chronotable_host.puzzles.standing import Standing
from chronotable_host.puzzles.trial import ON, SOLVED, Reply, Trial
from chronotable_host.rules.notation import format_turn
from ttykm import layout


def standing_says(standing: Standing) -> str:
    """Return how a player does, in a sentence."""
    if not standing.solved and not standing.missed:
        return tr("No puzzle was tried yet.")
    return tr(
        "{solved} solved, {missed} missed, {streak} in a row (at best {best}); rating {rating}.",
        solved=len(standing.solved),
        missed=len(standing.missed),
        streak=standing.streak,
        best=standing.best_streak,
        rating=rating_text(standing),
    )


def rating_text(standing: Standing) -> str:
    """Return a rating as people read it: with a question mark while it says little."""
    mark = "" if standing.is_settled else "?"
    return f"{round(standing.rating.value)}{mark}"


def reply_says(reply: Reply, trial: Trial) -> str:
    """Return what comes of the turn that a trial has just judged, the answer as it is written."""
    if reply.answer is None:
        return reply_told(reply, trial)
    other = names.PLAYERS[1 - trial.puzzle.mover]
    answer = tr("{player} answers {turn}.", player=other, turn=format_turn(reply.answer))
    return f"{reply_told(reply, trial)} {answer}"


def reply_told(reply: Reply, trial: Trial) -> str:
    """Return what comes of the turn that a trial has just judged, where the answer is shown."""
    player = names.PLAYERS[trial.puzzle.mover]
    if reply.verdict == SOLVED:
        return tr("Solved: {player} wins.", player=player)
    if reply.verdict == ON:
        return tr("Right.")
    if reply.answer is None:
        return tr("{player} does not win with that. Try again.", player=player)
    return tr("After the answer the win takes longer, or is gone. Try again.")


def hint_of(trial: Trial) -> str:
    """Return which copy the win begins with."""
    turn = trial.solution()
    focus = names.ERAS[layout.focus(trial.game.state, trial.puzzle.mover)]
    if not turn & 0xFFFF:  # nobody can act (T10)
        return tr("Nobody can act in the {era}: only the focus moves.", era=focus)
    return tr(
        "It begins with the copy on space {space} of the {era}.",
        space=(turn >> 12 & 15) + 1,
        era=focus,
    )
