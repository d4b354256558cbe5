"""What the emulated RP2040 tells: scan, gaps, light, heap and link, each while a game is played."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from random import Random

from chronotable.sensors import SPACES
from chronotable_host.bench.figures import Figure, slope, spread
from chronotable_host.bench.positions import sample
from chronotable_host.bench.rig import (
    ABSENT,
    DEAF,
    MISS_MS,
    READING,
    Rig,
    Scan,
    Trouble,
    values_of,
)
from chronotable_host.virtual.hand import Gesture, act_out
from chronotable_host.virtual.person import Person
from chronotable_host.virtual.tracker_place import TrackerPlace
from ttykm import layout
from ttykm.game import Game
from ttykm.layout import NOBODY

GROUP_OF = {"event": "latency"}
"""Figures that another group's measurement gives as well."""

Report = Callable[[str, int, int], None]
"""Hears what is being done, and how much of how much is done."""

_LOOK_MS = 170.0  # from a gesture to the look at what it lit: well before anything settles
_SETTLE_MS = 250
_FAST_MS = (60, 110)  # between gestures where only the number of turns matters
_GAP_TURNS = 12
_MOST_TURNS = 60
_PATIENCE_MS = 2500.0
_KB = 1024
_TREND_GAMES = 10  # what is made at its first use, in whichever game, is no trend


def measure_scan(image: Path, report: Report) -> list[Figure]:
    """Scan time and the gaps between scans while turns are played, for three kinds of hosts."""
    turns = quiet_game(_GAP_TURNS)
    scans: list[Scan] = []
    figures: list[Figure] = []
    for done, (key, host) in enumerate(
        (("gap_host", READING), ("gap_absent", ABSENT), ("gap_deaf", DEAF))
    ):
        rig = Rig(image, host)
        try:
            for number, gestures in enumerate(turns):
                report(f"scans, host {host}", done * len(turns) + number, 3 * len(turns))
                for gesture in gestures:
                    rig.run(gesture.after_ms)
                    rig.move(gesture)
            rig.run(1500)
            rig.check_alive()
            found = _gaps(rig.scans)
            figures.append(Figure(key, _round(found, 3), remark=_played(rig, len(turns))))
            scans += rig.scans
            if host == READING:
                figures.append(_loop_figure(rig))
        finally:
            rig.runtime.close()
    took = spread(1000 * scan.took_ms for scan in scans)
    charged = spread(1000 * (scan.took_ms + MISS_MS * scan.misses) for scan in scans)
    figures.append(Figure("scan", _round(took, 1), _round(charged, 1), "the probe's 1 us included"))
    why = f"{len(scans)} scans ran with the heap locked, as in every hard interrupt"
    figures.append(Figure("scan_heap", {"value": 0}, remark=why))
    return figures


def _gaps(scans: list[Scan]) -> dict[str, float]:
    starts = [scan.begun_ms for scan in scans]
    return spread(second - first for first, second in pairwise(starts))


def _played(rig: Rig, turns: int) -> str:
    """Say how much of the game the table understood, where it could tell."""
    if rig.host != READING:
        return f"{turns} turns"
    return f"{turns} turns, {len(rig.ear.game.turns)} final"


def _loop_figure(rig: Rig) -> Figure:
    counters = [fields for _, event in rig.heard if (fields := values_of(event, "counters"))]
    if not counters:
        return Figure("loop", remark="the table sent no counters")
    measured = {"max": float(counters[-1]["loop_max_ms"])}
    return Figure("loop", measured, remark="the table's own counter, whole ms, boot included")


def measure_latency(image: Path, positions: int, report: Report) -> list[Figure]:
    """From a reed to the last bit of the frame that answers, over many positions."""
    rig = Rig(image)
    rng = Random(1)
    light = _Light(rig)
    skipped = 0
    try:
        for number, state in enumerate(sample(positions)):
            report("reed to light", number, positions)
            del rig.scans[:]
            try:
                rig.arrange(state)
                light.act(state, rng)
            except Trouble:
                rig.check_alive()
                skipped += 1
        settle = _settle(rig, rng)
    finally:
        rig.runtime.close()
    remark = f"{positions} positions, a quarter with the largest turn tables"
    if skipped:
        remark += f"; {skipped} not taken"
    figures = [Figure("debounce", _round(spread(light.debounced), 1))]
    for key, closed in (("lift", False), ("place", True)):
        rows = [(ms, misses) for was, ms, misses in light.lit if was == closed]
        figures.append(
            Figure(
                key,
                _round(spread(ms for ms, _ in rows), 1),
                _round(spread(ms + MISS_MS * misses for ms, misses in rows), 1),
                f"{remark}; {len(rows)} samples, {light.unlit[closed]} that changed no light",
            )
        )
    figures.append(settle)
    events = spread(light.events)
    figures.append(Figure("event", _round(events, 1), remark="to the millisecond"))
    return figures


