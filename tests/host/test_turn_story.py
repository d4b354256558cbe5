"""What happened in a turn: the sentence, and where the boards show it."""

from __future__ import annotations

import random
from array import array

import pytest

from chronotable_host.rules import turn_story
from chronotable_host.rules.notation import format_position, format_turn, parse_position, parse_turn
from chronotable_host.rules.turn_story import PHRASES, PLANS, Stories, TurnStory, plan_of, story_of
from chronotable_host.web.view import count_copies
from tests import lanes, sweep
from tests.oracle import chapters
from tests.oracle.pieces import MODULES
from tests.rules.samples import wild
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import GONE, RECORD_WORDS
from ttykm.objects import ALL_MODULES, GROWTH, INFLUENCE, MEMORY

START = "w..............b/w..............b/w..............b"
LONGEST = 120
LONGEST_STANDARD = 85  # in crowded positions; most are much shorter
WORDS = {  # of each module, in phrases
    GROWTH: ("seed", "tree", "crushed"),
    INFLUENCE: ("statue",),
    MEMORY: ("elephant", "sent it", "trampled"),
}

SAID = [
    # one copy alone
    (f"{START} 0 2 4 4 w", "1 E S >present", "Stepped twice in the past"),
    (f"{START} 0 2 4 4 w", "1 E F >present", "Stepped, then went forward to the present"),
    ("w..............b/w..............b/.w.............b 2 2 4 4 b", "16 N B >past",
     "Stepped, then went back to the present; a copy stays"),
    ("................/...............b/w..............b 2 2 4 4 w", "1 B E >past",
     "Went back to the present, a copy stays, then stepped"),
    ("w..............b/................/...............b 0 2 4 4 w", "1 F E >present",
     "Went forward to the present, then stepped"),
    ("w..............b/................/...............b 0 2 4 4 w", "1 F F >present",
     "Went forward twice, to the future"),
    ("..w............b/................/w..............b 2 2 4 4 w", "1 B B >past",
     "Went back twice, to the past; two copies stay"),
    ("..w............b/................/w..............b 0 2 4 4 w", "3 F B >future",
     "Went forward and back to the past; a copy stays"),
    ("...............b/w..............b/w..............b 0 2 4 4 w", ">future",
     "Had nobody to move in the past"),
    # pushes and deaths
    ("w..............b/w....b.........b/w..............b 1 2 4 4 w", "1 S E >past",
     "Stepped and pushed Black in the present"),
    ("w..............b/wb.............b/w..............b 1 2 4 4 w", "1 E E >past",
     "Pushed Black twice in the present"),
    ("w..............b/wb.b...........b/w..............b 1 2 4 4 w", "1 E S >past",
     "Pushed Black in the present, then stepped"),
    ("wbw............b/................/w..............b 0 2 4 4 w", "1 E S >future",
     "Pushed a whole line in the past, then stepped"),
    ("w..............b/w..............b/..........bw...b 2 2 4 4 b", "11 E N >past",
     "Squished White in the future, then stepped"),
    (".w.............b/..wb............/..wb...........b 1 2 4 4 w", "3 E B >past",
     "Squished Black, then went back to the past; a copy stays"),
    (".wbw............/...............b/w..............b 0 2 4 4 w", "2 E S >future",
     "Pushed Black and squished White in the past, then stepped"),
    ("wbwb............/...............b/w..............b 0 2 4 4 w", "1 E S >future",
     "Pushed a whole line and squished Black in the past, then stepped"),
    ("w.bb...........b/................/w..............b 0 2 4 4 w", "1 E E >future",
     "Stepped, then led Black into itself in the past"),
    ("wbww...........b/...............b/w..............b 0 2 4 4 w", "1 E S >future",
     "Pushed Black and led White into itself in the past, then stepped"),
    ("ww.............b/...............b/w..............b 0 2 4 4 w", "1 E >future",
     "Met itself in the past: both died"),
    ("...............b/w..............b/.w.............b 1 2 0 4 w", "1 F E >past",
     "Went forward to the future, then met itself: both died"),
    # growth
    (f"{START} 0 2 4 4 w growth -/-/- seeds=5", "1 pE S >present",
     "Planted a seed in the past and grew a tree, then stepped"),
    (f"{START} 1 2 4 4 w growth -/-/- seeds=5", "1 S pN >past",
     "Stepped, then planted a seed in the present"),
    (f"{START} 0 2 4 4 w growth -/-/- seeds=5", "1 pE pS >present",
     "Planted two seeds in the past and grew two trees"),
    (f"{START} 0 2 4 4 w growth *1/sh2/- seeds=4", "1 do S >present",
     "Dug up a seed in the past, then stepped"),
    (f"{START} 0 2 4 4 w growth *2/sh2/F3<2 seeds=4", "1 dE S >present",
     "Dug up a seed in the past, tree and all, then stepped"),
    (f"{START} 2 0 4 4 w growth -/-/T2 seeds=4", "1 E S >present",
     "Felled a tree in the future, then stepped"),
    ("w..............b/w..............b/w.b............b 2 0 4 4 w growth -/-/T2 seeds=4",
     "1 E S >present", "Felled a tree and crushed Black in the future, then stepped"),
    ("w..............b/w..............b/wb............w. 2 0 4 4 w growth -/-/T3 seeds=4",
     "1 E S >present", "Pushed Black and felled a tree in the future, then stepped"),
    ("w..............b/w..............b/wb............w. 2 0 4 4 w growth -/-/sh3 seeds=4",
     "1 E S >present", "Squished Black in the future, then stepped"),
    ("w..............b/................/...............b 0 2 0 4 w growth"
     " sh2,sh5/sh2,sh5/sh1 seeds=0", "1 F >present", "Went forward to the present, then was stuck"),
    ("w..............b/................/w..............b 0 2 4 4 w growth sh2,sh5/sh1/- seeds=0",
     ">future", "Could not move anybody in the past"),
    # influence
    (f"{START} 0 2 4 4 w influence -/-/- statues=wb", "1 sE S >present",
     "Built a statue in the past, then stepped"),
    ("w..............b/wbb............b/w..............b 0 2 4 4 w influence -/-/- statues=wb",
     "1 sE S >present",
     "Built a statue in the past and led Black into itself in the present, then stepped"),
    (f"{START} 0 2 4 4 w influence nN3/nN3/- statues=b", "1 E E >present",
     "Stepped and pushed a statue in the past"),
    ("w..............b/w..............b/.w.b..........b. 2 0 4 4 w influence -/-/nN1 statues=wb",
     "2 E* S >present", "Pulled a statue in the future, then stepped"),
    ("w..............b/w..............b/.wb...........b. 2 0 4 4 w influence -/-/nN1 statues=wb",
     "2 E* S >present", "Pulled a statue and pushed Black in the future, then stepped"),
    ("w..............b/w..............b/wb............b. 2 0 4 4 w influence -/-/nN3 statues=wb",
     "1 E S >present", "Pushed Black and a statue in the future, then stepped"),
    (".....w.........b/w......b......../..........bb.... 0 2 4 4 w influence nN7/nN7/nN10"
     " statues=wb", "6 E S >future",
     "Pushed a statue in the past and killed 3 copies, then stepped"),
    # memory
    (f"{START} 0 2 4 4 w memory eD2/eD2/eD2", "1 tE S >present",
     "Trained the dark elephant in the past, then stepped"),
    (f"{START} 0 2 4 4 w memory eD5,eL2/eL2/eL2", "1 tE tS >present",
     "Trained the light elephant, then trained the dark elephant in the past"),
    (f"{START} 0 2 4 4 w memory eD3w/eD2/eD2", "1 cD:S S >present",
     "Sent the dark elephant south in the past, then stepped"),
    (f"{START} 0 2 4 4 w memory eD3w/eD2/eD2", "1 cD:S cD:E >present",
     "Sent the dark elephant south and east in the past"),
    (f"{START} 0 2 4 4 w memory eL4w/eD2/eD2", "1 cL:S cL:S >present",
     "Sent the light elephant south twice in the past"),
    ("w..b...........b/w..............b/w..............b 0 2 4 4 w memory eL3w/eD2/eD2",
     "1 cL:E cL:W >present",
     "Sent the light elephant east and trampled Black, then sent it west in the past"),
    ("w..b...........b/w..............b/w..............b 0 2 4 4 w memory eD2w/-/-",
     "1 cD:W >present", "Sent the dark elephant west and got trampled in the past"),
    (".wb............b/w..............b/w..............b 0 2 4 4 w memory eD4/-/-",
     "2 E S >present", "Squished Black in the past, then stepped"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "turn", "sentence"), SAID)
