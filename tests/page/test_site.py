"""The site in Chromium: a folder that a plain server has, below a path, and then nobody."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest

from chronotable.hardware.rp2040 import FLASH_BYTES
from chronotable.hardware.sensors import SENSORS
from chronotable_host.errors import UserError
from chronotable_host.hardware import boards
from chronotable_host.hardware.firmware import uf2
from chronotable_host.hardware.firmware.image import device_files
from chronotable_host.learning.puzzles.puzzle import built_in
from chronotable_host.learning.puzzles.trial import Trial
from chronotable_host.rules.notation import format_turn
from chronotable_host.rules.record import Record, format_record
from chronotable_host.site import core
from chronotable_host.site.work import FIRMWARE, board_file
from chronotable_host.virtual.hand import act_out
from chronotable_host.virtual.runtimes.rp2040 import Rp2040Runtime
from chronotable_host.virtual.table import CPYTHON, open_runtime
from tests import lanes
from tests.broker.conftest import need_mosquitto
from tests.emulator.conftest import image  # noqa: F401 - a fixture
from tests.far.test_browser import plays, seen
from tests.host.archives import random_record
from tests.host.served_table import ServedTable
from tests.lab import flash_cuts
from tests.lab.flash_cuts import Chip, listen
from tests.lab.mosquitto import upgraded
from tests.lab.offline import files_of
from tests.lab.ports import free_port
from tests.lab.positions import random_game
from tests.page.browsing import (
    PC,
    Browser,
    Locator,
    Page,
    Person,
    missing,
    open_list,
    opened,
    short_game,
    waits_until,
)
from tests.page.cabled import BrowserLine
from tests.page.choosing import tries
from tests.page.test_first_game import Visitor
from tests.page.test_lessons import FIRST, RIGHT, acts, is_told, presses
from tests.programs import Program
from ttykm.game import Game

pytestmark = [pytest.mark.browser, lanes.gate]

BOARD = "reference"
FLASH = 0x10000000
SLOW_MS = 300_000  # for what an emulated chip does on a busy machine

PYODIDE = "CHRONOTABLE_PYODIDE"
"""Names Pyodide where npm's cache has none: an archive, or the folder of the package."""


REPEATS = """(eras) => [...new Set(eras.flatMap((each) =>
    getComputedStyle(each).backgroundRepeat.split(", ")))]"""
CHOOSER = """void (navigator.serial.requestPort = () => new Promise((_, refuses) => {
    window.closes = () => refuses(new DOMException("", "NotFoundError"));
}))"""


