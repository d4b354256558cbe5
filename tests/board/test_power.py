"""What a table takes from 5 V is summed from its board file, and both commands say it."""

import json

import pytest
from typer.testing import CliRunner

from chronotable.hardware.board import load
from chronotable_host.commands.boards import app
from chronotable_host.hardware import boards, power
from chronotable_host.hardware.doctor.telling import summary_lines

BOARDS = boards.names()


def board_with(name="reference", **leds):
    data = boards.read_data(name)
    data["leds"] |= leds
    return data


def check(tmp_path, data, *args):
    file = tmp_path / "board.json"
    file.write_text(json.dumps(data))
    done = CliRunner().invoke(app, ["boards", "check", str(file), *args])
    assert done.exit_code == 0
    return done.stdout


def test_the_sum_is_light_chips_and_pico():
    assert power.power_draw(boards.read("reference")) == (400, 54, 25, 0)
    assert power.power_draw(boards.read("reference")).total == 479


def test_closed_reeds_at_registers_are_counted_as_their_resistors_are():
    one = 3.3 / 10 * 3.3 / 5 / 0.8  # volts over kilohms, at 3.3 V, of a converter's 80 % from 5 V
    assert power.power_draw(boards.read("tiles")).reeds == pytest.approx(64 * one, abs=1)


def test_a_board_with_a_chip_that_nobody_has_tried_says_so(tmp_path):
    assert "ntried" not in check(tmp_path, boards.read_data("reference"))
    assert "Untried on hardware" in check(
        tmp_path, boards.read_data("reference") | {"mcu": "rp2350"}
    )


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_that_come_along_are_carried_by_a_usb_port(name, tmp_path):
    total = power.power_draw(boards.read(name)).total
    assert 450 < total <= power.USB_MA - 20, "what is estimated may be more"
    said = check(tmp_path, boards.read_data(name))
    assert f"At most {total} mA from 5 V" in said and "a USB port gives 500." in said


@pytest.mark.parametrize(("max_ma", "light"), [(100, 100), (3240, 3240), (4000, 3240)])
def test_the_lights_take_what_is_allowed_and_no_more_than_they_can(max_ma, light):
    assert power.power_draw(load(board_with(max_ma=max_ma))).light == light
    half = power.power_draw(load(board_with(max_ma=max_ma, led_ma=10)))
    assert half.light == min(max_ma, 54 * 3 * 10)


@pytest.mark.parametrize(("max_ma", "needs"), [(421, False), (422, True), (4000, True)])
def test_a_file_that_asks_for_more_than_a_usb_port_gives_needs_a_supply(max_ma, needs, tmp_path):
    data = board_with(max_ma=max_ma)
    said = check(tmp_path, data)
    assert ("this table needs a 5 V supply of its own" in said) == needs
    told = json.loads(check(tmp_path, data, "--json"))
    assert told["good"] is True
    assert told["needs_supply"] == needs
    assert told["draw_ma"]["total"] == sum(power.power_draw(load(data)))


@pytest.mark.parametrize(
    ("lights_ma", "said"),
    [
        (447, "about 472 mA (447 the LEDs, 25 the Pico); a USB port gives 500."),
        (3294, "about 3319 mA (3294 the LEDs, 25 the Pico); more than the 500 mA of a USB port"),
    ],
)
def test_the_doctor_adds_the_pico_to_what_the_lights_took(lights_ma, said):
    summary = {"stopped": False, "findings": 0, "unseen": [], "current_ma": lights_ma}
    summary["learned"] = None
    assert any(said in line for line in summary_lines(summary))