def test_a_turn_as_a_friend_would_tell_it(position: str, turn: str, sentence: str) -> None:
    game = Game()
    game.start(parse_position(position))
    state, packed = array("H", game.state), parse_turn(turn)
    game.apply(packed)  # it is legal
    assert story_of(state, packed).says == sentence


def test_who_died_stood_there_before_the_action() -> None:
    state = parse_position("w.bb...........b/................/w..............b 0 2 4 4 w")
    story = story_of(state, parse_turn("1 E E >future"))
    assert story == TurnStory(
        "Stepped, then led Black into itself in the past", 2, (0, 1, 2), ((3, 1), (2, 1))
    )


def test_options_decide_what_happened() -> None:
    state = parse_position(f"{START} 0 2 4 4 w growth sh2/-/- seeds=5")
    turn = parse_turn("1 E >present")
    story = story_of(state, turn, layout.VOLUNTARY_SUICIDE)
    assert story == TurnStory("Walked to its death in the past", 1, (0,), ((0, 0),))


# ---- any turn


def check(state: array[int], turn: int, options: int = 0) -> TurnStory:
    """See that a story is true as far as the boards tell, and fit to be read."""
    where = format_position(state), format_turn(turn), options
    story = story_of(state, turn, options)
    game = Game()
    game.start(state, options)
    after = array("H", state)
    assert game.after(turn, after), where
    before, now = count_copies(state), count_copies(after)
    dead = [player for _, player in story.died]
    assert [before[player] - now[player] for player in range(2)] == [
        dead.count(player) for player in range(2)
    ], where
    sequence, mover = turn & 0xFFFF, layout.mover(state)
    if sequence:
        tree = game.scratch
        index = tree.follow(state, sequence, options)
        active = tree.records[index * RECORD_WORDS + layout.ACTIVE]
        actions = 1 + (sequence & 63 != 0)
        assert len(story.path) == actions + (active != GONE), where
        if active != GONE:
            assert story.path[-1] == active, where
            assert after[3 * mover + (active >> 4)] >> (active & 15) & 1, where
        assert story.path[0] == layout.focus(state, mover) << 4 | sequence >> 12, where
    else:
        assert story.path == story.died == (), where
    assert story.focus == layout.focus(after, mover), where
    modules = objects.modules_of(state)
    assert 0 < len(story.says) <= (LONGEST if modules else LONGEST_STANDARD), (where, story.says)
    assert story.says[0].isupper(), (where, story.says)
    assert not story.says.endswith("."), (where, story.says)
    assert not set("{}") & set(story.says), (where, story.says)
    assert "  " not in story.says, (where, story.says)
    for module, words in WORDS.items():
        if not modules & module:
            assert not any(word in story.says for word in words), (where, story.says)
    return story


