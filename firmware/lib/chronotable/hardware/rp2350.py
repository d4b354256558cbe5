"""What is the RP2350's alone, and the Pico 2's: untried on hardware, where there was none.

Registers by the RP2350 data sheet, as the SDK's headers have them. Not known for certain, and so
chosen to be safe: how long loops take.
"""

from ttykm.mp import const

# SIO (data sheet, 3.1.11), and words in it: between them lie those of the pins from 32 on
SIO = const(0xD0000000)
GPIO_IN = const(0x004 // 4)
GPIO_OUT_SET = const(0x018 // 4)
GPIO_OUT_CLR = const(0x020 // 4)
GPIO_OE_SET = const(0x038 // 4)
GPIO_OE_CLR = const(0x040 // 4)

# watchdog (12.9): as the RP2040's, elsewhere; the boot ROM uses scratch 2 to 7
WATCHDOG_CTRL_CLEAR = const(0x400DB000)
WATCHDOG_ENABLE = const(0x40000000)
WATCHDOG_SCRATCH_0 = const(0x400D800C)

# USB DPRAM (12.7): as the RP2040's
USB_IN_2 = const(0x50100090)
USB_AVAILABLE = const(10)

# The fewest cycles that the 18 instructions of an empty viper loop can take: its Arm cores issue at
# most two at once. So a row settles up to three times as long as a board file asks, and nothing
# is taken off for sorting.
CYCLES_PER_LOOP = const(9)
LOOPS_TO_SORT = const(0)

MACHINE = "Raspberry Pi Pico2 with RP2350"
"""What MicroPython for this board calls itself, on its Arm cores."""

UF2_FAMILY = 0xE48BFF59
DRIVE = "RP2350"  # what its boot loader calls itself as a drive

BOOT_USB_ID = "2e8a:000f"  # maker and product of the boot loader on the USB

FLASH_BYTES = 4 * 1024 * 1024
FILES_START = 0x100000  # where in the flash MicroPython has its file system, which goes to the end
