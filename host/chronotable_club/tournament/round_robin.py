"""Round robin: everybody meets everybody once, or twice, by the Berger tables (C.05 Annex 1)."""

from collections.abc import Iterator

Pair = tuple[int, int]
"""White and black, by pairing number."""


def rounds_of(players: int, cycles: int = 1) -> int:
    """Return how many rounds so many players take."""
    even = players + players % 2
    return cycles * max(even - 1, 0)


def berger(players: int, cycles: int = 1) -> list[list[Pair]]:
    """Return the pairs of all rounds, each in the order of the table.

    Of an odd number one is free each round, and stands in no pair of it. With two cycles the second
    one has the colours exchanged, and the last two rounds of the first one change places, so that
    nobody has one colour three times in a row (C.05 Annex 1).
    """
    rounds = [list(_round(number, players)) for number in range(1, rounds_of(players) + 1)]
    if cycles == 1:
        return rounds
    first = [*rounds[:-2], *reversed(rounds[-2:])]
    return first + [[(black, white) for white, black in pairs] for pairs in rounds]


def _round(number: int, players: int) -> Iterator[Pair]:
    """Yield the pairs of a round, counted from 1.

    The last of an even number sits still, and has white in every other round; the numbers of each
    other pair add up to the round's number and 1, in steps of all who move.
    """
    last = players + players % 2
    moving = last - 1
    top = next(it for it in range(1, last) if (2 * it - number - 1) % moving == 0)
    if players == last:
        yield (top, last) if number % 2 else (last, top)
    for step in range(1, last // 2):
        a, b = ((top + sign * step - 1) % moving + 1 for sign in (1, -1))
        low, high = min(a, b), max(a, b)
        yield (low, high) if (low + high) % 2 else (high, low)