@lanes.gate
@pytest.mark.parametrize("modules", lanes.first(range(ALL_MODULES + 1), 3))
def test_every_turn_of_random_games(modules: int) -> None:
    seed = 40 + modules
    print("seed", seed)
    rng = random.Random(seed)
    for number in range(sweep.size(8, 40)):
        game, stories = Game(), Stories()
        options = rng.randrange(32) if number % 2 else 0
        game.start(objects.new_state(modules, rng.randrange(2), rng.randrange(3)), options)
        while len(game.turns) < 40 and (legal := list(game.legal_turns())):
            turn = rng.choice(legal)
            story = check(game.state, turn, options)
            game.apply(turn)
            assert stories.of(game)[-1] == story


@pytest.mark.parametrize("modules", lanes.first(range(ALL_MODULES + 1), 3))
def test_turns_in_crowded_positions(modules: int) -> None:
    """Where lines are long and deaths many, the sentences are still short enough."""
    seed = 50 + modules
    print("seed", seed)
    rng = random.Random(seed)
    names = [name for bit, name in enumerate(MODULES) if modules >> bit & 1]
    for _ in range(sweep.size(25, 150)):
        game = Game()
        game.start(parse_position(chapters.format_position(wild(rng, names))))
        legal = list(game.legal_turns())
        for turn in rng.sample(legal, min(8, len(legal))):
            check(game.state, turn)


