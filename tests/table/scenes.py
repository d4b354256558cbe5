"""Tests written as scenes: what hands do, line by line, and what is told and lit then.

    a push whose pusher never moved [PUSH]  # What it proves, or lines that begin with `#`.
      -pr7 lit: pr6 todo_take, pr7 push; marks: wpr mover
      +pr8 -wpr +wpa .300 -> ask 6 E W >past
      /b -> nothing
      -wpa -pr8 -pr6 +pr8 +pr7 +wpa => 6 E W >past

The brackets say where a scene begins: with a position or its name, START if there are none; with
`free` the markers say who begins, `strict` is the option. First in a line is what hands do, in the
words of hands.py. Behind `->` stands all that is told meanwhile, `=>` is a turn that is final and
certain a second later, and what is seen follows: `lit:` the LEDs of the spaces, `marks:` those of
the markers, and the others of _SEEN. `;` goes on with the same line, ` & ` stands between what is
told, `…` for what is left out there or at an end. A scene with ` | ` is played once with each way.
Other lines: `at` begins anew, `begin` has a game set up, `blame` names reeds that are known not to
close, `wants` a turn that is wanted, `wants not` one that cannot be.
"""

import sys

from chronotable.core import faults
from chronotable.core.health import DOES_NOT_CLOSE
from chronotable_host.rules.notation import format_position, parse_position, parse_turn
from tests.table import hands
from tests.table.hands import Scene, sensor_of
from ttykm import layout
from ttykm.layout import STRICT_TWO_ACTIONS

_PHASES = ("restore", "turn", "provisional", "question", "over")
_PLAYERS = ("white", "black", "nobody")
_SEEN = {
    "lit:": lambda scene: scene.picture(),
    "marks:": lambda scene: scene.marker_picture(),
    "phase:": lambda scene: _PHASES[scene.tracker.phase],
    "turns:": lambda scene: str(len(scene.game.turns)),
    "mover:": lambda scene: _PLAYERS[scene.game.mover],
    "winner:": lambda scene: _PLAYERS[scene.tracker.winner],
    "game:": lambda scene: format_position(scene.game.state),
    "options:": lambda scene: ("none", "strict")[scene.game.options],
    "supply:": lambda scene: " ".join([str(layout.supply(scene.game.state, at)) for at in (0, 1)]),
    "broken:": lambda scene: hands.named(scene.tracker.health.kinds),
}
_MARKS = ("->", "=>", "unlit:") + tuple(_SEEN)  # noqa: RUF005 - MicroPython


def scenes(name, text):
    """Make tests of a text in the module of such a name, which has the positions, too."""
    module = sys.modules[name]
    for each in text.strip().replace("\n    & ", " & ").split("\n\n"):
        head, *lines = [line.partition("  # ")[0].strip() for line in each.split("\n")]
        if head[0] == "#":
            continue
        title, _, position = head.partition(" [")
        steps = ["at " + (position[:-1] or "START")]
        for line in lines:
            steps += line.split("; ") if line else []
        if steps[1].startswith("at "):
            steps.pop(0)
        called = "test_" + "".join([letter if letter.isalpha() else "_" for letter in title])
        assert not hasattr(module, called), title
        setattr(module, called, _test(steps, module.__dict__))


def _test(steps, names):
    ways = 1 + max([step.partition(" -> ")[0].count(" | ") for step in steps])

    def test():
        for way in range(ways):
            for step in steps:
                kind, _, rest = step.partition(" ")
                if kind == "at":
                    scene = None  # the chip has room for one
                    scene = _begun(rest, names)
                elif kind in _OTHER:
                    _OTHER[kind](scene, rest, names)
                else:
                    _act(scene, step, names, way)

    return test


def _named(text, names):
    """Return what a name in capitals stands for, and any other text as it is."""
    return names.get(text) or hands.__dict__.get(text) or text if text.isupper() else text


def _begun(rest, names):
    position, _, flag = rest.rpartition(" ")
    if flag not in ("free", "strict"):
        position = rest
    options = STRICT_TWO_ACTIONS if flag == "strict" else 0
    return Scene(_named(position, names), options, flag == "free")


def _begin(scene, rest, names):
    scene.tracker.set_up(parse_position(_named(rest, names)))


def _blame(scene, rest, _names):
    for name in rest.split():
        faults.blame(scene.tracker.matcher, scene, sensor_of(name), 0, DOES_NOT_CLOSE)


def _want(scene, rest, _names):
    from chronotable.core.wanting import want  # noqa: PLC0415 - no room for it on the chip

    is_refused = rest.startswith("not ")
    turn = parse_turn(rest[4:] if is_refused else rest)
    assert want(scene.tracker, turn) != is_refused, rest


_OTHER = {"begin": _begin, "blame": _blame, "wants": _want}


def _act(scene, step, names, way):
    """Have hands act, and look at what comes of it."""
    for mark in _MARKS:
        script, found, expected = f" {step}".partition(f" {mark} ")
        if found:
            break
    script = script.split(" | ")[way] if " | " in script else script
    script = " ".join([_named(word, names) for word in script.split()])
    expected = " ".join(expected.split())
    told = scene.do(script + " .1000" if mark == "=>" else script)
    if mark == "=>":
        expected = f"provisional {expected} & final {expected}, certain"
    if mark in ("->", "=>"):
        _compare(told, expected, step)
    elif mark == "unlit:":
        assert expected not in scene.picture() + scene.marker_picture(), step
    elif found:
        seen = _SEEN[mark](scene) or "nothing"
        assert _fits(seen, _named(expected, names)), (step, seen)


def _compare(told, expected, step):
    parts = [part.strip() for part in expected.split(" & ")] if expected != "nothing" else []
    if "…" in parts:
        at = parts.index("…")
        behind = len(parts) - at - 1
        assert len(told) >= at + behind, (step, told)
        told = told[:at] + told[len(told) - behind :]
        parts.pop(at)
    assert len(told) == len(parts), (step, told)
    for at in range(len(told)):
        assert _fits(told[at], parts[at]), (step, told)


def _fits(text, expected):
    core = expected.strip("…")
    if expected == core:
        return text == core
    return (expected[0] == "…" or text.startswith(core)) and (
        (expected[-1] == "…" or text.endswith(core)) and core in text
    )
