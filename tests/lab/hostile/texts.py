"""Valid texts, files and lines, from which hostile ones are made."""

from __future__ import annotations

import json
from array import array
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from chronotable.hardware.sensors import SENSORS
from chronotable.link.frames import encode
from chronotable.link.messages import pack_leds
from chronotable.link.packed import pack_objects, pack_position
from chronotable_host.hardware import boards
from chronotable_host.live.texts.message_texts import ROWS, fields_of
from chronotable_host.rules.notation import format_position, format_turn
from chronotable_host.rules.record import RESULTS, Record, format_record
from chronotable_host.vectors import Tally, verify_text
from tests.lab.people.recorder import Recorder
from tests.lab.positions import random_game
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import NOBODY

if TYPE_CHECKING:
    from chronotable.link.messages import Row

_VECTORS = Path(__file__).parents[2] / "vectors"
_TURNS = (3, 9, 80, 2, 30, 80)  # of each game, at most
_TURNS_WITH_MODULES = 12
_SHORT_GAME = ("1 E F >future", "16 W B >present", "1 S B >past")
POSITION_DIGITS = 29
OBJECT_DIGITS = 51
_MODES = ("lenient", "strict", "noself")


@cache
def games() -> tuple[Game, ...]:
    """Return the games from which the texts are made; some are short, some have options."""
    return tuple(random_game(seed, most) for seed, most in enumerate(_TURNS))


@cache
def games_with_modules() -> tuple[Game, ...]:
    """Return a game of every set of modules; one of them begins in the middle of another."""
    play = partial(random_game, most_turns=_TURNS_WITH_MODULES)
    found = [play(modules, start=objects.new_state(modules)) for modules in range(1, 8)]
    return (*found, play(8, start=found[-1].state))


def start_of(game: Game) -> array[int]:
    """Return the position that a game began with; the game stays as it was."""
    undone = []
    while game.turns:
        undone.append(game.undo())
    start = array("H", game.state)
    while undone:
        game.apply(undone.pop())
    return start


@cache
def records() -> tuple[str, ...]:
    """Return records of the games, with comments, strange names, and a result where one won."""
    found = []
    for number, game in enumerate(games()):
        record = Record()
        record.headers["White"] = ("?", 'An "A"', "\\", "Ö [1]")[number % 4]
        for turn_no, turn in enumerate(game.turns):
            record.add(turn, ("", f"{turn_no}.50 s, certain", "took back >past")[turn_no % 3])
        if game.winner() != NOBODY:
            record.finish(RESULTS[game.winner()], "normal")
        elif number % 2:
            record.finish("1/2-1/2", "agreed")
        found.append(format_record(record))
    found.append(found[0].replace("\n", "\r\n"))
    first, *others = (f"{number}. {text}" for number, text in enumerate(_SHORT_GAME, 1))
    found.append(f"{{before}} {first} {{a}} {{}} {{b;\n c}}\n {{ }} {others[0]}{{\\{{}}{others[1]}")
    found.append(" ".join(found[0].split()) + " *")
    found.append(f"{first} ( 1. 1 E E >past {{x}} ( 1. 1 S S >past) {{y}} ) (1. 1 F S >present)")
    found.append(f'[white "\\\\"] [Black "a \\"] b" ] [Own "\\\\\\""]\n{first}')
    return tuple(found)


@cache
def collections() -> tuple[str, ...]:
    short = [text for text in records() if len(text) < 1500]
    return ("\n".join(short), short[0] + short[0], *short)


@cache
def positions() -> tuple[str, ...]:
    found = [format_position(game.state) for game in games()]
    found += [format_position(layout.new_state()), found[0].upper(), found[1].replace("/", " / ")]
    found += [format_position(game.state) for game in games_with_modules()]
    return (*found, f"{found[2]} growth *10/sh10/T10 seeds=4")


@cache
def turns() -> tuple[str, ...]:
    found = {format_turn(turn) for game in games() for turn in game.turns}
    return (*sorted(found), ">past", " 6  e f > FU")


@cache
def options() -> tuple[str, ...]:
    return ("strict_two_actions=true", "strict_two_actions=false STRICT_TWO_ACTIONS=TRUE", "")


@cache
def board_files() -> tuple[str, ...]:
    return tuple(boards.find(name).read_text("utf-8") for name in boards.names())


@cache
def scripts() -> tuple[str, ...]:
    """Return scripts: what a recorder writes, and a line of every other kind of event."""
    recorder = Recorder()
    recorder.begin(layout.new_state(), 1, 100.0)
    for number, (sensor, closed) in enumerate(((0, False), (1, True), (48, False), (50, True))):
        recorder.contact(200.0 + 300 * number, sensor, closed)
    recorder.press(2000.0, "undo", 0)
    recorder.press(2300.0, "a", 0)
    events = (
        *('"cell":[1,2],"closed":true', '"stuck":"past 3","closed":"flicker"'),
        *('"slow":"pr 7","ms":30.5', '"diode":"button a","present":false', '"row":0,"cut":true'),
        *('"column":7,"cut":false', '"bounce_ms":4', '"unplug":true', '"plug":true'),
        *('"power":"off"', '"power":"on"', '"press":"resign","side":"b"', '"gap":[3,9]'),
    )
    lines = [f'{{"t_ms":{100 * number},{event}}}' for number, event in enumerate(events)]
    return (recorder.script(), "\n".join(lines), "\n".join(lines[:-1]), *lines)


