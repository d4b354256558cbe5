"""What a newcomer is told while a turn is put together: one tip at a time, fit for what is due.

Every tip stands here, in the words of the rules (T7 to T29).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chronotable import meanings
from chronotable_host.language import tr

if TYPE_CHECKING:
    from chronotable_host.rules.turn_builder import TurnBuilder

_COPY = tr(
    "These are all you, at different times. Choose one in the light of your eye: only there can"
    " you act."
)
_FOCUS = tr(
    "Now open your eye in another era: there you act in your next turn. You win when the other's"
    " copies are left in one era only."
)
_NOBODY = tr("You have nobody where you look, so this turn only moves your eye.")
_ACTIONS = (  # the first that fits: what may happen, and the tip
    (meanings.OWN_DEATH, tr("The skull: a copy of yours would die of that.")),
    (
        meanings.PARADOX,
        tr("The pink mark: pushed into another copy of the same colour, both die. A paradox."),
    ),
    (meanings.SQUISH, tr("The orange mark: pushed against a wall, that copy is squished.")),
    (meanings.PUSH, tr("The arrow: go there, and you push that copy one space on.")),
    (meanings.PLANT, tr("The sprout: plant a seed there. It grows in the later eras.")),
    (meanings.DIG, tr("The spade: dig that seed up, and what grew of it is gone.")),
    (meanings.BUILD, tr("The statue: build one there, and in the later eras, too.")),
    (meanings.TRAIN, tr("The hat: train that elephant, and it obeys you.")),
    (meanings.COMMAND, tr("The arrow in a disc: send your elephant there.")),
    (
        meanings.BACK,
        tr(
            "The violet mark goes back in time to the same space, and leaves a new copy of you"
            " behind."
        ),
    ),
    (
        meanings.FORWARD,
        tr("The blue mark goes forward in time, to the same space in the next era."),
    ),
    (meanings.MOVE, tr("Green is a step. This copy takes two actions, then the turn ends.")),
)


def tip_for(builder: TurnBuilder) -> str:
    """Return the tip for what is to be chosen next, "" where there is none."""
    if builder.due == "copy":
        return _COPY
    if builder.due == "focus":
        return _FOCUS if builder.text else _NOBODY
    offered = {choice.meaning for choice in builder.choices}
    return next((tip for meaning, tip in _ACTIONS if meaning in offered), "")
