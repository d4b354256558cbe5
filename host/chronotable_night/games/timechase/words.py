"""Words of actions, and names of cards and places in sentences."""

from chronotable_host.language import tr
from chronotable_night.games.timechase.state import INVARIANT, SUIT, VALUE

PLAY, CHOOSE, SPEND = "play", "choose", "spend"
BACK, FORWARD = "back", "forward"


_SUITS = {
    "dark": tr("dark matter"),
    "flux": tr("flux"),
    "neutrino": tr("neutrino"),
    "paradox": tr("paradox"),
    "tachyon": tr("tachyon"),
}


def suit_name(suit: str) -> str:
    """Return the name of a suit in a sentence."""
    return str(_SUITS[suit])


def card_name(card: str) -> str:
    """Return the name of a card in a sentence."""
    return f"{suit_name(SUIT[card])} {VALUE[card]}"


def place_name(location: int) -> str:
    """Return the name of a location in a sentence."""
    return tr("the invariant") if location == INVARIANT else tr("event {number}", number=location)


def capital(text: str) -> str:
    """Return a text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def join_sentences(*sentences: str) -> str:
    """Return sentences one after the other; empty ones are left out."""
    return " ".join(filter(None, sentences))
