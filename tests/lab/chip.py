"""What the emulated RP2040 tells: scan, gaps, light, heap and link, each while a game is played."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import closing
from copy import deepcopy
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random

from chronotable.core.chapters import COUNT
from chronotable.hardware.sensors import SPACES
from chronotable_host.virtual.hand import Gesture, act_out, choose
from chronotable_host.virtual.play import Hands
from chronotable_host.virtual.steps import ButtonChoice
from tests.lab.figures import Figure, slope, spread
from tests.lab.people.person import Person
from tests.lab.people.place import BOARD
from tests.lab.people.tracker_place import TrackerPlace
from tests.lab.positions import sample, sample_with_modules
from tests.lab.rig import ABSENT, DEAF, FLOODING, MISS_MS, READING, Rig, Scan, Trouble, values_of
from ttykm import layout, objects
from ttykm.game import Game
from ttykm.layout import NOBODY

GROUP_OF = {"event": "latency", "heap_chapters": "heap_chapters"}
"""Figures that another measurement than that of their group gives."""

Report = Callable[[str, int, int], None]
"""Hears what is being done, and how much of how much is done."""

_LOOK_MS = 170.0  # from a gesture to the look at what it lit: well before anything settles
_LOOK_AT_CHAPTERS_MS = 200.0  # which may take longer
_SETTLE_MS = 250
_FAST_MS = (60, 110)  # between gestures where only the number of turns matters
_GAP_TURNS = 12
_MOST_TURNS = 60
_MOST_CHAPTER_TURNS = 20
_PATIENCE_MS = 2500.0
_PIEZO_PIN = 26
_KB = 1024
_TREND_GAMES = 10  # what is made at its first use, in whichever game, is no trend


def measure_scan(image: Path, report: Report, board: str = BOARD) -> list[Figure]:
    """Scan time and the gaps between scans while turns are played, for three kinds of hosts."""
    turns = quiet_game(_GAP_TURNS)
    scans: list[Scan] = []
    figures: list[Figure] = []
    for done, (key, host) in enumerate(
        (("gap_host", READING), ("gap_absent", ABSENT), ("gap_deaf", DEAF))
    ):
        with closing(Rig(image, host, board)) as rig:
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
    figures.append(_scan_figure("scan", scans))
    why = f"{len(scans)} scans ran with the heap locked, as in every hard interrupt"
    figures.append(Figure("scan_heap", {"value": 0}, remark=why))
    return figures


def _scan_figure(key: str, scans: list[Scan]) -> Figure:
    took = spread(1000 * scan.took_ms for scan in scans)
    charged = spread(1000 * (scan.took_ms + MISS_MS * scan.misses) for scan in scans)
    return Figure(key, _round(took, 1), _round(charged, 1), "the probe's 1 us included")


def _gaps(*scans: list[Scan]) -> dict[str, float]:
    return spread(
        second.begun_ms - first.begun_ms for each in scans for first, second in pairwise(each)
    )


def _played(rig: Rig, turns: int) -> str:
    """Say how much of the game the table understood, where it could tell."""
    if rig.host != READING:
        return f"{turns} turns"
    return f"{turns} turns, {len(rig.ear.game.turns)} final"


def _loop_figure(rig: Rig) -> Figure:
    counters = rig.counters()
    if not counters:
        return Figure("loop", remark="the table sent no counters")
    measured = {"max": float(counters[-1]["loop_max_ms"])}
    return Figure("loop", measured, remark="the table's own counter, whole ms, boot included")


def measure_latency(
    image: Path, positions: int, report: Report, board: str = BOARD
) -> list[Figure]:
    """From a lift or a place to the last bit of the frame that answers, over many positions."""
    rng = Random(1)
    with closing(Rig(image, board=board)) as rig:
        light = _Light(rig)
        skipped = _light_up(light, sample(positions), rng, report)
        settle = _settle(rig, rng)
    remark = f"{positions} positions, a quarter with the largest turn trees{skipped}"
    figures = [Figure("debounce", _round(spread(light.debounced), 1))]
    figures += [light.figure(*row) for row in (("lift", remark, False), ("place", remark, True))]
    with closing(Rig(image, FLOODING, board)) as rig:
        flooded = _Light(rig)
        skipped = _light_up(flooded, sample(max(2, positions // 4)), rng, report)
    figures.append(flooded.figure("flood", f"wrong CRCs, as fast as they are read{skipped}"))
    figures.append(settle)
    events = spread(light.events)
    figures.append(Figure("event", _round(events, 1), remark="to the millisecond"))
    return figures


def measure_chapters(
    image: Path, positions: int, report: Report, board: str = BOARD
) -> list[Figure]:
    """The same in games with modules on a table with a piezo, with the scans and sounds meanwhile.

    A press is no sample. A tap counts only when it has lasted, and the misses while the table waits
    for that are charged, too, though they cost nothing. Each turn that its marker ends sounds.
    """
    with closing(Rig(image, board=board, chapters=COUNT, piezo_pin=_PIEZO_PIN)) as rig:
        light = _Light(rig, _LOOK_AT_CHAPTERS_MS)
        skipped = _light_up(light, sample_with_modules(positions), Random(1), report)
    remark = f"{positions} positions, a quarter with the most first actions{skipped}"
    remark += "; misses while a tap has to last are charged, though they cost nothing"
    return [
        light.figure("chapters_lift", remark, False),
        light.figure("chapters_place", remark, True),
        Figure("chapters_sound", _round(spread(light.sounded), 1), remark="ends of turns"),
        _scan_figure("chapters_scan", [scan for scans in light.scans for scan in scans]),
        Figure("chapters_gap", _round(_gaps(*light.scans), 3)),
    ]


def _light_up(light: _Light, states: list[array[int]], rng: Random, report: Report) -> str:
    """Take samples in each position; return a remark about those that did not go as meant."""
    skipped = 0
    for number, state in enumerate(states):
        report("reed to light", number, len(states))
        try:
            light.rig.arrange(state)
            del light.rig.scans[:]
            light.act(state, rng)
            light.scans.append(light.rig.scans[:])
        except Trouble:
            light.rig.check_alive()
            skipped += 1
    return f"; {skipped} not taken" if skipped else ""


class _Light:
    """Takes samples, gesture by gesture.

    `lit` has closed, milliseconds, cache misses since the edge was debounced, and how many of the
    milliseconds went by until a Hall switch looked; `unlit` counts gestures after which the picture
    stayed as it was, by closed.
    """

    def __init__(self, rig: Rig, look_ms: float = _LOOK_MS) -> None:
        self.rig = rig
        self.look_ms = look_ms + rig.hands.sample_ms
        self.lit: list[tuple[bool, float, int, float]] = []
        self.unlit = {False: 0, True: 0}
        self.debounced: list[float] = []
        self.sounded: list[float] = []
        self.scans: list[list[Scan]] = []  # by position
        self.events: list[float] = []

    def act(self, state: array[int], rng: Random) -> None:
        """Act a random turn out, and the first gesture of the next one.

        Raises Trouble where the lights do not offer what the hand wants to choose.
        """
        game = Game()
        game.start(state)
        turn = rng.choice(list(game.legal_turns()))
        for gesture in act_out(game, turn, rng):
            self._do(gesture, game.mover, rng)
        game.apply(turn)
        if game.winner() == NOBODY:
            following = rng.choice(list(game.legal_turns()))
            self._do(act_out(game, following, rng)[0], game.mover, rng)
        self.rig.run(2 * self.look_ms)

    def _do(self, gesture: Gesture, mover: int, rng: Random) -> None:
        if gesture.choice is None:
            self.take(gesture, rng)
        else:
            take = partial(self.take, rng=rng)
            _choose(self.rig, gesture.sensor, gesture.choice, mover, self.look_ms, take)

    def take(self, gesture: Gesture, rng: Random) -> None:
        """Do one gesture at a random phase of the scan and see what it lights, and when."""
        rig = self.rig
        rig.run(rng.uniform(0, 5))
        before = rig.ear.table.leds
        del rig.heard[:]
        del rig.runtime.frames[:]
        del rig.runtime.tones[:]
        moved_ms = rig.now_ms
        waited_ms = rig.until_look(gesture.sensor)
        rig.move(gesture)
        rig.run(self.look_ms)
        rig.note_clock()
        self.sounded += [tone.t_ms - moved_ms for tone in rig.runtime.tones[:1]]
        debounced_ms = rig.debounced_ms(moved_ms + waited_ms)
        self.debounced.append(debounced_ms - moved_ms - waited_ms)
        for arrived_ms, event in rig.heard:
            fields = values_of(event, "edge")
            if fields and fields["sensor"] == gesture.sensor:
                self.events.append(arrived_ms - debounced_ms)
                break
        after = rig.ear.table.leds
        shown_ms = rig.first_frame(after, before, moved_ms) if after != before else None
        if shown_ms is None:
            self.unlit[gesture.closed] += 1
            return
        misses = rig.misses_between(debounced_ms, shown_ms)
        self.lit.append((gesture.closed, shown_ms - moved_ms, misses, waited_ms))

    def figure(self, key: str, remark: str, closed: bool | None = None) -> Figure:
        """Tell how long it took, for lifts, for places, or for both."""
        rows = [row for row in self.lit if closed in (row[0], None)]
        unlit = sum(number for was, number in self.unlit.items() if closed in (was, None))
        if self.rig.hands.sample_ms:
            seen = spread(ms - waited + MISS_MS * misses for _, ms, misses, waited in rows)
            remark += f"; since the switch looked p95 {seen['p95']:.1f}, at most {seen['max']:.1f}"
        return Figure(
            key,
            _round(spread(ms for _, ms, *_ in rows), 1),
            _round(spread(ms + MISS_MS * misses for _, ms, misses, _ in rows), 1),
            f"{remark}; {len(rows)} samples, {unlit} that changed no light",
        )


def _choose(
    rig: Rig,
    target: int,
    choice: ButtonChoice,
    mover: int,
    look_ms: float,
    take: Callable[[Gesture], None],
) -> None:
    """Have an action offered; `take` does a gesture. Raises Trouble where the lights do not."""

    def look() -> bytes:
        rig.run(look_ms)
        return rig.ear.table.leds

    def tap(sensor: int) -> None:
        for closed in (False, True):
            take(Gesture(0, sensor, closed, mover))

    if not choose(target, choice, look, lambda: rig.hands.press("action", mover), tap):
        raise Trouble("the lights do not offer an action")


def _settle(rig: Rig, rng: Random) -> Figure:
    """A piece too many lies there: how long until the table says so."""
    samples: list[float] = []
    for _ in range(5):
        state = layout.new_state()
        rig.arrange(state)
        rig.run(rng.uniform(0, 5))
        before = rig.ear.table.leds
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
            shown_ms = rig.first_frame(rig.ear.table.leds, before, moved_ms)
            if shown_ms is not None:
                samples.append(shown_ms - moved_ms)
    remark = "until the host hears the guide; lit at once, told once settled"
    return Figure("settle", _round(spread(samples), 1), remark=remark)


def measure_heap(
    image: Path, seeds: Sequence[int], report: Report, board: str = BOARD
) -> list[Figure]:
    """Free heap after boot, and after each turn of several games in one life of the table."""
    free: list[list[float]] = []  # per game, after each turn
    turns = unread = 0
    with closing(Rig(image, board=board)) as rig:
        after_boot = rig.heap_after_boot()
        for number, seed in enumerate(seeds):
            report("heap, game", number, len(seeds))
            if number:
                rig.arrange(layout.new_state())
            del rig.heard[:]
            played, misread = _play(rig, seed, layout.new_state())
            rig.check_alive()
            turns += played
            unread += misread
            free.append([fields["heap_free"] for fields in rig.counters()])
    remark = f"{len(seeds)} games, {turns} turns"
    if unread:
        remark += f", {unread} of them set up anew"
    return [
        Figure("heap", {"value": round(after_boot / _KB, 1)}),
        *_heap_figures([game for game in free if game], remark),
    ]


def measure_chapter_heap(image: Path, report: Report, board: str = BOARD) -> list[Figure]:
    """Free heap after boot with all chapters unlocked, and after each turn of a game with them."""
    with closing(Rig(image, board=board, chapters=COUNT)) as rig:
        measured = {"value": round(rig.heap_after_boot() / _KB, 1)}
        report("heap, chapters", 0, 1)
        state = objects.new_state(objects.ALL_MODULES)
        rig.arrange(state)
        turns, misread = _play(rig, 0, state, _MOST_CHAPTER_TURNS)
        rig.check_alive()
        free = [fields["heap_free"] for fields in rig.counters()]
    if free:
        measured["min"] = round(min(free) / _KB, 1)
    remark = f"{turns} turns" + (f", {misread} of them set up anew" if misread else "")
    return [Figure("heap_chapters", measured, remark=remark)]


def _heap_figures(free: list[list[float]], remark: str) -> list[Figure]:
    """Tell the heap during the games.

    A game's own record grows, so games compare as they begin; and the first one touches what is
    loaded once, so from the second on.
    """
    if not free:
        why = "the table sent no counters"
        return [Figure("heap_games", remark=why), Figure("heap_trend", remark=why)]
    begun = [max(game) for game in free[1:]]
    measured = {"min": round(min(map(min, free)) / _KB, 1)}
    if begun:
        measured["game 2 begins"] = round(begun[0] / _KB, 1)
        measured["the last"] = round(begun[-1] / _KB, 1)
    figures = [Figure("heap_games", measured, remark=remark)]
    if len(free) < _TREND_GAMES:
        return [*figures, Figure("heap_trend", remark=f"needs {_TREND_GAMES} games at least")]
    lost = round(0.0 - slope(begun), 1) + 0.0
    return [*figures, Figure("heap_trend", {"value": lost}, remark=f"{remark}, from game 2 on")]


def _play(rig: Rig, seed: int, state: array[int], most_turns: int = _MOST_TURNS) -> tuple[int, int]:
    """Play a fast random game from a position that lies there.

    Returns its turns and how many were not understood.
    """
    rng = Random(seed)
    game = Game()
    game.start(state)
    hands = Hands(rig.hands, rig.ear, rng, wait=rig.run)
    misread = 0
    while game.winner() == NOBODY and len(game.turns) < most_turns:
        turn = rng.choice(list(game.legal_turns()))
        after = array("H", game.state)
        game.after(turn, after)
        is_understood = _is_done(hands, game, turn, rng) and _is_understood(hands, game, after)
        game.apply(turn)
        if not is_understood and game.winner() == NOBODY:
            misread += 1
            rig.arrange(after)
    rig.run(1500)
    return len(game.turns), misread


def _is_done(hands: Hands, game: Game, turn: int, rng: Random) -> bool:
    for gesture in act_out(game, turn, rng):
        hands.wait(rng.randint(*_FAST_MS))
        if not hands.do(gesture, game.mover):
            return False
    return True


def _is_understood(hands: Hands, game: Game, wanted: array[int]) -> bool:
    """Wait until the table shows that it has a turn, answering what it asks."""
    out, ear = array("H", wanted), hands.mirror
    end_ms = hands.table.now_ms + _PATIENCE_MS
    while hands.table.now_ms < end_ms:
        hands.wait(20)
        hands.answer(game, wanted)
        if ear.provisional is not None and game.after(ear.provisional, out) and out == wanted:
            return True
    return False


def quiet_game(turns: int) -> list[list[Gesture]]:
    """Return the gestures of a game of so many turns that no table has to ask about.

    Each turn was tried on a tracker before.
    """
    return next(script for seed in count() if (script := _quiet_game(turns, seed)))


def _quiet_game(turns: int, seed: int) -> list[list[Gesture]]:
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
