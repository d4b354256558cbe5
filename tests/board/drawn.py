"""What the wiring pictures of all boards have in common: their lights and the Pico's pins."""

from itertools import pairwise

from chronotable.hardware.sensors import SENSORS
from chronotable_host.hardware.drawings import pico

from .netlist import SVG, of_class


def shuffled_cells(data, chance):
    """Wire every sensor to some other cell, and every LED elsewhere in the chain."""
    cells = [[row, column] for row in range(8) for column in range(8)]
    leds = list(range(SENSORS))
    chance.shuffle(cells)
    chance.shuffle(leds)
    for era in data["eras"]:
        era["cells"] = [[cells.pop() for _ in range(4)] for _ in range(4)]
        era["leds"] = [[leds.pop() for _ in range(4)] for _ in range(4)]
    for spots in data["focus"].values():
        for spot in spots.values():
            spot["cell"], spot["led"] = cells.pop(), leds.pop()
    for button in data["buttons"]:
        button["cell"] = cells.pop()


def assert_lights_and_pins(root, board):
    """Each pin of the file is marked at the Pico; each LED is there, and the chain through all."""
    pins = of_class(root, "pin")
    used = [*board.row_pins, *board.col_pins, *board.register_pins, board.led_pin]
    used += [board.sound_pin] if board.sound_pin >= 0 else []
    assert sorted(int(pin.get("data-gpio")) for pin in pins) == sorted(used)
    for pin in pins:
        gpio = int(pin.get("data-gpio"))
        label = " ".join(text.text for text in pin.iter(f"{SVG}text"))
        assert f"GP{gpio}" in label and str(pico.pin_of(gpio)) in label.split()
    leds = {int(led.get("data-led")): int(led.get("data-sensor")) for led in of_class(root, "led")}
    assert leds == {board.led_of[sensor]: sensor for sensor in range(SENSORS)}
    hops = [(int(hop.get("data-from")), int(hop.get("data-to"))) for hop in of_class(root, "hop")]
    assert hops == list(pairwise(range(board.led_count)))
