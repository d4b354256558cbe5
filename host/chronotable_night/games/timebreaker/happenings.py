"""What happens, in a sentence to each seat; how the game ended, and why."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from chronotable_host.language import tr, tr_n
from chronotable_night.games.interface import GameHappening, Outcome, State
from chronotable_night.games.telling import sentence_list
from chronotable_night.games.timebreaker.data import Data
from chronotable_night.games.timebreaker.names import card_name, play_name, tile_name
from chronotable_night.games.timebreaker.pieces import ESCORTED


def data_note() -> str:
    """Return what is said of data that nobody has compared with a printed game."""
    return tr(
        "The names and arrows of the gates, and how often each card is there, are made up: "
        "nobody has entered those of the printed game yet. All rules hold."
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


# ---- happenings


class ToldHappening(NamedTuple):
    """A happening, and to whom it is told."""

    data: Data
    facts: Mapping[str, Any]
    names: Sequence[str]
    seat: int

    @property
    def player(self) -> str:
        """Return the name of the player whom it is about."""
        seat: int = self.facts["seat"]
        return self.names[seat]

    def to(self, you: str, others: str) -> str:
        """Return what is said to the player whom it is about, or what to all others."""
        return you if self.facts["seat"] == self.seat else others

    def parted(self, seats: Sequence[int]) -> tuple[bool, list[str]]:
        """Return whether who hears it is among the seats, and the names of the others there."""
        return self.seat in seats, [self.names[each] for each in seats if each != self.seat]

    def tile(self, fact: str = "tile") -> str:
        """Return how a sentence names a tile of the facts."""
        return tile_name(self.data, self.facts[fact])

    @property
    def card(self) -> str:
        """Return the name of the card of the facts, or of the one that is played there."""
        return card_name(self.data, self.facts.get("card") or self.facts["words"][0])

    @property
    def cards(self) -> str:
        """Return the cards of the facts, listed."""
        return sentence_list([card_name(self.data, card) for card in self.facts["cards"]])

    @property
    def play(self) -> str:
        """Return the card of the facts as it is played."""
        return play_name(self.data, self.facts["words"], self.names)


def says(data: Data, happening: GameHappening, names: Sequence[str], seat: int) -> str:
    """Return a happening in sentences to a seat or the SPECTATOR; "" for nothing to say."""
    return _SENTENCES[happening.what](ToldHappening(data, happening.facts, names, seat))


def _stopped(told: ToldHappening) -> str:
    player, of = told.player, told.facts["of"]
    if told.facts["stops"] == 1:
        return told.to(tr("You stop time."), tr("{player} stops time.", player=player))
    if of == told.seat:
        return tr("{player} stops your Stop Time.", player=player)
    other = told.names[of]
    return told.to(
        tr("You stop the Stop Time of {other}.", other=other),
        tr("{player} stops the Stop Time of {other}.", player=player, other=other),
    )


def _settled(told: ToldHappening) -> str:
    if told.facts["stopped"]:
        return tr("Time stands still: {card} is discarded without effect.", card=told.card)
    return tr("The Stop Times undo each other: {card} takes effect.", card=told.card)


def _ordered(told: ToldHappening) -> str:
    first, second = (card_name(told.data, card) for card in told.facts["cards"])
    return tr("{first} comes first, then {second}.", first=first, second=second)


def _moved(told: ToldHappening) -> str:
    facts, player = told.facts, told.player
    sentences = [_went(told)]
    if facts["taking"] and facts["tile"] != facts["tra"]:
        sentences.append(
            told.to(
                tr("You take the Time Breaker along."),
                tr("{player} takes the Time Breaker along.", player=player),
            )
        )
    if facts["leaving"]:
        sentences.append(
            told.to(
                tr("The Time Breaker stays behind: you have not arrested it."),
                tr("The Time Breaker stays behind: {player} has not arrested it.", player=player),
            )
        )
    if facts["arresting"]:
        sentences.append(
            told.to(
                tr("You arrest the Time Breaker."),
                tr("{player} arrests the Time Breaker.", player=player),
            )
        )
    elif facts["meeting"]:
        sentences.append(tr("The Time Breaker is there, too; an arrest has to be declared."))
    return " ".join(sentences)


def _went(told: ToldHappening) -> str:
    facts, player = told.facts, told.player
    if facts["closed"]:
        said = {"gate": told.tile("closed"), "player": player}
        if facts["taking"]:
            return told.to(
                tr(
                    "There is only a gap where {gate} was: you land on the TRA with the Time "
                    "Breaker.",
                    **said,
                ),
                tr(
                    "There is only a gap where {gate} was: {player} lands on the TRA with the Time "
                    "Breaker.",
                    **said,
                ),
            )
        return told.to(
            tr("There is only a gap where {gate} was: you land on the TRA.", **said),
            tr("There is only a gap where {gate} was: {player} lands on the TRA.", **said),
        )
    if facts["taking"] and facts["tile"] == facts["tra"]:
        return told.to(
            tr("You go to the TRA with the Time Breaker."),
            tr("{player} goes to the TRA with the Time Breaker.", player=player),
        )
    return told.to(
        tr("You go to {tile}.", tile=told.tile()),
        tr("{player} goes to {tile}.", player=player, tile=told.tile()),
    )


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
                players=sentence_list(others),
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
                players=sentence_list(others),
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
                players=sentence_list(others),
            )
        )
    return " ".join(sentences)


def _over(told: ToldHappening) -> str:
    """Return by which card or arrow the game ended, and who let it pass, as all could see."""
    facts, player = told.facts, told.player
    if not facts["words"]:  # an arrow takes nobody but a captor home
        return told.to(
            tr("You win by a green arrow, which nobody can stop."),
            tr("{player} wins by a green arrow, which nobody can stop.", player=player),
        )
    card = told.play
    if facts["why"] != ESCORTED:
        sentence = tr("Nobody wins: {player} played {card}.", player=player, card=card)
    else:
        sentence = told.to(
            tr("You win with {card}.", card=card),
            tr("{player} wins with {card}.", player=player, card=card),
        )
    if not facts["passed"]:
        return sentence
    passed = sentence_list([told.names[other] for other in facts["passed"]])
    return " ".join([sentence, tr("Let pass by: {players}.", players=passed)])


_SENTENCES: Mapping[str, Callable[[ToldHappening], str]] = {
    "turn": lambda told: told.to(
        tr("It is your turn."), tr("It is {player}'s turn.", player=told.player)
    ),
    "drew": lambda told: told.to("", tr("{player} draws a card.", player=told.player)),
    "drew_card": lambda told: tr("You draw {card}.", card=told.card),
    "shuffled": lambda _: tr("The discarded cards are shuffled and become the deck."),
    "followed": lambda told: told.to(
        tr("You follow the green arrow to {tile}.", tile=told.tile()),
        tr("{player} follows the green arrow to {tile}.", player=told.player, tile=told.tile()),
    ),
    "wormholed": lambda told: told.to(
        tr("You take the Wormhole."), tr("{player} takes the Wormhole.", player=told.player)
    ),
    "revealed": lambda told: told.to(
        tr("Revealed, to be played by you: {cards}.", cards=told.cards),
        tr("Revealed, to be played by {player}: {cards}.", player=told.player, cards=told.cards),
    ),
    "shown": lambda told: told.to(
        tr("You draw {card}, show it and keep it.", card=told.card),
        tr("{player} draws {card}, shows it and keeps it.", player=told.player, card=told.card),
    ),
    "played": lambda told: told.to(
        tr("You play {card}.", card=told.play),
        tr("{player} plays {card}.", player=told.player, card=told.play),
    ),
    "stopped": _stopped,
    "passed": lambda told: told.to(
        tr("You let it pass."), tr("{player} lets it pass.", player=told.player)
    ),
    "settled": _settled,
    "without_effect": lambda told: tr(
        "{card} can have no effect now and is discarded.", card=told.card
    ),
    "ordered": _ordered,
    "dumped": lambda told: told.to(
        tr("You dump {cards} and draw as many cards.", cards=told.cards),
        tr("{player} dumps {cards} and draws as many cards.", player=told.player, cards=told.cards),
    ),
    "arrested": lambda told: told.to(
        tr("You arrest the Time Breaker. That holds for the whole game."),
        tr("{player} arrests the Time Breaker.", player=told.player),
    ),
    "lost_hand": lambda told: told.to(
        tr("You discard your hand: {cards}.", cards=told.cards),
        tr("{player} discards the whole hand: {cards}.", player=told.player, cards=told.cards),
    ),
    "moved": _moved,
    "fetched": _fetched,
    "fled": _fled,
    "crashed": _crashed,
    "over": _over,
}
