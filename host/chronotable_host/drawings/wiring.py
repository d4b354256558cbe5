"""What is soldered to what: the inputs, the Pico's pins, the chain of LEDs.

The inputs are a matrix or a chain of shift registers, each with a file of its own; Pico and LEDs
are drawn alike for both. Nothing in the picture needs colour.
"""

from collections.abc import Mapping
from typing import Any

from chronotable_host.drawings import light_wiring, matrix_wiring, paper, register_wiring
from chronotable_host.drawings.table_layout import layout_of
from chronotable_host.language import tr

_MARGIN = 12
_CHAIN_HEAD = 36
_FEED_HIGH = 126


def wiring_svg(board_data: Mapping[str, Any]) -> str:
    """Draw the wiring of a parsed board file.

    Each pin of the file is a group `pin` with `data-gpio`, each LED a group `led` with `data-led`
    and `data-sensor`, each data wire between two of them a group `hop`; `matrix_wiring.draw` and
    `register_wiring.draw` say how the inputs can be read back. Raises BoardError as `layout_of`
    does.
    """
    layout = layout_of(board_data)
    board = layout.board
    inputs = register_wiring if board.register_pins else matrix_wiring
    least, chain_top = inputs.size(board)
    feed_top = chain_top + layout.size[1] + _CHAIN_HEAD
    title = tr("Wiring of the table '{name}'", name=board.name)
    svg = paper.sheet(
        (max(layout.size[0], least) + 2 * _MARGIN, feed_top + _FEED_HIGH),
        title,
        inputs.ABOUT,
        printed=False,
    )
    paper.words(svg, (_MARGIN, 11), title, 10, bold=True)
    inputs.draw(svg, board, _MARGIN)
    light_wiring.draw_chain(svg, layout, (_MARGIN, chain_top))
    light_wiring.draw_feed(svg, board, (_MARGIN, feed_top))
    return paper.written(svg)
