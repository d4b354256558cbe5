"""The four lanes of bids: what lies there, what may be added, and how a bid is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chronotable_night.games.interface import State
from chronotable_night.games.timemit.box import CardBox
from chronotable_night.games.timemit.table import size

LANES = (4, 1, 2, 3)
"""The lanes in the order in which bids are opened: the event first (TM9)."""
EVENT_LANE = 4

_VALUES = r"[1-9][0-9]{0,8}(?:,[1-9][0-9]{0,8})*"
_LANE = re.compile(f"([1-4]):({_VALUES})")


def usable(box: CardBox, state: State, seat: int) -> list[int]:
    """Return the revealed cards that a seat may add to its bid at the open lane (TM11)."""
    laid = size(state["bids"][seat][state["lane"] - 1])
    found = []
    for card in state["revealed"][seat]:
        bid = box.cards[card].bid
        if bid and card not in state["used"][seat] and (bid.alone or laid):
            found.append(card)
    return found


def options_total(box: CardBox, state: State, seat: int) -> int:
    """Return what a seat's used cards add at the open lane."""
    bids = (box.cards[card].bid for card in state["used"][seat])
    return sum(bid.adds for bid in bids if bid)


def total(box: CardBox, state: State, seat: int) -> int:
    """Return a seat's whole bid at the open lane."""
    laid: list[int] = state["bids"][seat][state["lane"] - 1]
    return sum(laid) + options_total(box, state, seat)


def bid_text(lanes: Sequence[Sequence[int]]) -> str:
    """Return the action that lays these Kronos at lanes 1 to 4."""
    parts = (
        f"{number}:{','.join(map(str, sorted(lane, reverse=True)))}"
        for number, lane in enumerate(lanes, 1)
        if lane
    )
    return f"bid {' '.join(parts) or 'none'}"


def read_bid_text(action: str) -> list[list[int]] | None:
    """Return the Kronos of a bid at lanes 1 to 4, None if it is not written as it has to be."""
    lanes: list[list[int]] = [[], [], [], []]
    for part in action.removeprefix("bid ").split(" "):
        match = _LANE.fullmatch(part)
        if match:
            lanes[int(match[1]) - 1] = [int(value) for value in match[2].split(",")]
    return lanes if bid_text(lanes) == action else None
