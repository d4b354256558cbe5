"""What is the RP2040's alone, and its board's: `rp2350` has the same names for the other chip.

The firmware's app imports from here; where it is compiled for another chip, that chip's file stands
in this one's place. Only the PC knows the names of the last part.
"""

from ttykm.mp import const

# SIO (data sheet, 2.3.1.7), and words in it
SIO = const(0xD0000000)
GPIO_IN = const(0x004 // 4)
GPIO_OUT_SET = const(0x014 // 4)
GPIO_OUT_CLR = const(0x018 // 4)
GPIO_OE_SET = const(0x024 // 4)
GPIO_OE_CLR = const(0x028 // 4)

# watchdog (4.7): what is written to CTRL_CLEAR is cleared in CTRL; boot ROM and SDK use scratch 4
# to 7
WATCHDOG_CTRL_CLEAR = const(0x4005B000)
WATCHDOG_ENABLE = const(0x40000000)
WATCHDOG_SCRATCH_0 = const(0x4005800C)

# USB DPRAM (4.1.2.5, 4.1.2.7.4): buffer control of endpoint 2 IN, and its bit AVAILABLE
USB_IN_2 = const(0x50100090)
USB_AVAILABLE = const(10)

# Measured on the emulated chip: an empty viper loop takes 28 cycles, and with 29 a row settles for
# 30.7 µs of 30, as other code lies around it; `matrix` takes so many loops at least to sort what a
# row has said.
CYCLES_PER_LOOP = const(29)
LOOPS_TO_SORT = const(15)

MACHINE = "Raspberry Pi Pico with RP2040"  # what MicroPython for this board calls itself

UF2_FAMILY = 0xE48BFF56
DRIVE = "RPI-RP2"  # what its boot loader calls itself as a drive

BOOT_USB_ID = "2e8a:0003"  # maker and product of the boot loader on the USB

FLASH_BYTES = 2 * 1024 * 1024
FILES_START = 0xA0000  # where in the flash MicroPython has its file system, which goes to the end
