"""What the computer shows of its serial ports, and why a table is not among them."""