class _Light:
    """Takes samples, gesture by gesture.

    `lit` has closed, milliseconds and cache misses since the edge was debounced; `unlit` counts
    gestures after which the picture stayed as it was, by closed.
    """

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.lit: list[tuple[bool, float, int]] = []
        self.unlit = {False: 0, True: 0}
        self.debounced: list[float] = []
        self.events: list[float] = []

    def act(self, state: array[int], rng: Random) -> None:
        """Act a random turn out, and the first lift of the next one."""
        game = Game()
        game.start(state)
        turn = rng.choice(list(game.legal_turns()))
        for gesture in act_out(game, turn, rng):
            self.take(gesture, rng)
        game.apply(turn)
        if game.winner() == NOBODY:
            following = rng.choice(list(game.legal_turns()))
            self.take(act_out(game, following, rng)[0], rng)
        self.rig.run(2 * _LOOK_MS)

    def take(self, gesture: Gesture, rng: Random) -> None:
        """Do one gesture at a random phase of the scan and see what it lights, and when."""
        rig = self.rig
        rig.run(rng.uniform(0, 5))
        before = rig.ear.leds
        del rig.heard[:]
        del rig.runtime.frames[:]
        moved_ms = rig.now_ms
        rig.move(gesture)
        rig.run(_LOOK_MS)
        rig.note_clock()
        debounced_ms = rig.debounced_ms(moved_ms)
        self.debounced.append(debounced_ms - moved_ms)
        for arrived_ms, event in rig.heard:
            fields = values_of(event, "edge")
            if fields and fields["sensor"] == gesture.sensor:
                self.events.append(arrived_ms - debounced_ms)
                break
        after = rig.ear.leds
        shown_ms = rig.first_frame(after, before, moved_ms) if after != before else None
        if shown_ms is None:
            self.unlit[gesture.closed] += 1
            return
        misses = rig.misses_between(debounced_ms, shown_ms)
        self.lit.append((gesture.closed, shown_ms - moved_ms, misses))


def _settle(rig: Rig, rng: Random) -> Figure:
    """A piece too many lies there: how long until the table says so."""
    samples: list[float] = []
    for _ in range(5):
        state = layout.new_state()
        rig.arrange(state)
        rig.run(rng.uniform(0, 5))
        before = rig.ear.leds
        del rig.heard[:]
        del rig.runtime.frames[:]
        moved_ms = rig.now_ms
        empty = rng.choice([sensor for sensor in range(SPACES) if not rig.hands.has_magnet(sensor)])
        rig.move(Gesture(0, empty, True))
        rig.run(_SETTLE_MS + 2 * _LOOK_MS)
        told = [t_ms for t_ms, event in rig.heard if values_of(event, "guide")]
        if told:
            samples.append(told[0] - moved_ms)
        else:
            shown_ms = rig.first_frame(rig.ear.leds, before, moved_ms)
            if shown_ms is not None:
                samples.append(shown_ms - moved_ms)
    remark = "until the host hears the guide; lit at once, told once settled"
    return Figure("settle", _round(spread(samples), 1), remark=remark)


def measure_heap(image: Path, games: int, report: Report) -> list[Figure]:
    """Free heap after boot, and after each turn of several games in one life of the table."""
    rig = Rig(image)
    free: list[list[float]] = []  # per game, after each turn
    turns = unread = 0
    try:
        after_boot = rig.heap_after_boot()
        for seed in range(games):
            report("heap, game", seed, games)
            if seed:
                rig.arrange(layout.new_state())
            del rig.heard[:]
            played, misread = _play(rig, seed)
            rig.check_alive()
            turns += played
            unread += misread
            free.append(
                [
                    fields["heap_free"]
                    for _, event in rig.heard
                    if (fields := values_of(event, "counters"))
                ]
            )
    finally:
        rig.runtime.close()
    remark = f"{games} games, {turns} turns"
    if unread:
        remark += f", {unread} of them set up anew"
    return [
        Figure("heap", {"value": round(after_boot / _KB, 1)}),
        *_heap_figures([game for game in free if game], remark),
    ]