@lanes.gate
def test_every_phrase_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """None stands in the table for nothing: games and crowded positions need them all."""
    seed = 60
    print("seed", seed)
    rng = random.Random(seed)
    due = {*PHRASES.values(), *PLANS.values()}

    class Noticed(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            due.discard(super().__getitem__(key))
            return super().__getitem__(key)

    monkeypatch.setattr(turn_story, "PHRASES", Noticed(PHRASES))
    monkeypatch.setattr(turn_story, "PLANS", Noticed(PLANS))
    for position, turn, _ in SAID:
        story_of(parse_position(position), parse_turn(turn))
        plan_of(parse_position(position), parse_turn(turn))
    for number in range(600):
        names = [name for bit, name in enumerate(MODULES) if number % 8 >> bit & 1]
        game = Game()
        options = layout.VOLUNTARY_SUICIDE | layout.VOLUNTARY_SUICIDE_ELEPHANT
        game.start(parse_position(chapters.format_position(wild(rng, names))), options)
        legal = list(game.legal_turns())
        for turn in rng.sample(legal, min(12, len(legal))):
            story_of(game.state, turn, options)
            plan_of(game.state, turn, options)
    assert due == set()


@pytest.mark.parametrize(
    ("position", "turn", "plan"),
    [
        (f"{START} 0 2 4 4 w", "1 E S >present", "step twice in the past"),
        (
            "w..............b/................/...............b 0 2 4 4 w",
            "1 F E >present",
            "go forward to the present, then step",
        ),
        (
            "w..............b/wb.b...........b/w..............b 1 2 4 4 w",
            "1 E S >past",
            "push Black in the present, then step",
        ),
        (
            "...............b/w..............b/w..............b 0 2 4 4 w",
            ">future",
            "move nobody in the past",
        ),
    ],
)
def test_a_plan_says_what_is_to_be_done_and_where(position: str, turn: str, plan: str) -> None:
    assert plan_of(parse_position(position), parse_turn(turn)) == plan


# ---- a game in progress


def fresh(game: Game) -> list[TurnStory]:
    replay, stories = Game(), []
    words = len(game.state)
    replay.start((game.past + game.state)[:words], game.options)
    for turn in game.turns:
        stories.append(story_of(replay.state, turn, replay.options))
        replay.apply(turn)
    return stories


def play_on(game: Game, rng: random.Random, count: int) -> None:
    for _ in range(count):
        legal = list(game.legal_turns())
        if legal:
            game.apply(rng.choice(legal))


def test_stories_follow_a_game_that_is_taken_back_left_and_begun_anew() -> None:
    seed = 70
    print("seed", seed)
    rng = random.Random(seed)
    game, stories = Game(), Stories()
    assert stories.of(game) == []
    for number in range(sweep.size(60, 300)):
        what = rng.randrange(5)
        if what == 0 and number % 3 == 0:
            modules = rng.randrange(ALL_MODULES + 1)
            state = objects.new_state(modules, rng.randrange(2), rng.randrange(5))
            game.start(state, rng.choice((0, layout.STRICT_TWO_ACTIONS)))
        elif what == 1:
            game.start(game.state, game.options)  # set up as it stands
        elif what == 2:
            for _ in range(rng.randrange(len(game.turns) + 1)):
                game.undo()
            play_on(game, rng, rng.randrange(3))
        else:
            play_on(game, rng, rng.randrange(1, 4))
        assert list(stories.of(game)) == fresh(game), number
        assert len(stories.of(game)) == len(game.turns)


def test_another_game_with_the_same_turns_is_told_anew() -> None:
    game, stories = Game(), Stories()
    turn = parse_turn("1 E S >present")
    game.start(parse_position(f"{START} 0 2 4 4 w"))
    game.apply(turn)
    assert stories.of(game)[0].says == "Stepped twice in the past"
    game.start(parse_position("wb.............b/w..............b/w..............b 0 2 4 4 w"))
    game.apply(turn)
    assert stories.of(game)[0].says == "Pushed Black in the past, then stepped"


def test_each_story_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def noted(state: array[int], turn: int, options: int) -> TurnStory:
        made.append(turn)
        return story_of(state, turn, options)

    monkeypatch.setattr(turn_story, "story_of", noted)
    game, stories = Game(), Stories()
    rng = random.Random(1)
    for _ in range(6):
        play_on(game, rng, 1)
        for _ in range(3):
            stories.of(game)
    assert made == list(game.turns)
    game.undo()
    stories.of(game)
    assert len(made) == 6
