"""The words for the numbers and letters of the doctor's messages."""

STEPS = (
    "clear",
    "reeds",
    "lights",
    "colours",
    "ghosts",
    "buttons",
    "current",
    "done",
    "poles_black",
    "poles_white",
)
"""By number; of the last two, of sensors of polarity, one comes after the colours."""

ASKS = {
    "c": "choose: the steady light, or the blinking one where no steady one is to be seen",
    "d": "take all magnets off, those that are felt are in `put`, or `about` is a button",
    "p": "put magnets on exactly the sensors of `put`; in the step `reeds` slide it about, too",
    "l": "lift it",
    "z": "take off what still lies there, in `put`",
    "a": "the same sensor once more",
    "m": "put the magnet on the light",
    "r": "put the magnet on the red light",
    "g": "put the magnet on the green light",
    "b": "press the button",
    "w": "watch",
}

FINDINGS = (
    "stuck_closed",
    "stuck_open",
    "flickers",
    "weak",
    "nosy",
    "exchanged",
    "turned",
    "grids_exchanged",
    "rows_exchanged",
    "columns_exchanged",
    "row_cut",
    "column_cut",
    "chip_dead",
    "diode_missing",
    "led_dark",
    "led_exchanged",
    "led_order",
    "colour_order",
    "button_dead",
    "button_stuck",
    "button_exchanged",
    "supply_weak",
    "moved",
    "led_moved",
    "leds_exchanged",
    "reeds_unseen",
    "lights_unseen",
    "colours_unseen",
    "diodes_unseen",
    "buttons_unseen",
    "poles_unseen",
    "output_stuck",
    "output_dead",
    "poles_wrong",
    "magnet_turned",
)

ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")
