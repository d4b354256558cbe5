"""What happens, in a sentence to each seat; how the game ended, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import GameHappening, Outcome, State
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.names import card_name, listed, play_name, tile_name
from chronotable_night.games.timebreaker.pieces import ESCORTED

# ---------------------------------------------------------------- endings


def data_note() -> str:
    """Return what is said of data that nobody has compared with a printed game."""
    return tr(
        "The names and arrows of the gates, and how often each card is there, are not those of "
        "the printed game: nobody has entered them yet. All rules hold; with a data file of "
        "your own you play with your own gates."
    )


def why(outcome: Outcome, view: State, names: Sequence[str]) -> str:
    """Return how the game ended, from any view."""
    if outcome.why == ESCORTED:
        player = names[outcome.winners[0]]
        return tr(
            "{player} wins: {player} came to the TRA with the Time Breaker in custody, in turn "
            "{turn}.",
            player=player,
            turn=view["turn"],
        )
    return tr(
        "Nobody wins: the Time Breaker came to the TRA without an escort, in turn {turn} of "
        "the game, which was {player}'s.",
        turn=view["turn"],
        player=names[view["active"]],
    )


# ---------------------------------------------------------------- happenings


class ToldHappening(NamedTuple):
    """A happening, and to whom it is told."""

    data: Data
    facts: Mapping[str, Any]
    names: Sequence[str]
    seat: int

    @property
    def is_you(self) -> bool:
        """Tell whether it is about who hears it."""
        return bool(self.facts["seat"] == self.seat)

    @property
    def player(self) -> str:
        """Return the name of the player whom it is about."""
        seat: int = self.facts["seat"]
        return self.names[seat]

    def parted(self, seats: Sequence[int]) -> tuple[bool, list[str]]:
        """Return whether who hears it is among the seats, and the names of the others there."""
        return self.seat in seats, [self.names[each] for each in seats if each != self.seat]

    def tile(self, fact: str = "tile") -> str:
        """Return how a sentence names a tile of the facts."""
        return tile_name(self.data, self.facts[fact])

    def cards(self) -> str:
        """Return the cards of the facts, listed."""
        return listed([card_name(self.data, card) for card in self.facts["cards"]])


def says(data: Data, happening: GameHappening, names: Sequence[str], seat: int) -> str:
    """Return a happening in sentences to a seat or the SPECTATOR; "" for nothing to say."""
    return _SENTENCES[happening.what](ToldHappening(data, happening.facts, names, seat))


def _turn(told: ToldHappening) -> str:
    if told.is_you:
        return tr("It is your turn.")
    return tr("It is {player}'s turn.", player=told.player)


def _drew(told: ToldHappening) -> str:
    return "" if told.is_you else tr("{player} draws a card.", player=told.player)


def _drew_card(told: ToldHappening) -> str:
    return tr("You draw {card}.", card=card_name(told.data, told.facts["card"]))


def _shuffled(_: ToldHappening) -> str:
    return tr("The discarded cards are shuffled and become the deck.")


def _followed(told: ToldHappening) -> str:
    tile = told.tile()
    if told.is_you:
        return tr("You follow the green arrow to {tile}.", tile=tile)
    return tr("{player} follows the green arrow to {tile}.", player=told.player, tile=tile)


def _wormholed(told: ToldHappening) -> str:
    if told.is_you:
        return tr("You take the Wormhole.")
    return tr("{player} takes the Wormhole.", player=told.player)


def _revealed(told: ToldHappening) -> str:
    cards = told.cards()
    if told.is_you:
        return tr("Revealed, to be played by you: {cards}.", cards=cards)
    return tr("Revealed, to be played by {player}: {cards}.", player=told.player, cards=cards)


def _shown(told: ToldHappening) -> str:
    card = card_name(told.data, told.facts["card"])
    if told.is_you:
        return tr("You draw {card}, show it and keep it.", card=card)
    return tr("{player} draws {card}, shows it and keeps it.", player=told.player, card=card)


def _played(told: ToldHappening) -> str:
    play = play_name(told.data, told.facts["words"], told.names)
    if told.is_you:
        return tr("You play {card}.", card=play)
    return tr("{player} plays {card}.", player=told.player, card=play)


def _stopped(told: ToldHappening) -> str:
    if told.facts["stops"] == 1:
        if told.is_you:
            return tr("You stop time.")
        return tr("{player} stops time.", player=told.player)
    other = told.names[told.facts["of"]]
    if told.is_you:
        return tr("You stop the Stop Time of {other}.", other=other)
    if told.facts["of"] == told.seat:
        return tr("{player} stops your Stop Time.", player=told.player)
    return tr("{player} stops the Stop Time of {other}.", player=told.player, other=other)


def _passed(told: ToldHappening) -> str:
    if told.is_you:
        return tr("You let it pass.")
    return tr("{player} lets it pass.", player=told.player)


def _settled(told: ToldHappening) -> str:
    card = card_name(told.data, told.facts["words"][0])
    if told.facts["stopped"]:
        return tr("Time stands still: {card} is discarded without effect.", card=card)
    return tr("The Stop Times undo each other: {card} takes effect.", card=card)


def _without_effect(told: ToldHappening) -> str:
    card = card_name(told.data, told.facts["card"])
    return tr("{card} can have no effect now and is discarded.", card=card)


def _ordered(told: ToldHappening) -> str:
    first, second = (card_name(told.data, card) for card in told.facts["cards"])
    return tr("{first} comes first, then {second}.", first=first, second=second)


def _dumped(told: ToldHappening) -> str:
    cards = told.cards()
    if told.is_you:
        return tr("You dump {cards} and draw as many cards.", cards=cards)
    return tr("{player} dumps {cards} and draws as many cards.", player=told.player, cards=cards)


def _arrested(told: ToldHappening) -> str:
    if told.is_you:
        return tr("You arrest the Time Breaker. That holds for the whole game.")
    return tr("{player} arrests the Time Breaker.", player=told.player)


def _lost_hand(told: ToldHappening) -> str:
    cards = told.cards()
    if told.is_you:
        return tr("You discard your hand: {cards}.", cards=cards)
    return tr("{player} discards the whole hand: {cards}.", player=told.player, cards=cards)


def _moved(told: ToldHappening) -> str:
    facts, you, player = told.facts, told.is_you, told.player
    sentences = [_went(told)]
    if facts["taking"] and facts["tile"] != facts["tra"]:
        sentences.append(
            tr("You take the Time Breaker along.")
            if you
            else tr("{player} takes the Time Breaker along.", player=player)
        )
    if facts["leaving"]:
        sentences.append(
            tr("The Time Breaker stays behind: you have not arrested it.")
            if you
            else tr("The Time Breaker stays behind: {player} has not arrested it.", player=player)
        )
    if facts["arresting"]:
        sentences.append(
            tr("You arrest the Time Breaker.")
            if you
            else tr("{player} arrests the Time Breaker.", player=player)
        )
    elif facts["meeting"]:
        sentences.append(tr("The Time Breaker is there, too; an arrest has to be declared."))
    return " ".join(sentences)


def _went(told: ToldHappening) -> str:
    facts, you, player = told.facts, told.is_you, told.player
    if facts["closed"]:
        gate = told.tile("closed")
        if facts["taking"]:
            if you:
                return tr(
                    "There is only a gap where {gate} was: you land on the TRA with the Time "
                    "Breaker.",
                    gate=gate,
                )
            return tr(
                "There is only a gap where {gate} was: {player} lands on the TRA with the Time "
                "Breaker.",
                gate=gate,
                player=player,
            )
        if you:
            return tr("There is only a gap where {gate} was: you land on the TRA.", gate=gate)
        return tr(
            "There is only a gap where {gate} was: {player} lands on the TRA.",
            gate=gate,
            player=player,
        )
    if facts["taking"] and facts["tile"] == facts["tra"]:
        if you:
            return tr("You go to the TRA with the Time Breaker.")
        return tr("{player} goes to the TRA with the Time Breaker.", player=player)
    if you:
        return tr("You go to {tile}.", tile=told.tile())
    return tr("{player} goes to {tile}.", player=player, tile=told.tile())


def _fetched(told: ToldHappening) -> str:
    facts, tile = told.facts, told.tile()
    you, others = told.parted(facts["seats"])
    sentences = [tr("You are taken to {tile}.", tile=tile)] if you else []
    if others:
        sentences.append(
            tr_n(
                "{players} is taken to {tile}.",
                "{players} are taken to {tile}.",
                len(others),
                players=listed(others),
                tile=tile,
            )
        )
    if facts["leaving"]:
        sentences.append(tr("The Time Breaker stays behind."))
    you, others = told.parted(facts["arresting"])
    if you:
        sentences.append(tr("You arrest the Time Breaker."))
    if others:
        sentences.append(
            tr_n(
                "{players} arrests the Time Breaker.",
                "{players} arrest the Time Breaker.",
                len(others),
                players=listed(others),
            )
        )
    return " ".join(sentences)


def _fled(told: ToldHappening) -> str:
    facts = told.facts
    if facts["closed"]:
        return tr(
            "There is only a gap where {gate} was: the Time Breaker lands on the TRA, alone.",
            gate=told.tile("closed"),
        )
    if facts["tile"] == facts["tra"]:
        return tr("The Time Breaker goes to the TRA, alone.")
    return tr("The Time Breaker goes to {tile}.", tile=told.tile())


def _crashed(told: ToldHappening) -> str:
    label = told.data.labels[told.facts["tile"]]
    sentences = [tr("Gate {label} crashes and leaves a gap.", label=label)]
    you, others = told.parted(told.facts["seats"])
    if you:
        sentences.append(tr("You fall to the TRA."))
    if others:
        sentences.append(
            tr_n(
                "{players} falls to the TRA.",
                "{players} fall to the TRA.",
                len(others),
                players=listed(others),
            )
        )
    return " ".join(sentences)


def _over(told: ToldHappening) -> str:
    """Return by which card or arrow the game ended, and who let it pass, as all could see."""
    facts, you, player = told.facts, told.is_you, told.player
    if not facts["words"]:  # an arrow takes nobody but a captor home
        if you:
            return tr("You win by a green arrow, which nobody can stop.")
        return tr("{player} wins by a green arrow, which nobody can stop.", player=player)
    card = play_name(told.data, facts["words"], told.names)
    if facts["why"] != ESCORTED:
        sentence = tr("Nobody wins: {player} played {card}.", player=player, card=card)
    elif you:
        sentence = tr("You win with {card}.", card=card)
    else:
        sentence = tr("{player} wins with {card}.", player=player, card=card)
    if not facts["passed"]:
        return sentence
    passed = listed([told.names[other] for other in facts["passed"]])
    return " ".join([sentence, tr("Let pass by: {players}.", players=passed)])


_SENTENCES: Mapping[str, Callable[[ToldHappening], str]] = {
    "turn": _turn,
    "drew": _drew,
    "drew_card": _drew_card,
    "shuffled": _shuffled,
    "followed": _followed,
    "wormholed": _wormholed,
    "revealed": _revealed,
    "shown": _shown,
    "played": _played,
    "stopped": _stopped,
    "passed": _passed,
    "settled": _settled,
    "without_effect": _without_effect,
    "ordered": _ordered,
    "dumped": _dumped,
    "arrested": _arrested,
    "lost_hand": _lost_hand,
    "moved": _moved,
    "fetched": _fetched,
    "fled": _fled,
    "crashed": _crashed,
    "over": _over,
}
