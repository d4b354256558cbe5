"""What the table is told to do by the PC, the settings file or *draw* while nobody plays.

Loaded when something is asked for, as a table alone needs it seldom.
"""

from array import array

from chronotable.core.chapters import COUNT, chapter_of
from chronotable.core.progress import PROVISIONAL
from chronotable.hardware.sensors import BUTTON, BUTTONS, SHARED, SPACES
from chronotable.lights.hints import HINT_LEVELS
from chronotable.lights.light import PALETTES
from chronotable.link.packed import OPTIONS
from ttykm.game import digest, is_conserved
from ttykm.layout import STATE_WORDS
from ttykm.mp import const

if False:
    from chronotable.core.commanded import Commanded

# settings that the PC and the settings file can change, by number and name
SETTINGS = (
    "hints_white",
    "hints_black",
    "brightness",
    "palette",
    "rest_ms",
    "settle_ms",
    "chapters",  # so many are unlocked, or more
    "white",  # who plays a side (seats.py)
    "black",
)

REFUSED_ANSWER = const(64)
REFUSED_UNDO = const(65)
REFUSED_END = const(66)
REFUSED_POSITION = const(67)
REFUSED_SETTING = const(68)
REFUSED_FORGET = const(69)
REFUSED_WANTED = const(70)

_RESIGN_BUTTONS = const(1 << 2 | 1 << 5)  # of both players


# ---- the PC


def execute(table: "Commanded", name: str, values: "dict[str, int | str | None]") -> None:
    """Do what a command asks for; a snapshot, or what is wrong with it, answers most of them."""
    if table.surface is not None and not table.surface.outlasts(name):
        table.end_surface()
    if name == "surface" and values["on"]:
        if table.surface is None:
            from chronotable.core.surface import Surface

            table.surface = Surface(table.link, table.tracker)
            table.turn_ended = True  # what loading it left is to be collected
        table.surface.show(str(values["leds"]), table.now_ms)
    elif name == "surface":
        table.end_surface()
    elif name == "lay":
        table.laid_objects = str(values["objects"])
    elif name == "fetch":
        from chronotable.journal.pages import Pages

        table.write_journal()
        table.link.serve(Pages(table.journal, int(str(values["game"]))).next_line)
    elif name == "doctor":
        table.wants_doctor = values["say"] == "s"
    else:
        refused = _obey(table, name, values)
        if refused:
            table.outbox.post("refused", table.now_ms, why=refused)
        table.snapshot_due = True


def _obey(table: "Commanded", name: str, values: "dict[str, int | str | None]") -> int:
    """Do what no button can do, else leave it to `_play`; return why it is refused, or 0."""
    if name == "new_game":
        from chronotable.link.unpacked import unpack_position

        laid, table.laid_objects = table.laid_objects, ""
        try:
            state = unpack_position(str(values["position"]), laid)
        except ValueError:
            return REFUSED_POSITION
        done = start(table, state, int(str(values["options"])))
        return 0 if done else REFUSED_POSITION
    if name == "set":
        done = change(table, int(str(values["setting"])), int(str(values["value"])))
        return 0 if done else REFUSED_SETTING
    if name == "forget":
        game, units, crc = [int(str(values[field])) for field in ("game", "units", "crc")]
        return 0 if table.journal.forget(game, units, crc) else REFUSED_FORGET
    if name == "want":
        done = _want(table, int(str(values["turn_no"])), values["turn"], values["digest"])
        return 0 if done else REFUSED_WANTED
    return 0 if name == "resync" else _play(table, name, values)


def _play(table: "Commanded", name: str, values: "dict[str, int | str | None]") -> int:
    """Do what buttons do and tell it as their presses; return why it is refused, or 0."""
    track = table.tracker
    mover = track.game.mover
    if name == "answer":
        choice = str(values["choice"])
        done = track.answer("abcn".find(choice), table.now_ms)
        if done and choice == "n":
            _tell_press(table, "action", mover)
        elif done:
            _tell_press(table, choice)
        return 0 if done else REFUSED_ANSWER
    if name == "undo":
        side = 1 - mover if track.phase == PROVISIONAL else mover
        if not track.undo(SHARED):
            return REFUSED_UNDO
        _tell_press(table, "undo", side)
    elif name == "resign":
        side = "wb".find(str(values["side"]))
        if not track.resign(side):
            return REFUSED_END
        _tell_press(table, "resign", side)
    elif name == "draw":
        offers = track.turn.offers
        done = track.offer_draw("wb".find(str(values["side"])))
        if track.turn.offers != offers:  # the button knows no sides: twice is an agreement
            _tell_press(table, "draw")
        return 0 if done else REFUSED_END
    elif name == "button":
        button = int(str(values["button"]))
        if button < len(BUTTONS):
            _tell_press(table, *BUTTONS[button])
            table.press(button)
    return 0