def _heap_figures(free: list[list[float]], remark: str) -> list[Figure]:
    """Tell the heap during the games; a game's own record grows, so games compare as they begin."""
    if not free:
        why = "the table sent no counters"
        return [Figure("heap_games", remark=why), Figure("heap_trend", remark=why)]
    measured = {
        "first game": round(min(free[0]) / _KB, 1),
        "last": round(min(free[-1]) / _KB, 1),
        "min": round(min(map(min, free)) / _KB, 1),
    }
    figures = [Figure("heap_games", measured, remark=remark)]
    begun = [max(game) for game in free[1:]]
    if len(free) < _TREND_GAMES:
        return [*figures, Figure("heap_trend", remark=f"needs {_TREND_GAMES} games at least")]
    lost = round(0.0 - slope(begun), 1) + 0.0
    return [*figures, Figure("heap_trend", {"value": lost}, remark=f"{remark}, from game 2 on")]


def _play(rig: Rig, seed: int) -> tuple[int, int]:
    """Play a fast random game from the start; return its turns and how many were not understood."""
    rng = Random(seed)
    game = Game()
    game.start(layout.new_state())
    misread = 0
    while game.winner() == NOBODY and len(game.turns) < _MOST_TURNS:
        turn = rng.choice(list(game.legal_turns()))
        after = array("H", game.state)
        game.after(turn, after)
        for gesture in act_out(game, turn, rng):
            rig.run(rng.randint(*_FAST_MS))
            rig.move(gesture)
        understood = _is_understood(rig, game, after)
        game.apply(turn)
        if not understood and game.winner() == NOBODY:
            misread += 1
            rig.arrange(after)
    rig.run(1500)
    return len(game.turns), misread


def _is_understood(rig: Rig, game: Game, wanted: array[int]) -> bool:
    """Wait until the table shows that it has a turn, answering what it asks."""
    out = array("H", wanted)
    ear = rig.ear
    end = rig.now_ms + _PATIENCE_MS
    while rig.now_ms < end:
        rig.run(20)
        for name, choice in zip("abc", list(ear.choices), strict=False):
            if game.after(choice, out) and out == wanted:
                rig.hands.press(name, game.mover)
                rig.run(200)
                break
        if ear.provisional is not None and game.after(ear.provisional, out) and out == wanted:
            return True
    return False


def quiet_game(turns: int, pace_ms: tuple[int, int] | None = None) -> list[list[Gesture]]:
    """Return the gestures of a game of so many turns that no table has to ask about.

    Each turn was tried on a tracker before; with `pace_ms` the hand keeps another pace.
    """
    seed = 0
    while not (script := _quiet_game(turns, pace_ms, seed)):
        seed += 1
    return script


def _quiet_game(turns: int, pace_ms: tuple[int, int] | None, seed: int) -> list[list[Gesture]]:
    """Return the gestures of the game with that seed, [] where it ends before."""
    rng = Random(seed)
    person = Person(TrackerPlace(rng), rng)
    person.begin(layout.new_state())
    script: list[list[Gesture]] = []
    for _ in range(4 * turns):
        if len(script) == turns:
            return script
        game = person.game
        choices = [turn for turn in game.legal_turns() if not _ends_game(game, turn)]
        if not choices:
            break
        turn = rng.choice(choices)
        gestures = act_out(game, turn, rng)
        if pace_ms:
            gestures = [gesture._replace(after_ms=rng.randint(*pace_ms)) for gesture in gestures]
        trial = deepcopy(person)
        trial.take_turn(turn, gestures)
        if trial.account.incidents or trial.place.told().counts["guide"]:
            continue
        person = trial
        script.append(gestures)
    return []


def _ends_game(game: Game, turn: int) -> bool:
    trial = Game()
    trial.start(game.state, game.options)
    trial.apply(turn)
    return trial.winner() != NOBODY


def _round(values: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in values.items()}
