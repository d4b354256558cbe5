"""What happened in a turn: a sentence as friends tell it, and marks for the boards.

Every phrase stands in PHRASES and is whole, so that it can be translated; the rest of the file says
which are due, read off the engine's own records.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chronotable_host.language import names, spoken, tr, tr_c
from chronotable_host.rules.action_replay import CAUSES, AfterAction, play_actions
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import BACK, BUILD, COMMAND, DIG, FORWARD, GONE, PARADOX, PLANT, PULL, TRAIN
from ttykm.objects import ELEPHANT, FALLEN, STATUE, TREE

IN_ERA = (tr("in the past"), tr("in the present"), tr("in the future"))
"""Where something happened: with a space before it the `{where}` of a phrase, which is "" where
that is known already."""
TO_ERA = (tr("to the past"), tr("to the present"), tr("to the future"))
"""Where somebody travels, the `{to}` of a phrase."""
COPIES_OF_BOTH = tr_c("is pushed", "a whole line")
A_STATUE = tr_c("is pushed", "a statue")
WITH_A_STATUE = tr_c("is pushed", "{copies} and a statue")
"""What is pushed beside copies of one player, the `{what}` of a phrase."""

PHRASES = {
    # nobody acts
    "nobody": tr_c("turn", "had nobody to move{where}"),
    "all-stuck": tr_c("turn", "could not move anybody{where}"),
    # what the copy that acts does
    "step": tr_c("turn", "stepped{where}"),
    "forward": tr_c("turn", "went forward {to}"),
    "back": tr_c("turn", "went back {to}; a copy stays"),
    "back-first": tr_c("turn", "went back {to}, a copy stays"),
    "plant": tr_c("turn", "planted a seed{where}"),
    "plant-tree": tr_c("turn", "planted a seed{where} and grew a tree"),
    "dig": tr_c("turn", "dug up a seed{where}"),
    "dig-tree": tr_c("turn", "dug up a seed{where}, tree and all"),
    "build": tr_c("turn", "built a statue{where}"),
    "train-dark": tr_c("turn", "trained the dark elephant{where}"),
    "train-light": tr_c("turn", "trained the light elephant{where}"),
    "command-dark": tr_c("turn", "sent the dark elephant {what}{where}"),
    "command-light": tr_c("turn", "sent the light elephant {what}{where}"),
    "command-again": tr_c("turn", "sent it {what}{where}"),
    # what comes of it
    "pull": tr_c("turn", "pulled a statue{where}"),
    "push": tr_c("turn", "pushed {what}{where}"),
    "fell": tr_c("turn", "felled a tree{where}"),
    "squish": tr_c("turn", "squished {what}{where}"),
    "paradox": tr_c("turn", "led {what} into itself{where}"),
    "crushed": tr_c("turn", "crushed {what}{where}"),
    "trampled": tr_c("turn", "trampled {what}{where}"),
    "one-death": tr_c("turn", "killed a copy"),
    "deaths": tr_c("turn", "killed {what} copies"),
    # the copy that acts dies
    "own-squish": tr_c("turn", "walked to its death{where}"),
    "own-paradox": tr_c("turn", "met itself{where}: both died"),
    "own-crushed": tr_c("turn", "got crushed{where}"),
    "own-trampled": tr_c("turn", "got trampled{where}"),
    # two actions in one phrase
    "step+push": tr_c("turn", "stepped and pushed {what}{where}"),
    "forward+back": tr_c("turn", "went forward and back {to}; a copy stays"),
    "command-dark+command-dark": tr_c("turn", "sent the dark elephant {before} and {what}{where}"),
    "command-light+command-light": tr_c(
        "turn", "sent the light elephant {before} and {what}{where}"
    ),
    "step-twice": tr_c("turn", "stepped twice{where}"),
    "forward-twice": tr_c("turn", "went forward twice, {to}"),
    "back-twice": tr_c("turn", "went back twice, {to}; two copies stay"),
    "pull-twice": tr_c("turn", "pulled a statue twice{where}"),
    "push-twice": tr_c("turn", "pushed {what} twice{where}"),
    "squish-twice": tr_c("turn", "squished {what} twice{where}"),
    "paradox-twice": tr_c("turn", "led {what} into itself twice{where}"),
    "plant-twice": tr_c("turn", "planted two seeds{where}"),
    "plant-tree-twice": tr_c("turn", "planted two seeds{where} and grew two trees"),
    "dig-twice": tr_c("turn", "dug up two seeds{where}"),
    "command-dark-twice": tr_c("turn", "sent the dark elephant {what} twice{where}"),
    "command-light-twice": tr_c("turn", "sent the light elephant {what} twice{where}"),
    # how phrases follow each other
    "then": tr_c("turn", "{first}, then {second}"),
    "stuck": tr_c("turn", "{first}, then was stuck"),
    "list": tr_c("turn", "{first}, {second}"),
    "end-of-list": tr_c("turn", "{first} and {second}"),
}
"""Phrases without a subject: whose turn it was is shown beside them."""

PLANS = {
    "nobody": tr_c("plan", "move nobody{where}"),
    "step": tr_c("plan", "step{where}"),
    "step-twice": tr_c("plan", "step twice{where}"),
    "forward": tr_c("plan", "go forward {to}"),
    "back": tr_c("plan", "go back {to}"),
    "plant": tr_c("plan", "plant a seed{where}"),
    "plant-tree": tr_c("plan", "plant a seed{where} and grow a tree"),
    "dig": tr_c("plan", "dig up a seed{where}"),
    "dig-tree": tr_c("plan", "dig up a seed{where}, tree and all"),
    "build": tr_c("plan", "build a statue{where}"),
    "train-dark": tr_c("plan", "train the dark elephant{where}"),
    "train-light": tr_c("plan", "train the light elephant{where}"),
    "command-dark": tr_c("plan", "send the dark elephant {what}{where}"),
    "command-light": tr_c("plan", "send the light elephant {what}{where}"),
    "pull": tr_c("plan", "pull a statue{where}"),
    "push": tr_c("plan", "push {what}{where}"),
    "fell": tr_c("plan", "fell a tree{where}"),
    "squish": tr_c("plan", "squish {what}{where}"),
    "paradox": tr_c("plan", "lead {what} into itself{where}"),
    "crushed": tr_c("plan", "crush {what}{where}"),
    "trampled": tr_c("plan", "trample {what}{where}"),
    "deaths": tr_c("plan", "kill {what} copies"),
    "own-squish": tr_c("plan", "walk to its death{where}"),
    "own-paradox": tr_c("plan", "meet itself{where}: both die"),
    "own-crushed": tr_c("plan", "get crushed{where}"),
    "own-trampled": tr_c("plan", "get trampled{where}"),
}
"""What an action would do, as somebody is told to do it."""

_LONGEST, _LONGEST_ELSE = 110, 140
"""Characters of a sentence that tells who died where, in English and in other languages."""
_SEVERAL_ERAS = -1  # of a phrase that says no era
_TRAVELS = ("forward", "back")
_ELEPHANTS = ("dark", "light")
_COMMANDS = ("command-dark", "command-light")

Things = set[tuple[int, int, int]]  # era, space, kind


class TurnStory(NamedTuple):
    """What happened in a turn.

    `says` is a sentence without the focus and without a full stop, `focus` the era that the focus
    goes to. `path` are the places 0..47 where the copy that acts stood, its start first, then after
    each action; it ends where the copy died. `died` has where each dead copy stood before the
    action that killed it, and whose it was.
    """

    says: str
    focus: int
    path: tuple[int, ...]
    died: tuple[tuple[int, int], ...]


class Beat(NamedTuple):
    """One action of a turn: what it did, the position after it, and who died, as in a story."""

    says: str
    state: array[int]
    died: tuple[tuple[int, int], ...]


class _Part(NamedTuple):
    """A phrase, the era in which that happened, and what stands in the phrase."""

    phrase: str
    era: int
    what: str = ""


_Clause = list[_Part]  # what one action did; all of its own era comes first


def story_of(state: array[int], turn: int, options: int = 0, is_whole: bool = True) -> TurnStory:
    """Return what a turn, packed and legal in the position, does there.

    One that is not `is_whole` may go on, and its focus says nothing.
    """
    mover, focus = layout.mover(state), layout.turn_focus(turn)
    era = layout.focus(state, mover)
    done = list(_actions_of(state, turn, options))
    if not done:
        nobody = _Part("all-stuck" if state[3 * mover + era] else "nobody", era)
        return TurnStory(_sentence([[nobody]]), focus, (), ())
    clauses = [clause for clause, _ in done]
    path = [era << 4 | turn >> 12 & 15]
    path += (step.active for _, step in done if step.active != GONE)
    died = tuple(each for _, step in done for each in _died(step))
    is_stuck = is_whole and len(done) == 1 and len(path) > 1
    says = _sentence(clauses, is_stuck)
    if len(says) > (_LONGEST if spoken() == "en" else _LONGEST_ELSE):
        says = _sentence(_in_brief(clauses, len(died)), is_stuck)
    return TurnStory(says, focus, tuple(path), died)


def plan_of(state: array[int], turn: int, options: int = 0) -> str:
    """Return what a turn, packed and legal in the position, would do, and where that begins.

    Of each action the worst that comes of it is told.
    """
    era = layout.focus(state, layout.mover(state))
    worst = [clause[-1] for clause, _ in _actions_of(state, turn, options)]
    if not worst:
        return _phrase(_Part("nobody", era), True, is_plan=True)
    if worst[0].phrase == "step" and worst[1:] == worst[:1]:
        worst = [worst[0]._replace(phrase="step-twice")]
    eras = [None, *(part.era for part in worst)]
    told = [_phrase(it, it.era != was, is_plan=True) for it, was in zip(worst, eras, strict=False)]
    return PHRASES["then"].format(first=told[0], second=told[1]) if told[1:] else told[0]


def beats_of(state: array[int], turn: int, options: int = 0) -> list[Beat]:
    """Return what a turn, packed and legal in the position, does action by action."""
    done = _actions_of(state, turn, options)
    return [Beat(_sentence([clause]), step.state, (*_died(step),)) for clause, step in done]


def _actions_of(
    state: array[int], turn: int, options: int
) -> Iterator[tuple[_Clause, AfterAction]]:
    codes = [code for code in (turn >> 6 & 63, turn & 63) if code]
    start, before = turn >> 12 & 15, state
    at = layout.focus(state, layout.mover(state)) << 4 | start
    for code, step in zip(codes, play_actions(state, start, codes, options), strict=True):
        yield _clause(_Change(before, at, code, step)), step
        before, at = step.state, step.active


def _died(step: AfterAction) -> Iterator[tuple[int, int]]:
    return ((death.era << 4 | death.space, death.player) for death in step.deaths)


class Stories:
    """The stories of a game in progress; each is made once, however often they are asked for."""

    def __init__(self) -> None:
        self._begun = array("H"), 0  # the position at the start, and the options
        self._turns = array("I")
        self._stories: list[TurnStory] = []

    def of(self, game: Game) -> Sequence[TurnStory]:
        """Return the stories of all turns of a game, which may be another one than last time."""
        words = len(game.state)
        begun = (game.past or game.state)[:words], game.options
        if begun != self._begun:
            self._begun, self._turns = begun, array("I")
        if game.turns != self._turns or not self._turns:
            pairs = enumerate(zip(self._turns, game.turns, strict=False))
            differs = (at for at, (one, other) in pairs if one != other)
            known = next(differs, min(len(self._turns), len(game.turns)))
            self._stories = self._stories[:known] + [
                story_of(game.past[at * words : (at + 1) * words], game.turns[at], game.options)
                for at in range(known, len(game.turns))
            ]
            self._turns = game.turns[:]
        return self._stories


# ---- what an action did


class _Change:
    """An action of the copy on a place, and what it made of the position."""

    def __init__(self, before: array[int], start: int, code: int, step: AfterAction) -> None:
        self.before, self.after = before, step.state
        self.start, self.code, self.step = start, code, step
        self.era, self.mover = start >> 4, layout.mover(before)
        were, are = set(objects.objects_of(before)), set(objects.objects_of(step.state))
        self.went: Things = were - are
        self.came: Things = are - were


def _clause(change: _Change) -> _Clause:
    eras_felled = sorted({era for era, _, kind in change.came if FALLEN <= kind < STATUE})
    felled = [_Part("fell", era) for era in eras_felled]
    done = [_aim(change), *_moved_along(change), *felled, *_deaths(change)]
    if done[0].phrase == "step" and len(done) > 1:
        del done[0]  # that it took a step goes without saying
    return sorted(done, key=lambda part: part.era != done[0].era)


def _aim(change: _Change) -> _Part:
    """Return what the copy that acts does itself."""
    code, era = change.code, change.era
    if code in (FORWARD, BACK):
        return _Part(*(("forward", era + 1) if code == FORWARD else ("back", era - 1)))
    if code < PLANT:
        return _Part("step", era)
    if code < DIG:
        return _Part("plant-tree" if _has_tree(change.came) else "plant", era)
    if code < BUILD:
        return _Part("dig-tree" if _has_tree(change.went) else "dig", era)
    if code < TRAIN:
        return _Part("build", era)
    if code < COMMAND:
        was, now = (objects.hat(state, era, 0) for state in (change.before, change.after))
        return _Part(f"train-{_ELEPHANTS[not now == change.mover != was]}", era)
    which, way = divmod(code - COMMAND, 8)
    return _Part(f"command-{_ELEPHANTS[which]}", era, names.DIRECTIONS[way & 3])


def _has_tree(things: Things) -> bool:
    return any(TREE <= kind < STATUE for _, _, kind in things)


def _moved_along(change: _Change) -> Iterator[_Part]:
    """Yield what was pulled, and what was pushed and lives, in the era of the action."""
    code, era = change.code, change.era
    if code in (FORWARD, BACK) or PLANT <= code < COMMAND:
        return  # what a new statue pushes lies in later eras
    pulls = PULL <= code < PLANT or bool(code >= COMMAND and code - COMMAND & 4)
    if pulls:
        yield _Part("pull", era)
    pushed = [player for player in (1 - change.mover, change.mover) if _came(change, player)]
    copies = (
        COPIES_OF_BOTH if len(pushed) == 2 else "".join(str(names.PLAYERS[it]) for it in pushed)
    )
    if len(_statues(change.went, era) & _statues(change.came, era)) > pulls:
        copies = WITH_A_STATUE.format(copies=copies) if copies else A_STATUE
    if copies:
        yield _Part("push", era, copies)


def _came(change: _Change, player: int) -> int:
    """Return the mask of the spaces that copies of a player were pushed to, in the era."""
    word, active = 3 * player + change.era, change.step.active
    came = change.after[word] & ~change.before[word]
    if player == change.mover and active >> 4 == change.era:
        came &= ~(1 << (active & 15))
    return came


def _statues(things: Things, era: int) -> set[int]:
    return {kind for there, _, kind in things if there == era and STATUE <= kind < ELEPHANT}


def _deaths(change: _Change) -> _Clause:
    """Return who died of what in each era; the copy that acts, with who it met, is the last."""
    mover, others = change.mover, list(change.step.deaths)
    own = []
    if change.step.active == GONE:
        me = next(
            death
            for death in others
            if (death.player, death.era << 4 | death.space) == (mover, change.start)
        )
        own.append(_Part(f"own-{me.cause}", me.era))
        others.remove(me)
        if me.cause == CAUSES[PARADOX]:
            others = [it for it in others if (it.player, it.era) != (me.player, me.era)]
    told = dict.fromkeys(
        _Part(death.cause, death.era, names.PLAYERS[death.player])
        for death in sorted(others, key=lambda it: (it.era, it.player == mover))
    )
    return [*(told if len(told) < 2 else [_killed(len(others))]), *own]


def _killed(count: int) -> _Part:
    return _Part("one-death" if count == 1 else "deaths", _SEVERAL_ERAS, str(count))


def _in_brief(clauses: Sequence[_Clause], deaths: int) -> list[_Clause]:
    """Return what each action began with, and how many died of all that."""
    brief = [clause[:1] for clause in clauses]
    if deaths:
        killing = brief[0] if brief[-1][0].phrase in _TRAVELS else brief[-1]
        killing.append(_killed(deaths))
    return brief


# ---- how it is told


def _sentence(clauses: Sequence[_Clause], is_stuck: bool = False) -> str:
    """Return what one or two actions did; where it happened is said once, if it can be.

    Where somebody travels to says where from.
    """
    first, *rest = clauses
    if not rest:
        text = _clause_text(first, True)
        return _begun(PHRASES["stuck"].format(first=text) if is_stuck else text)
    (second,) = rest
    if len(first) == len(second) == 1 and (both := _in_one(first[0], second[0])):
        return _begun(both)
    if first[0].phrase in _TRAVELS:
        says_first = says_second = False
    else:
        is_far = first[-1].era != first[0].era
        says_first = first[0].phrase != "step" and (is_far or second[0].phrase == "step")
        says_second = second[0].phrase != "step"
    if first[0].phrase == "back":
        first = [first[0]._replace(phrase="back-first")]
    elif first[0].phrase == second[0].phrase in _COMMANDS:
        second = [second[0]._replace(phrase="command-again"), *second[1:]]
    text = PHRASES["then"].format(
        first=_clause_text(first, says_first), second=_clause_text(second, says_second)
    )
    return _begun(text)


def _in_one(first: _Part, second: _Part) -> str:
    """Return two actions as one phrase, "" where there is none for them."""
    is_same = (first.phrase, first.what) == (second.phrase, second.what)
    key = f"{first.phrase}-twice" if is_same else f"{first.phrase}+{second.phrase}"
    return _phrase(second._replace(phrase=key), True, first.what) if key in PHRASES else ""


def _clause_text(clause: _Clause, says_where: bool) -> str:
    """Return what an action did; `says_where` for its own era, others are always named."""
    own = clause[0].era
    after = [part.era for part in clause[1:]] + [None]
    return _sentence_list(
        [
            _phrase(part, part.era != then and (part.era != own or says_where))
            for part, then in zip(clause, after, strict=True)
        ]
    )


def _phrase(part: _Part, says_where: bool, before: str = "", is_plan: bool = False) -> str:
    where = f" {IN_ERA[part.era]}" if says_where else ""
    phrase = (PLANS if is_plan else PHRASES)[part.phrase]
    return phrase.format(where=where, to=TO_ERA[part.era], what=part.what, before=before).strip()


def _sentence_list(texts: Sequence[str]) -> str:
    """Return "a", "a and b", or "a, b and c"."""
    text = texts[0]
    for at, more in enumerate(texts[1:], 2):
        text = PHRASES["end-of-list" if at == len(texts) else "list"].format(
            first=text, second=more
        )
    return text


def _begun(text: str) -> str:
    return text[0].upper() + text[1:]