def _tell_press(table: "Commanded", name: str, side: int = SHARED) -> None:
    """Tell what the PC did as a button would have, so that the raw events are whole."""
    table.outbox.edge(BUTTON + BUTTONS.index((name, side)), True, table.now_ms)


def _want(
    table: "Commanded", turn_no: int, turn: "int | str | None", wanted_digest: "int | str | None"
) -> bool:
    """Have the hands carry out the turn that is due, by its number from 1 on; None ends that.

    Returns False where another turn is due, or this one is not legal, or does not lead to the
    digest: then the PC and the table are at different positions.
    """
    game, track = table.game, table.tracker
    if turn is None:
        track.want_nothing()
        return True
    from chronotable.core.wanting import want

    after = array("H", game.state)
    if turn_no != len(game.turns) + 1 or not game.after(int(turn), after):
        return False
    return digest(after) == wanted_digest and want(track, int(turn))


# ---- games and settings


def start(
    table: "Commanded",
    state: "array[int] | None" = None,
    options: int = 0,
    free_start: bool = False,
) -> bool:
    """Ask for a position to be set up; without one, for the start of a standard game.

    With a `free_start` the markers say who begins.
    Returns False for a position with more pieces than the box has: no table can show it, and
    its turns have no room here; for one of a chapter that is locked, or has no room before a
    restart; and for unknown options.
    """
    if options & ~OPTIONS:
        return False
    if state is not None and len(state) > STATE_WORDS:
        from ttykm.objects import modules_of

        is_locked = chapter_of(modules_of(state)) > table.chapters.unlocked
        if table.lacks_room or is_locked or not _load(table):
            return False
    if state is not None and not is_conserved(state):
        return False
    table.seed = 0
    table.tracker.set_up(state, options, free_start)
    table.snapshot_due = True
    return True


def _load(table: "Commanded") -> bool:
    """Load the code of games with modules; return False without room: a restart helps."""
    try:
        from chronotable.core import chooser  # noqa: F401
        from ttykm import acts, box  # noqa: F401
    except MemoryError:
        table.lacks_room = True
    return not table.lacks_room


def choose(table: "Commanded", held: int) -> None:
    """Take *draw* while nobody plays: set up the next chapter's game, or unlock a chapter.

    A chapter is unlocked while both players hold *resign*: `held` has a bit per button.
    """
    chapters = table.chapters
    if not table.is_resting():
        return
    modules = 0
    if held & _RESIGN_BUTTONS == _RESIGN_BUTTONS:
        _unlock(table, chapters.unlocked + 1)
        chapter = chapters.unlocked
    elif chapters.unlocked and not table.lacks_room:
        from ttykm import objects

        seed = table.entropy() or 1
        modules = chapters.after(objects.modules_of(table.game.state), seed)
        chapter = chapter_of(modules)
        if not start(table, objects.new_state(modules), table.game.options, True):
            return
        if modules == objects.convergence(seed):
            table.seed = seed
    else:
        return
    table.show_notice((1 << chapter) - 1 | modules << 4)
    table.snapshot_due = True


def _unlock(table: "Commanded", count: int) -> None:
    table.chapters.unlock_to(count)
    table.make_room()


def change(table: "Commanded", setting: int, value: int) -> bool:
    """Change a setting, numbered as in SETTINGS; return False when it cannot be that."""
    if value < 0:  # from the settings file: the link has none
        return False
    if setting < 2 and value < HINT_LEVELS + SPACES:
        table.hints.levels[setting] = value
    elif setting == 2 and value <= 256:
        table.light.brightness = value
    elif setting == 3 and value < PALETTES:
        table.light.use_palette(value)
    elif setting == 4 and 200 <= value <= 10000:
        table.tracker.rest_ms = value
    elif setting == 5 and 100 <= value <= 2000:
        table.tracker.settle_ms = value
    elif setting == 6 and value <= COUNT:
        _unlock(table, value)
    elif 7 <= setting <= 8 and value <= 4:
        table.load_seats().seat(setting - 7, value)
    else:
        return False
    return True