@cache
def settings() -> tuple[str, ...]:
    return (
        *("hints_white=off hints_black=consequences", "brightness=night", "brightness=256"),
        *("palette=colour-blind rest_ms=200 settle_ms=2000", "rest_ms=10000 REST_MS = 300"),
    )


@cache
def commands() -> tuple[str, ...]:
    fixed = ("a", "b", "c", "none", "undo", "new", "help", "?", "resign white", "draw b", "")
    return (*fixed, *(f"set {words}" for words in settings()))


@cache
def vectors() -> tuple[str, ...]:
    """Return vector files of each kind: games by line, perft counts and examples."""
    entries = []
    for number, game in enumerate(games()[:4]):
        start = format_position(layout.new_state())
        entry = {
            "id": number,
            "mode": "lenient",
            "options": {"strict_two_actions": False},
            "start": start,
            "turns": [format_turn(turn) for turn in game.turns[:9]],
        }
        if len(game.turns) < 9:
            entry |= {"final": format_position(game.state), "winner": None}
        entries.append(entry)
    long_form = {
        "eras": [{"white": [1], "black": [16]}] * 3,
        "focus": {"white": "past", "black": "future"},
        "supply": {"white": 4, "black": 4},
        "mover": "white",
    }
    turn = {"copy": 1, "actions": ["E", "F"], "focus": "future", "pos": long_form}
    entries.append({"name": "long", "start": long_form, "turns": [turn, {"focus": "past"}]})
    count = {"sequences": 2, "positions": 2, "wins": 0}
    perft = {"perft": [{"name": "p", "pn": start, "counts": dict.fromkeys(_MODES, [count] * 2)}]}
    example = {"name": "e", "start": start, "copy": 1, "actions": ["E"], "dead": [], "after": start}
    example |= {
        "active": "past 2",
        "illegal_next": ["N"],
        "copies_allowed": [1],
        "turns": [">past"],
    }
    lines = [json.dumps(entry) for entry in entries]
    return (*lines, json.dumps(perft), json.dumps({"examples": [example]}))


@cache
def vector_files() -> tuple[str, ...]:
    """Return files for `verify`: vectors, one or many to a file, and records."""
    return (*vectors(), "\n".join(vectors()[:4]), *collections(), *night_vectors())


@cache
def night_vectors() -> tuple[str, ...]:
    """Return the beginning of a game, and a few examples, of each game of a night."""
    found = []
    for path in sorted(_VECTORS.glob("*_games.jsonl")):
        name = path.name.removesuffix("_games.jsonl")
        with path.open(encoding="utf-8") as file:
            game = json.loads(file.readline())
        begun = {**game, "steps": game["steps"][:6], "states": {}, "views": {}, "outcome": None}
        examples = json.loads((_VECTORS / f"{name}_examples.json").read_text("utf-8"))
        few = {key: each[:2] if isinstance(each, list) else each for key, each in examples.items()}
        found += [json.dumps(begun), json.dumps(few)]
    for text in found:  # what is loaded once is loaded
        list(verify_text(text, "", Tally()))
    return tuple(found)


@cache
def sensors() -> tuple[str, ...]:
    return ("past 3", "PR 16", "focus white past", "focus black fut", "button undo white")


# ---- lines of the link


@cache
def lines() -> tuple[bytes, ...]:
    """Return a line for every message, with fields that fit."""
    rng = Random(1)
    return tuple(encode(7, 3, row[0], any_payload(rng, row)) for row in ROWS for _ in range(4))


def any_payload(rng: Random, row: Row) -> str:
    """Return a payload in which every field of a message is of its kind, at edges or anywhere."""
    payload = ""
    fields = fields_of(row)
    for place, (_, kind, size, letters) in enumerate(fields, 1):
        payload += any_field(rng, kind, size, letters)
        if kind == "t" and place < len(fields):
            payload += ","
    return payload


def any_field(rng: Random, kind: str, size: int, letters: str = "") -> str:
    """Return what a field of a message can have, as `chronotable.link.messages` spells kinds."""
    if kind == "f":
        return rng.choice("01")
    if kind == "c":
        return rng.choice(letters or "abcnwrstpqo0?~")
    if kind == "t":
        return "".join(rng.choices('abz _-~!"[]\\', k=rng.randint(0, size)))
    if kind == "p" and size in (POSITION_DIGITS, OBJECT_DIGITS) and rng.random() < 0.8:
        state = rng.choice((*games(), *games_with_modules())).state
        position = pack_position(state if rng.random() < 0.8 else _crowd(rng))
        things = pack_objects(state, position) or "0" * OBJECT_DIGITS
        return position if size == POSITION_DIGITS else things
    if kind == "l":
        return pack_leds(bytes(rng.choices(range(32), k=SENSORS)))
    edges = ["0" * size, "f" * size, "1".zfill(size), "7" + "f" * (size - 1), "8".ljust(size, "0")]
    if kind == "o":
        edges.append("-" * size)
    if rng.random() < 0.4:
        return f"{rng.randrange(9):0{size}x}"
    return rng.choice((*edges, f"{rng.getrandbits(4 * size):0{size}x}"))


def _crowd(rng: Random) -> array[int]:
    """Return a position with more copies than a game can have."""
    white = [rng.getrandbits(16) for _ in range(3)]
    black = [rng.getrandbits(16) & ~mask for mask in white]
    return array("H", [*white, *black, layout.pack_meta(7, 7, 0, rng.randrange(3), 0)])