def white_wins() -> Record:
    return next(it for it in map(random_record, range(99)) if it.headers["Result"] == "1-0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get(PYODIDE)
    try:
        core.files_of(Path(named) if named else None)
    except UserError as error:
        missing(f"{error}; {PYODIDE} names it to tests")
    folder = tmp_path_factory.mktemp("hosts") / "below" / "site"
    command = [sys.executable, "-m", "chronotable_host", "site", "--to", str(folder)]
    done = subprocess.run(
        [*command, *(["--pyodide", named] if named else [])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{folder}\n"), done.stderr
    return folder


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Serve what is above the folder as files; yield the address of the site, and the server."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "-b", "127.0.0.1"]
    with subprocess.Popen(
        command,
        cwd=folder.parent.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            yield f"http://127.0.0.1:{port}/below/site/", server
        finally:
            server.kill()


def comes(browser: Browser, url: str) -> Visitor:
    someone = opened(browser, "about:blank", size=PC, kind=Visitor)
    waits_until(someone.page, lambda: answers(url))
    someone.page.goto(f"{url}#live")
    someone.hears("Choose a copy")
    return someone


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5):
            return True
    except OSError:
        return False


def turns(page: Page) -> int:
    return page.locator("#so-far [data-turn]").count()


def begun(page: Page) -> str | None:
    """Tell whether Python was begun, or its memory of an earlier start was there."""
    return page.locator("#site").get_attribute("data-start")


def dimmed(page: Page) -> str:
    """Return how bright the table is."""
    return page.locator("select:has(option[value=night])").input_value()


def dims(page: Page) -> None:
    """Have the table half as bright, and wait until it says that it is."""
    page.locator("select:has(option[value=night])").evaluate(
        "(it) => { it.value = 'half'; it.dispatchEvent(new Event('change', {bubbles: true})); }"
    )
    waits_until(page, lambda: dimmed(page) == "half")


def plays_on(someone: Visitor, record: Record) -> None:
    """Take a game in, play on from before its last turn, and win."""
    page = someone.page
    page.evaluate("location.hash = 'games'")
    page.locator("#site input").set_input_files(
        {"name": "one.ttykm", "mimeType": "text/plain", "buffer": format_record(record).encode()}
    )
    page.get_by_text("New games: 1.").wait_for()
    page.locator("#games").get_by_text("1 game", exact=True).wait_for()
    (game,) = page.evaluate("fetch('/api/games').then((found) => found.json())")["games"]
    page.evaluate(f"location.hash = 'games/{game['id']}/{len(record.turns) - 1}'")
    open_list(page)
    page.get_by_role("button", name="Play on from here").click()
    before = Game()
    before.start(record.start, record.options)
    for turn in record.turns[:-1]:
        before.apply(turn)
    tries(page, "#eras", before, record.turns[-1])
    page.locator("#live .head", has_text="You won").wait_for()


def arrives(browser: Browser, url: str, script: str = "") -> Person:
    """Come to the start page of the site, where a script runs first."""
    someone: Person = opened(browser, "about:blank", size=PC)
    someone.page.add_init_script(script)
    waits_until(someone.page, lambda: answers(url))
    someone.page.goto(url)
    someone.page.get_by_role("button", name="Begin").wait_for()
    return someone


def connects(
    browser: Browser,
    url: str,
    line: BrowserLine,
    presses: str = "Connect my table",
    board: bytes = b"",
) -> Person:
    """Come with a table on the cable, and have it connected; a board file may be chosen first."""
    someone = arrives(browser, url, line.script)
    if board:
        chosen: Any = {"name": "my.json", "mimeType": "", "buffer": board}
        someone.page.locator("#cable input[accept='.json']").set_input_files(chosen)
    someone.page.get_by_role("button", name=presses).click()
    return someone


def hands(served: ServedTable, game: Game, turns: Sequence[int], begin_ms: float) -> float:
    """Have hands carry out turns from a time on; return when they have."""
    rng, t_ms = Random(3), begin_ms
    for turn in turns:
        for gesture in act_out(game, turn, rng):
            t_ms += gesture.after_ms
            act = served.table.place if gesture.closed else served.table.lift
            served.acts.append((t_ms, partial(act, gesture.sensor)))
        game.apply(turn)
        t_ms += 1500  # the marker rests, and the turn is final
    return t_ms


def test_a_real_table_s_game_is_mirrored_and_its_cable_is_pulled_and_put_back(
    browser: Browser, folder: Path
) -> None:
    played, game, line = short_game(range(20), 40).turns, Game(), BrowserLine()
    with hosted(folder) as (url, _), ServedTable(line, speed=3) as served:
        done_ms = hands(served, game, played[:2], 3000)
        served.acts.append((done_ms, lambda: served.served.plug(False)))
        done_ms = hands(served, game, played[2:3], done_ms)
        someone = connects(browser, url, line)
        page = someone.page
        page.locator(".sign", has_text="Waiting for the table").wait_for()
        done_ms = max(done_ms, served.table.now_ms - served.begun_ms)
        served.acts.append((done_ms + 3000, lambda: served.served.plug(True)))
        hands(served, game, played[3:], done_ms + 5000)
        someone.hears("wins.")
        assert turns(page) == len(game.turns)
        (kept,) = page.evaluate("fetch('/api/games').then((found) => found.json())")["games"]
        assert kept["copies"] == "".join(f"{each:04x}" for each in game.state[:6])

        page.reload()
        waits_until(page, lambda: not line.is_held())
        waits_until(page, line.is_held)
        page.evaluate("location.hash = 'start'")
        page.get_by_role("button", name="Let the table go").click()
        waits_until(page, lambda: not line.is_held())
        page.evaluate("location.hash = 'live'")
        someone.hears("Choose a copy")


def test_a_port_without_a_table_and_one_that_cannot_be_opened_are_told(
    browser: Browser, folder: Path
) -> None:
    with hosted(folder) as (url, _), closing(BrowserLine()) as line:
        someone = connects(browser, url, line)
        page = someone.page
        told = page.locator("#assertive")
        told.get_by_text("No Chronotable firmware answers there.").wait_for()
        someone.hears("Choose a copy")
        assert not line.is_held()
        line.plug(False)
        page.evaluate("location.hash = 'start'")
        page.get_by_role("button", name="Connect my table").click()
        told.get_by_text("Close the other program").wait_for()
        page.evaluate(CHOOSER)
        page.get_by_role("button", name="Connect my table").click()
        page.locator("#cable [role=status]", has_text="Choose your table").wait_for()
        page.evaluate("closes()")
        page.locator("#cable [role=status]", has_text="No table was chosen").wait_for()


def installs(page: Page) -> Locator:
    """Have what is offered installed; return what is said."""
    page.get_by_role("button", name="Install it").click(timeout=SLOW_MS)
    return page.locator("#cable [role=log]")


@lanes.long
@pytest.mark.emulator
def test_a_new_pico_gets_its_firmware_from_the_page_and_a_pulled_cable_costs_nothing(
    browser: Browser,
    folder: Path,
    image: Path,  # noqa: F811 - the fixture
) -> None:
    game, line = Game(), BrowserLine()
    turn = next(iter(game.legal_turns()))
    chip = Rp2040Runtime(image, {"mine.txt": b"1"}, boards.read(BOARD))
    own = boards.find(BOARD).read_bytes() + b"\n"
    with hosted(folder) as (url, _), ServedTable(line, speed=1, machine=chip) as served:
        page = connects(browser, url, line, "Install the firmware", own).page
        said = installs(page)
        assert "firmware there: none" in said.inner_text()
        sent = page.locator("#cable progress")
        waits_until(page, lambda: sent.evaluate("(it) => it.value") > 9000)
        served.acts.append((0, lambda: served.served.power(False)))
        said.get_by_text("the Pico vanished").wait_for()
        served.acts.append((0, lambda: served.served.power(True)))
        waits_until(page, line.is_plugged)
        page.get_by_role("button", name="Install the firmware").click()
        installs(page).get_by_text("Installed and healthy").wait_for(timeout=SLOW_MS)
        page.evaluate("location.hash = 'live'")
        page.locator(".sign", has_text="Waiting for the table").wait_for(state="hidden")
        hands(served, game, [turn], served.table.now_ms - served.begun_ms + 3500)
        waits_until(page, lambda: turns(page) == 1)
        files = chip.flash_files()
        page.close()
    assert (files["slot"], files["mine.txt"], files["a/board.json"]) == (b"a", b"1", own)


def test_the_board_that_is_chosen_is_installed_and_a_wrong_one_is_refused() -> None:
    for name in boards.names():
        assert board_file(name) == boards.find(name).read_bytes()
    own = boards.find("tiles").read_text("utf-8")
    assert board_file(own) == own.encode()
    with pytest.raises(UserError, match="RP2350"):
        board_file(own.replace('"rp2040"', '"rp2350"'))
    with pytest.raises(UserError):
        board_file(own.replace('"eras"', '"era"'))


@lanes.full
@pytest.mark.emulator
def test_a_firmware_that_fails_its_trial_gives_way_to_the_one_before(
    browser: Browser,
    folder: Path,
    image: Path,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    spoilt = shutil.copytree(folder, tmp_path / "below" / "site") / FIRMWARE
    with tarfile.open(spoilt) as packed:
        files = {each.name: each for each in packed}
        contents = {name: packed.extractfile(each).read() for name, each in files.items()}  # type: ignore[union-attr]
    contents["a/start.mpy"] = contents["a/slots.mpy"]
    with tarfile.open(spoilt, "w:xz") as packed:
        for name, each in files.items():
            each.size = len(contents[name])
            packed.addfile(each, io.BytesIO(contents[name]))
    before = flash_cuts.old_files(flash_cuts.new_wishes())
    chip, line = Rp2040Runtime(image, before, boards.read(BOARD)), BrowserLine()
    with hosted(spoilt.parent) as (url, _), ServedTable(line, speed=1, machine=chip):
        page = connects(browser, url, line, "Install the firmware").page
        said = installs(page)
        assert flash_cuts.OLD_VERSION in said.inner_text()
        said.get_by_text("the table went back to version").wait_for(timeout=SLOW_MS)
        page.evaluate("location.hash = 'live'")
        page.locator(".sign", has_text="Waiting for the table").wait_for(state="hidden")
        page.close()


def test_games_without_a_pc_are_fetched_and_settings_reach_the_table(
    browser: Browser, folder: Path
) -> None:
    played, line = random_game(3, 20), BrowserLine()
    machine = open_runtime(CPYTHON, BOARD, flash_files=files_of(played))
    with hosted(folder) as (url, _), ServedTable(line, speed=3, machine=machine) as served:
        page = connects(browser, url, line).page
        asked = "fetch('/api/games').then((found) => found.json())"
        waits_until(page, lambda: len(page.evaluate(asked)["games"]) == 1)
        (fetched,) = page.evaluate(asked)["games"]
        assert fetched["turns"] == len(played.turns)

        def brightest() -> int:
            return max(max(each.rgb) for each in served.served.frames[-50:])

        before = brightest()
        dims(page)
        waits_until(page, lambda: 0 < brightest() < 0.7 * before)
        page.close()  # before the line ends, which the fake would complain of


@pytest.mark.emulator
def test_an_image_with_the_firmware_in_it_is_a_table(
    browser: Browser,
    folder: Path,
    image: Path,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    with hosted(folder) as (url, _):
        page = comes(browser, url).page
        page.evaluate("location.hash = 'start'")
        named = page.locator("#cable input[accept='.uf2']")
        named.set_input_files({"name": "x.uf2", "mimeType": "", "buffer": bytes(512)})
        page.locator("#assertive", has_text="is not a UF2 file").wait_for()
        with page.expect_download() as saved:
            named.set_input_files(image)
        saved.value.save_as(tmp_path / "table.uf2")
    flash = bytearray(b"\x5a" * FLASH_BYTES)  # of what was there before
    for address, data in uf2.blocks((tmp_path / "table.uf2").read_bytes(), "it"):
        flash[address - FLASH : address - FLASH + len(data)] = data
    with closing(Chip.with_flash(image, boards.read(BOARD), zlib.compress(flash))) as chip:
        running = listen(chip, 8000)
        files = chip.flash_files()
    assert running is not None
    assert running.folder == "a"
    assert files.items() >= device_files(boards.find(BOARD).read_bytes()).items()


def test_a_table_is_examined_from_the_page_and_goes_on(browser: Browser, folder: Path) -> None:
    line = BrowserLine()
    with hosted(folder) as (url, _), ServedTable(line, speed=3) as served:
        page = connects(browser, url, line, "Examine the table").page
        said = page.locator("#cable [role=log]")
        said.get_by_text("Step 1 of 8. Take everything off the table.").wait_for()
        said.get_by_text("The table still feels").first.wait_for()
        for sensor in filter(served.table.has_magnet, range(SENSORS)):
            served.acts.append((0, partial(served.table.lift, sensor)))
        for step in range(2, 8):
            said.get_by_text(f"Step {step} of 8.").wait_for()
            page.get_by_role("button", name="Leave the rest of this step out").click()
        said.get_by_text("No fault was found in what was examined.").wait_for()
        page.evaluate("location.hash = 'live'")
        page.locator(".sign", has_text="Waiting for the table").wait_for(state="hidden")
        page.close()


def invited(someone: Person, **fields: str) -> None:
    """Invite or join, as the fields say."""
    page = someone.page
    page.evaluate("location.hash = 'start'")
    card = page.locator("#apart")
    card.evaluate("(it) => { it.open = true; }")
    for called, said in fields.items():
        card.get_by_label(called).fill(said)
    card.get_by_role("button", name="Join" if "Link" in fields else "Invite").click()


@lanes.long
def test_two_browsers_and_a_pc_play_far_apart_over_websockets(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    need_mosquitto()
    with hosted(folder) as (url, _), upgraded(tmp_path / "broker") as (_, port, lines):
        ada, bo = (arrives(browser, url) for _ in range(2))
        invited(ada, **{"Your name": "Ada", "Broker": "mqtts://host"})
        ada.page.locator("#assertive", has_text="by WebSockets alone").wait_for()
        invited(ada, Broker=f"ws://127.0.0.1:{port}")
        link = ada.page.locator(".invite code").inner_text()
        invited(bo, **{"Your name": "Bo", "Link": link})
        game = Game()
        plays(ada.page, bo.page, game, "1 E F >future")

        for line in lines:
            line.close()
        plays(bo.page, ada.page, game, "16 N N >present")
        assert len(lines) == 4

        ada.page.reload()  # goes on by itself
        plays(ada.page, bo.page, game, "1 E E >past")
        bo.page.close()
        with Program(tmp_path / "pc", "join", link, "--no-browser", "--name", "Bo") as pc:
            page = seen(browser, pc, PC, "light")
            plays(page, ada.page, game, format_turn(next(iter(game.legal_turns()))))
            pc.quit()


def test_a_browser_without_ports_says_which_have_them(browser: Browser, folder: Path) -> None:
    with hosted(folder) as (url, _):
        someone = arrives(browser, url, "delete Navigator.prototype.serial")
        someone.page.get_by_text("this browser cannot").wait_for()
        assert someone.page.get_by_role("button", name="Connect my table").count() == 0


def test_all_of_it_without_a_server_and_then_without_a_network(
    browser: Browser, folder: Path
) -> None:
    record = white_wins()
    puzzle = Trial(built_in()[0])
    with hosted(folder) as (url, server):
        someone = comes(browser, url)
        page = someone.page
        plays_on(someone, record)
        games = page.evaluate("fetch('/api/games').then((found) => found.json())")["games"]
        assert sorted(each["result"] for each in games) == ["1-0", "1-0"]

        saved = f"/api/games/{games[0]['id']}/share?kind=page&turn=1"
        assert page.evaluate(f"fetch('{saved}').then((answer) => answer.status)") == 200

        page.evaluate("location.hash = 'games'")
        with page.expect_download() as kept:
            page.get_by_role("button", name="Save all games").click()
        with zipfile.ZipFile(kept.value.path()) as packed:
            assert len(packed.namelist()) == len(games)

        page.evaluate("location.hash = 'puzzles/1'")
        while not puzzle.is_solved:
            turn = puzzle.solution()
            tries(page, "#puzzles", puzzle.game, turn)
            puzzle.play(turn)
        page.locator("#puzzles h1", has_text="Solved.").wait_for()

        page.evaluate(f"location.hash = 'analyse/game/{games[-1]['id']}/5'")
        page.locator("#analyse .worth", has_text="depth").wait_for()

        page.evaluate("location.hash = 'start'")
        page.get_by_role("button", name="Begin").click()
        someone.hears("Choose a copy")
        presses(someone, "Lessons")
        is_told(someone, FIRST[0].says)
        acts(someone, *RIGHT[0])
        is_told(someone, FIRST[0].solved)
        presses(someone, "End lesson")  # for the game that was begun
        page.locator(".strip:not(.lesson) #says", has_text="Choose a copy").wait_for()

        start = Game()
        tries(page, "#eras", start, next(iter(start.legal_turns())))
        waits_until(page, lambda: turns(page) == 2)
        someone.hears("Choose a copy")

        other = page.context.new_page()
        other.goto(url)
        other.get_by_text("open in another tab").wait_for()
        other.close()

        page.evaluate("location.hash = 'games'")
        rules = "fetch('/api/rules').then((found) => found.text())"
        locked = page.evaluate(rules)
        page.evaluate("location.hash = 'start'")
        page.locator(".boxes").click()
        page.get_by_role("button", name="Open the next one").click()
        waits_until(page, lambda: page.evaluate(rules) != locked)
        page.evaluate("location.hash = 'live'")

        assert dimmed(page) == ""
        dims(page)
        page.evaluate("fetch('/api/games')")  # what it is told later it has heard, too
        page.wait_for_timeout(1000)
        page.reload()
        someone.hears("Choose a copy")
        waits_until(page, lambda: turns(page) == 2)  # the game goes on
        waits_until(page, lambda: dimmed(page) == "half")
        assert begun(page) == "restored"

        page.evaluate("location.hash = 'start'")
        page.locator("#start .tiles", has_text="in your browser alone").wait_for()
        page.locator("#start label", has_text="somebody here").click()
        for at, name in enumerate(("Ann", "Ben")):
            page.locator("#start .names input").nth(at).fill(name)
        page.get_by_role("button", name="Begin").click()
        waits_until(page, lambda: turns(page) == 0)
        someone.hears("Choose a copy")
        tries(page, "#eras", start, next(iter(start.legal_turns())))
        waits_until(page, lambda: turns(page) == 1)
        server.kill()
        server.wait()
        assert not answers(url)
        page.reload()
        someone.hears("Choose a copy")  # the other one, as both play on
        page.locator("#live", has_text="Ben").wait_for()
        assert turns(page) == 1
        page.locator("#language label", has_text="DE").click()
        someone.hears("Wähle eine Kopie")
        page.evaluate("location.hash = 'puzzles/2'")
        page.locator("#puzzles .eras").wait_for()


def changed(folder: Path, to: Path, change: Callable[[str], str]) -> Path:
    """Return a copy of the folder whose program.js is another one."""
    other = shutil.copytree(folder, to / "below" / "site")
    script = other / "static" / "program.js"
    script.write_text(change(script.read_text("utf-8")), "utf-8")
    return other


VANISHES = """async () => {
    const { FS } = self.python;
    const sync = FS.syncfs.bind(FS);
    const ends = [];
    FS.syncfs = (reads, done) => sync(reads, (error) => {
        ends.push(error?.errno ?? 0);
        done(error);
    });
    for (let round = 0; !ends.includes(44) && round < 20; round++) {
        FS.writeFile("/home/games/a.txt", "a");
        self.change();
        await null;
        FS.unlink("/home/games/a.txt"); // it is in the list of what is to be kept
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
    FS.writeFile("/home/games/b.txt", "b");
    self.change();
    return [...ends];
}"""
DURABILITY = """new Promise((resolve) => {
    indexedDB.open("/home/games").onsuccess = ({ target }) =>
        resolve(target.result.transaction("FILE_DATA", "readwrite").durability);
})"""
KEPT = """new Promise((resolve) => {
    indexedDB.open("/home/games").onsuccess = ({ target }) => {
        const games = target.result.transaction("FILE_DATA").objectStore("FILE_DATA");
        games.getAllKeys().onsuccess = ({ target }) => resolve(target.result);
    };
})"""


def test_a_file_that_goes_while_others_are_kept_and_a_worker_that_fails_cost_nothing(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    shows = "\nObject.assign(self, { python, change });"
    other = changed(folder, tmp_path, lambda text: text.replace("60_000", "100") + shows)
    with hosted(other) as (url, _):
        someone = comes(browser, url)
        page = someone.page
        start = Game()
        tries(page, "#eras", start, next(iter(start.legal_turns())))
        waits_until(page, lambda: turns(page) == 2)
        waits_until(page, lambda: len(page.workers) == 1)  # who thought has ended
        (worker,) = page.workers
        is_file = "(name) => python.FS.analyzePath(`/program/chronotable_host/${name}`).exists"
        assert not worker.evaluate(is_file, "site/program.pyc"), "it is in memory"
        assert worker.evaluate(is_file, "site/work.pyc"), "it is imported later"
        assert worker.evaluate(DURABILITY) == "strict"
        ends = worker.evaluate(VANISHES)
        assert 44 in ends, "Emscripten's IDBFS no longer fails there"
        waits_until(page, lambda: "/home/games/b.txt" in page.evaluate(KEPT))
        assert "/home/games/a.txt" not in page.evaluate(KEPT)
        worker.evaluate("setTimeout(() => Promise.reject(new Error('as a test wants it')))")
        page.get_by_text("has failed, and is started again").first.wait_for()
        someone.hears("Choose a copy")
        waits_until(page, lambda: turns(page) == 2)
        page.locator("#eras [data-sensor][tabindex='0']").first.click()
        waits_until(page, lambda: len(page.workers) == 2)  # it begins when somebody plays
        assert someone.trouble
        someone.trouble.clear()  # that is what was wanted


def test_a_browser_that_keeps_nothing_says_so_and_plays(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    refuses = "indexedDB.open = () => { throw new Error('as a test wants it'); };\n"
    with hosted(changed(folder, tmp_path, lambda text: refuses + text)) as (url, _):
        page = comes(browser, url).page
        repeats = page.locator(".era").evaluate_all(REPEATS)
        assert repeats == ["no-repeat"], "what repeats is kept as a picture, for each star"
        page.get_by_text("This browser keeps nothing here").first.wait_for()
        start = Game()
        tries(page, "#eras", start, next(iter(start.legal_turns())))
        waits_until(page, lambda: turns(page) == 2)


@pytest.mark.parametrize("damage", ["body.subarray(1)", "body.fill(0, body.length >> 2)"])
def test_a_kept_start_that_is_damaged_is_forgotten(
    browser: Browser, folder: Path, damage: str
) -> None:
    with hosted(folder) as (url, _):
        someone = comes(browser, url)
        page = someone.page
        assert begun(page) == "whole"
        waits_until(page, lambda: page.evaluate("caches.match('start.en').then(Boolean)"))
        blocks = "caches.match('start.en').then(({ headers }) => headers.get('blocks'))"
        length, size, *_ = map(int, page.evaluate(blocks).split(","))
        assert length - size >= 8 << 20, "most of the stack is not kept, and takes no memory"
        page.evaluate(
            f"""async () => {{
                const kept = await caches.open((await caches.keys())[0]);
                const body = new Uint8Array(await (await kept.match("memory.en")).arrayBuffer());
                await kept.put("memory.en", new Response({damage}));
            }}"""
        )
        page.reload()
        someone.hears("Choose a copy")
        assert begun(page) == "whole"
        waits_until(page, lambda: page.evaluate("caches.match('start.en').then(Boolean)"))
        page.reload()
        someone.hears("Choose a copy")
        assert begun(page) == "restored"
